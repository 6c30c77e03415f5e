"""A Ray cluster of several processes: the same rows, whoever dies, and files that kill."""

import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="--engine ray needs Ray: pip install 'agentdyno[scale]'")
fsspec = pytest.importorskip("fsspec", reason="object storage needs fsspec")
pytest.importorskip("s3fs", reason="S3 needs s3fs")
moto = pytest.importorskip("moto.server", reason="a server that speaks S3 needs moto[s3], flask")
ThreadedMotoServer = moto.ThreadedMotoServer

from agentdyno.engines import ray as engine
from agentdyno.intake.discover import pieces_of
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines import input_plan, remote_jobs
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.remote_jobs import RemoteJob, Returned, run_remote_job
from agentdyno.records import InputError
from tests.conftest import ROOT
from tests.engines.test_local import die_at_three, fail_at_three
from tests.ledger.traces import assert_consistent, assert_same, assert_tidy, tables, write_jsonl

pytestmark = [
    pytest.mark.slow,
    # Ray's own.
    pytest.mark.filterwarnings("default"),
]
RAY = MeasureOptions(workers=2, engine="ray")


@pytest.fixture(scope="module")
def s3() -> Iterator[None]:
    """A server that speaks S3, with one bucket; workers know it by the environment."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        host, port = server.get_host_and_port()
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "anybody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "anything")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        fsspec.filesystem("s3").mkdir("bucket")
        yield
        fsspec.filesystem("s3").clear_instance_cache()
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def cluster(s3: None) -> Iterator[None]:
    """Two workers, shared: starting them takes longer than the tests. They find the functions of
    these tests on the path, since they import nothing from the current folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        with engine._cluster(2):
            yield


@pytest.fixture
def traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six files; a job has two at most, the last ones are smaller."""
    for index in range(6):
        write_jsonl(tmp_path / "traces" / f"{index}.jsonl", range(10 * index, 10 * index + 4))
    size = (tmp_path / "traces" / "0.jsonl").stat().st_size
    monkeypatch.setattr(pipeline, "JOB_BYTES", int(1.2 * size))
    measure([tmp_path / "traces"], tmp_path / "near", MeasureOptions(workers=1))
    return tmp_path / "traces"


def test_an_error_comes_out_as_it_is() -> None:
    with pytest.raises(InputError, match="three is not to be had"):
        list(engine.run(fail_at_three, range(20), 2))


def test_an_item_that_kills_its_workers_is_replaced_and_costs_no_other() -> None:
    told: list[str] = []

    def instead(item: int, how: str) -> list[int]:
        told.append(how)
        return [100 * item, 1000 * item]

    assert sorted(engine.run(die_at_three, range(6), 2, instead)) == [0, 1, 2, 4, 5, 300, 3000]
    assert [how.partition(":")[0] for how in told] == ["WorkerCrashedError"]


def test_without_a_replacement_the_error_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"3 times over the same item.*run the command again"):
        list(engine.run(die_at_three, [3], 2))


def test_a_cluster_makes_the_ledger_that_one_process_makes(traces: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    measure([traces], tmp_path / "far", RAY, lambda *at: seen.append(at[:2]))
    assert_same(tmp_path / "near", tmp_path / "far")
    assert_tidy(tmp_path / "far")
    assert 3 <= len(seen) <= 6
    assert seen[-1][0] == seen[-1][1] == sum(path.stat().st_size for path in traces.iterdir())
    assert measure([traces], tmp_path / "far", RAY).new_files == 0


def die_once(parcel: RemoteJob) -> Returned:
    """The first worker that has done the job of file 2 is killed before it can say so."""
    returned = run_remote_job(parcel)
    mark = Path(parcel.job.sources[0].path).parent.parent / "killed"
    if any(source.name.endswith("2.jsonl") for source in parcel.job.sources):
        try:
            mark.touch(exist_ok=False)
        except FileExistsError:
            return returned
        os.kill(os.getpid(), signal.SIGKILL)
    return returned


def test_the_job_of_a_worker_that_is_killed_is_done_again(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_jobs, "run_remote_job", die_once)
    measure([traces], tmp_path / "far", RAY)
    assert (tmp_path / "killed").exists()
    assert_same(tmp_path / "near", tmp_path / "far")
    assert_consistent(tmp_path / "far")


def die_of_file_3(parcel: RemoteJob) -> Returned:
    names = [source.name for source in parcel.job.sources]
    if "traces/3.jsonl" in names and parcel.killed is None:
        os._exit(9)
    return run_remote_job(parcel)


def test_a_file_that_kills_every_worker_is_a_bad_record_and_not_a_dead_run(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_jobs, "run_remote_job", die_of_file_3)
    measured = measure([traces], tmp_path / "far", RAY)
    assert measured.counts["bad"] == 1
    found = tables(tmp_path / "far")
    assert set(found["trajectories"]["source"]) == {f"traces/{n}.jsonl" for n in (0, 1, 2, 4, 5)}
    (bad,) = found["bad_records"].to_dicts()
    assert bad["source"] == "traces/3.jsonl"
    assert bad["found"].startswith("it ended its worker: WorkerCrashedError")


def test_a_cluster_reads_from_and_writes_to_s3(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(input_plan, "pieces_of", partial(pieces_of, piece_bytes=2_000))
    for path in traces.iterdir():
        fsspec.filesystem("s3").put_file(str(path), f"bucket/traces/{path.name}")
    ledger = Path("s3://bucket/ledgers/one")
    measured = measure([Path("s3://bucket/traces")], ledger, RAY)
    assert (measured.files, measured.gone, measured.counts["bad"]) == (6, [], 0)
    shutil.rmtree(tmp_path / "cache")  # What follows is read from the bucket.
    assert_same(tmp_path / "near", local_folder(ledger))
    assert measure([Path("s3://bucket/traces")], ledger, RAY).new_files == 0
