"""Traces and ledgers in object storage: the same rows as from disk, whoever is killed when."""

import shutil
import zipfile
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from msgspec import structs

fsspec = pytest.importorskip("fsspec", reason="object storage needs fsspec")

from agentdyno.cost.engines import MeterOptions
from agentdyno.intake.discover import pieces_of
from agentdyno.intake.mirror import Mirror, mirror_paths
from agentdyno.intake.source import Source
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.working_copy import local_folder
from agentdyno.pipelines import input_plan, remote_jobs
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.compare import compare
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.sources import find_missing_inputs
from agentdyno.records import InputError
from tests.ledger.traces import assert_same, tables, write_jsonl

ONE = MeasureOptions(workers=1)
STORED = Path("memory://bucket/traces")
LEDGER = Path("memory://bucket/ledger")


@pytest.fixture(autouse=True)
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty storage, and copies of ledgers under this test's own folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    fsspec.filesystem("memory").store.clear()
    yield
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """On disk; `_upload` puts them into the storage."""
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(30), calls=3)
    write_jsonl(tmp_path / "traces" / "deep" / "b.jsonl", range(40, 44))
    (tmp_path / "traces" / "deep" / "broken.jsonl").write_text('{"messages": [{"role"')
    with zipfile.ZipFile(tmp_path / "traces" / "packed.zip", "w") as archive:
        archive.write(write_jsonl(tmp_path / "c.jsonl", range(50, 53)), "inner/c.jsonl")
    return tmp_path / "traces"


def _upload(traces: Path) -> None:
    for path in (path for path in traces.rglob("*") if path.is_file()):
        place = f"/bucket/traces/{path.relative_to(traces).as_posix()}"
        fsspec.filesystem("memory").pipe_file(place, path.read_bytes())


def test_traces_in_a_storage_make_the_ledger_that_they_make_on_disk(
    traces: Path, tmp_path: Path
) -> None:
    _upload(traces)
    near = measure([traces], tmp_path / "near", ONE)
    far = measure([STORED], tmp_path / "far", ONE)
    assert far.files == near.files > 2
    assert (far.gone, far.counts) == ([], near.counts)
    assert_same(tmp_path / "near", tmp_path / "far")


@pytest.mark.parametrize("job_bytes", [9_000, 20_000])
def test_lines_of_a_file_read_in_pieces_have_the_numbers_that_they_have_on_disk(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, job_bytes: int
) -> None:
    """Whether a job has one piece of a file or several."""
    _upload(traces)
    measure([traces], tmp_path / "near", ONE)
    monkeypatch.setattr(input_plan, "pieces_of", partial(pieces_of, piece_bytes=9_000))
    monkeypatch.setattr(pipeline, "JOB_BYTES", job_bytes)
    measure([STORED], tmp_path / "far", ONE)
    assert len(Ledger(tmp_path / "far").manifest.volumes) > 2
    assert_same(tmp_path / "near", tmp_path / "far")


def test_a_ledger_in_a_storage_is_resumed_and_read_like_one_on_disk(
    traces: Path, tmp_path: Path
) -> None:
    _upload(traces)
    assert measure([STORED], LEDGER, ONE).new_files > 2
    shutil.rmtree(tmp_path / "cache")  # As on another machine.
    assert measure([STORED], LEDGER, ONE).new_files == 0
    shutil.rmtree(tmp_path / "cache")
    measure([traces], tmp_path / "near", ONE)
    assert_same(tmp_path / "near", local_folder(LEDGER))


def test_reports_and_comparisons_read_a_stored_ledger(traces: Path) -> None:
    _upload(traces)
    measure([STORED], LEDGER, ONE)
    assert build_report(LEDGER).ledger == "memory://bucket/ledger"
    assert compare(LEDGER, LEDGER).metrics
    with pytest.raises(InputError, match="memory://bucket/none: expected a ledger"):
        build_report(Path("memory://bucket/none"))


def test_a_changed_file_replaces_its_rows_in_the_storage(traces: Path, tmp_path: Path) -> None:
    _upload(traces)
    measure([STORED], LEDGER, ONE)
    write_jsonl(traces / "deep" / "b.jsonl", range(60, 62))
    _upload(traces)
    assert measure([STORED], LEDGER, ONE).read_again >= 1
    shutil.rmtree(tmp_path / "cache")
    measure([traces], tmp_path / "near", ONE)
    assert_same(tmp_path / "near", local_folder(LEDGER))


def test_another_writer_of_a_stored_ledger_is_not_overwritten(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _upload(traces)
    measure([STORED], LEDGER, ONE)
    with monkeypatch.context() as other:

        def meanwhile(*_: object) -> int:
            other.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
            other.setattr(pipeline, "deduplicate_ledger", lambda *_: 0)
            write_jsonl(tmp_path / "more" / "d.jsonl", range(70, 72))
            measure([tmp_path / "more"], LEDGER, ONE)
            other.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
            return 0

        other.setattr(pipeline, "deduplicate_ledger", meanwhile)
        write_jsonl(tmp_path / "mine" / "e.jsonl", range(80, 82))
        with pytest.raises(InputError, match="another process has written this ledger"):
            measure([tmp_path / "mine"], LEDGER, ONE)
    shutil.rmtree(tmp_path / "cache")
    sources = set(tables(local_folder(LEDGER))["trajectories"]["source"])
    assert "more/d.jsonl" in sources
    assert "mine/e.jsonl" not in sources


def test_stored_traces_can_be_read_again_and_their_loss_is_said(traces: Path) -> None:
    _upload(traces)
    ledger = measure([STORED], LEDGER, ONE).ledger
    assert find_missing_inputs(Ledger(ledger)) == {}
    fsspec.filesystem("memory").rm_file("/bucket/traces/a.jsonl")
    assert set(find_missing_inputs(Ledger(ledger))) == {"traces/a.jsonl"}


def test_a_job_that_kills_its_workers_is_cut_into_files_and_one_file_becomes_a_bad_record(
    traces: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the engine does it, without processes: those are killed in `test_cluster`."""

    def engine(function, items, workers, **_):  # type: ignore[no-untyped-def]
        waiting = list(items)
        while waiting:
            parcel = waiting.pop(0)
            names = [source.name for source in parcel.job.sources]
            if "traces/deep/b.jsonl" in names and parcel.killed is None:
                waiting += remote_jobs.instead(parcel, "WorkerCrashedError: gone")
            else:
                yield function(parcel)

    monkeypatch.setattr(remote_jobs.local, "run", engine)
    _upload(traces)
    measure([STORED], tmp_path / "far", ONE)
    found = tables(tmp_path / "far")
    measure([traces], tmp_path / "near", ONE)
    theirs = found["trajectories"]["source"] == "traces/deep/b.jsonl"
    assert not theirs.any()
    assert len(found["trajectories"]) == len(tables(tmp_path / "near")["trajectories"]) - 4
    bad = found["bad_records"].filter(found["bad_records"]["source"] == "traces/deep/b.jsonl")
    assert bad["found"].to_list() == ["it ended its worker: WorkerCrashedError: gone"]


def test_a_mirror_is_as_long_as_the_files_and_goes_when_it_is_done(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(800), calls=4)
    _upload(tmp_path / "traces")
    whole = (tmp_path / "traces" / "a.jsonl").read_bytes()
    assert len(whole) > 600_000
    with mirror_paths([STORED]) as mirror:
        [root] = mirror.paths
        head = (root / "a.jsonl").read_bytes()
        assert len(head) == len(whole) == mirror.stored[root / "a.jsonl"].size
        assert (head[:262_144], head[-262_144:]) == (whole[:262_144], whole[-262_144:])
        assert not any(head[262_144:-262_144])
    assert not root.exists()


def test_a_file_that_an_option_names_travels_with_the_job(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", [1])
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '["qwen3-32b"]\ninput = 1000.0\ncached_input = 1000.0\noutput = 0.0\n'
        'as_of = 2026-01-01\nsource = "mine"\n'
    )
    source = Source(path, "a.jsonl", 0, path.stat().st_size, "openai_chat")
    options = MeterOptions(prices=str(prices))
    job = pipeline.Job([source], tmp_path / "l" / "aside", options, 1)
    parcel = remote_jobs._pack(job, Mirror(tmp_path), {})
    prices.unlink()  # As on a machine that does not have it.
    returned = remote_jobs.run_remote_job(parcel)
    turns = pl.read_parquet(BytesIO(returned.files["turns-0.parquet"]))
    # 120 tokens of context at 1,000 dollars a million.
    assert turns["usd"][0] == pytest.approx(0.12)


def test_a_worker_of_another_version_refuses_the_job(tmp_path: Path) -> None:
    job = pipeline.Job([], tmp_path, MeterOptions(), 0)
    parcel = structs.replace(remote_jobs._pack(job, Mirror(tmp_path), {}), software="0.0.0")
    with pytest.raises(InputError, match="the same version on every machine"):
        remote_jobs.run_remote_job(parcel)
