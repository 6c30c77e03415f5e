"""The main job: what is read again and what is not, pieces, and where the cost went."""

import json
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.cost.columns import Joined
from agentdyno.cost.metering import Meter
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.tables import measure_rows
from agentdyno.intake.discover import Found, pieces_of
from agentdyno.intake.format import Format
from agentdyno.intake.formats.openai_chat import FORMAT
from agentdyno.intake.mirror import Mirror
from agentdyno.intake.source import Source
from agentdyno.pipelines import input_plan
from agentdyno.pipelines import jobs as reading
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.commits import Commits
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import Measured, MeasureOptions, measure
from agentdyno.pipelines.measure_options import meter_options
from agentdyno.pipelines.sources import piece_of
from agentdyno.records import BadRecord, Trajectory
from tests.ledger.traces import (
    assert_consistent,
    assert_same,
    assert_tidy,
    chat,
    tables,
    write_jsonl,
)

ONE = MeasureOptions(workers=1, costs_only=True)


def _sources(ledger: Path) -> dict[str, int]:
    counted = tables(ledger)["trajectories"]["source"].value_counts()
    return dict(counted.iter_rows())


# What is read again -------------------------------------------------------------------------------


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    for index in range(3):
        write_jsonl(tmp_path / "traces" / f"{index}.jsonl", range(10 * index, 10 * index + 4))
    return tmp_path / "traces"


@pytest.fixture
def ledger(tmp_path: Path, traces: Path) -> Path:
    """All three files in one volume."""
    assert _measure(traces, tmp_path / "ledger").new_files == 3
    return tmp_path / "ledger"


def _measure(traces: Path, ledger: Path) -> Measured:
    measured = measure([traces], ledger, ONE)
    assert_consistent(ledger)
    assert_tidy(ledger)
    return measured


def test_the_same_inputs_are_not_read_again(ledger: Path, traces: Path) -> None:
    volumes = {p: p.stat().st_mtime_ns for p in ledger.rglob("*.parquet")}
    again = _measure(traces, ledger)
    assert (again.files, again.new_files, again.read_again) == (3, 0, 0)
    assert volumes == {p: p.stat().st_mtime_ns for p in ledger.rglob("*.parquet")}


def test_a_changed_file_is_replaced_alone(ledger: Path, traces: Path, tmp_path: Path) -> None:
    write_jsonl(traces / "1.jsonl", [500, 501])
    assert _measure(traces, ledger).new_files == 1
    assert _sources(ledger) == {"traces/0.jsonl": 4, "traces/1.jsonl": 2, "traces/2.jsonl": 4}
    assert set(tables(ledger)["trajectories"]["task_id"]) >= {"500", "501"}
    _measure(traces, tmp_path / "fresh")
    assert_same(ledger, tmp_path / "fresh")


def test_a_change_that_keeps_size_and_time_is_noticed(ledger: Path, traces: Path) -> None:
    path = traces / "0.jsonl"
    before = path.stat()
    path.write_text(path.read_text().replace('"task_id": 1,', '"task_id": 7,'))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    assert _measure(traces, ledger).new_files == 1


def test_a_moved_folder_is_not_counted_twice(ledger: Path, traces: Path, tmp_path: Path) -> None:
    moved = shutil.move(traces, tmp_path / "elsewhere" / "traces")
    assert _measure(Path(moved), ledger).new_files == 0
    assert sum(_sources(ledger).values()) == 12


def test_another_view_changes_nothing_in_the_ledger(ledger: Path, traces: Path) -> None:
    before = tables(ledger)
    measured = measure([traces], ledger, MeasureOptions(workers=1, cache="kept", hardware="h200"))
    assert (measured.new_files, measured.read_again, measured.apart) == (0, 0, 0)
    for name, frame in tables(ledger).items():
        assert frame.equals(before[name])


def test_other_ways_of_counting_replace_what_is_given_and_leave_the_rest(
    ledger: Path, traces: Path, tmp_path: Path
) -> None:
    exact = MeasureOptions(workers=1, count="exact")
    write_jsonl(tmp_path / "more" / "extra.jsonl", [900])
    measure([tmp_path / "more"], ledger, ONE)
    measured = measure([traces], ledger, exact)
    assert (measured.read_again, measured.apart) == (3, 1)
    assert sum(_sources(ledger).values()) == 13
    measure([tmp_path / "more"], ledger, exact)
    measure([traces, tmp_path / "more"], tmp_path / "fresh", exact)
    assert_same(ledger, tmp_path / "fresh")


def test_more_workers_are_no_other_option(ledger: Path, traces: Path) -> None:
    measured = measure([traces], ledger, MeasureOptions(workers=2))
    assert (measured.read_again, measured.new_files) == (0, 0)


def test_a_file_that_vanishes_while_it_is_read_costs_only_itself(
    ledger: Path, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(traces / "3.jsonl", [70])
    write_jsonl(traces / "4.jsonl", [80])
    write_jsonl(traces / "1.jsonl", [500])
    gone = {str(traces / "3.jsonl"), str(traces / "1.jsonl")}
    monkeypatch.setattr(Path, "open", _vanishing(Path.open, gone))
    measured = measure([traces], ledger, ONE)
    bad = {each.source: each.reason for each in measured.outcomes if each.state == "bad"}
    assert bad == dict.fromkeys(("traces/1.jsonl", "traces/3.jsonl"), "No such file or directory")
    # The rows of a file that changed and then vanished are those it had before.
    held = {"traces/0.jsonl": 4, "traces/1.jsonl": 4, "traces/2.jsonl": 4, "traces/4.jsonl": 1}
    assert _sources(ledger) == held
    monkeypatch.undo()
    assert measure([traces], ledger, ONE).new_files == 2
    assert _sources(ledger) == held | {"traces/1.jsonl": 1, "traces/3.jsonl": 1}


def _vanishing(original: Any, gone: set[str]) -> Any:
    """Opens of these files fail from the fourth on: found and looked at, then gone."""
    opened: dict[str, int] = {}

    def open_it(path: Path, *args: Any, **kwargs: Any) -> Any:
        opened[str(path)] = opened.get(str(path), 0) + 1
        if str(path) in gone and opened[str(path)] > 3:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return original(path, *args, **kwargs)

    return open_it


def test_files_of_one_name_in_two_folders_get_ids_of_their_own(tmp_path: Path) -> None:
    one = write_jsonl(tmp_path / "a" / "runs" / "x.jsonl", [1, 2])
    other = write_jsonl(tmp_path / "b" / "runs" / "x.jsonl", [1, 2, 3])
    ledger = tmp_path / "ledger"
    measure([one.parent, other.parent], ledger, ONE)
    assert_consistent(ledger)
    assert _sources(ledger) == {"runs/x.jsonl": 2, "runs/x.jsonl~2": 3}
    # The order of the paths does not exchange the names.
    assert measure([other.parent, one.parent], ledger, ONE).new_files == 0


def test_a_file_that_is_cut_into_other_pieces_is_not_counted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", range(20))
    measure([path], tmp_path / "ledger", ONE)
    monkeypatch.setattr(input_plan, "pieces_of", partial(pieces_of, piece_bytes=3000))
    measure([path], tmp_path / "ledger", ONE)
    assert_consistent(tmp_path / "ledger")
    assert _sources(tmp_path / "ledger") == {"a.jsonl": 20}


def test_many_small_files_are_read_in_one_job(tmp_path: Path) -> None:
    line = json.dumps([{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}])
    (tmp_path / "traces").mkdir()
    for index in range(400):
        (tmp_path / "traces" / f"{index}.json").write_text(line)
    formats = {FORMAT.name: FORMAT}
    found, _ = input_plan.find_traces([tmp_path / "traces"], formats, FORMAT)
    with pipeline.LedgerWriter(tmp_path / "ledger", {}) as writer:
        plan = input_plan.plan_inputs(found, writer, ONE, Mirror(tmp_path))
        unread = writer.expect(plan.inputs)
        jobs = pipeline.jobs_for(plan.sources, unread, writer, meter_options(ONE))
    assert [len(job.sources) for job in jobs] == [400]


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_last_jobs_of_several_workers_are_the_smallest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(pipeline, "JOB_BYTES", 800)
    sources = [
        Source(tmp_path / "a", "a", at, at + 50, "openai_chat") for at in range(0, 10_000, 50)
    ]
    unread = {piece_of(source) for source in sources}
    with pipeline.LedgerWriter(tmp_path / "ledger", {}) as writer:
        jobs = pipeline.jobs_for(sources, unread, writer, meter_options(ONE), workers=workers)
    sizes = [job.bytes for job in jobs]
    assert sum(sizes) == 10_000
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) == 800
    assert sizes[-2] == (800 if workers == 1 else 400)  # Half a job at least.


# One bad thing does not take the rest with it -----------------------------------------------------


def test_a_value_that_no_table_holds_costs_only_its_trajectory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def strict(rows: Joined, meter: Meter) -> dict[str, pl.DataFrame]:
        if any(t.task_id in ("4", "7") for t in rows.items):
            raise OverflowError("int too large to convert")
        return measure_rows(rows, meter)

    monkeypatch.setattr(reading, "measure_rows", strict)
    path = write_jsonl(tmp_path / "a.jsonl", range(9))
    measure([path], tmp_path / "ledger", ONE)
    found = tables(tmp_path / "ledger")
    assert found["trajectories"]["task_id"].to_list() == ["0", "1", "2", "3", "5", "6", "8"]
    assert found["bad_records"]["place"].to_list() == ["trajectory 5", "trajectory 8"]
    assert set(found["bad_records"]["found"]) == {"OverflowError: int too large to convert"}


@pytest.mark.parametrize("field", ["trial", "level", "task_id"])
def test_absurd_numbers_stop_nothing(tmp_path: Path, field: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        "".join(json.dumps(chat(i) | {field: 10**400 if i == 4 else 1}) + "\n" for i in range(9))
    )
    measure([path], tmp_path / "ledger", ONE)
    found = tables(tmp_path / "ledger")
    assert len(found["trajectories"]) + len(found["bad_records"]) == 9


def test_a_reader_that_fails_costs_only_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(source: Source) -> Iterator[Trajectory | BadRecord]:
        yield from FORMAT.read(source)
        if source.name == "t/b.jsonl":
            raise ZeroDivisionError("a mistake\x1b[31m of a third party")

    clumsy = Format("clumsy", "Clumsy", lambda head: 1.0, read)
    monkeypatch.setattr(pipeline, "load_formats", lambda: {"clumsy": clumsy})
    monkeypatch.setattr(reading, "_formats", lambda: {"clumsy": clumsy})
    for number, name in enumerate("abc"):
        write_jsonl(tmp_path / "t" / f"{name}.jsonl", range(3 * number, 3 * number + 3))
    measure([tmp_path / "t"], tmp_path / "ledger", ONE)
    found = tables(tmp_path / "ledger")
    assert len(found["trajectories"]) == 9
    (row,) = found["bad_records"].iter_rows(named=True)
    assert (row["source"], row["place"]) == ("t/b.jsonl", "file")
    assert (
        row["found"] == "ZeroDivisionError: a mistake\N{REPLACEMENT CHARACTER}[31m of a third party"
    )


def test_a_name_that_is_no_text_is_measured(tmp_path: Path) -> None:
    try:
        path = write_jsonl(tmp_path / os.fsdecode(b"caf\xe9.jsonl"), range(2))
    except OSError:
        pytest.skip("this disk takes only names that are text")
    measure([path], tmp_path / "ledger", ONE)
    assert _sources(tmp_path / "ledger") == {"caf\\xe9.jsonl": 2}
    assert measure([path], tmp_path / "ledger", ONE).new_files == 0


# Pieces -------------------------------------------------------------------------------------------

_GOOD = st.integers(0, 99).map(lambda n: json.dumps(chat(n, calls=n % 3)).encode())
_BAD = st.sampled_from([b"{", b"null", b'{"messages": 3}', b"\xff\xfe", b"\x00", b'{"a": "\x1b"}'])
_LINES = st.lists(st.one_of(_GOOD, _GOOD, _BAD, st.just(b""), st.just(b"   ")), max_size=12)


@given(
    lines=_LINES,
    end=st.sampled_from([b"\n", b"\r\n"]),
    last=st.booleans(),
    piece_bytes=st.integers(1, 4000),
)
@settings(max_examples=50)
def test_pieces_of_any_size_give_what_the_whole_file_gives(
    tmp_path: Path, lines: list[bytes], end: bytes, last: bool, piece_bytes: int
) -> None:
    whole = [json.dumps(chat(1)).encode(), *lines, json.dumps(chat(2)).encode()]
    path = tmp_path / "a.jsonl"
    path.write_bytes(end.join(whole) + (end if last else b""))
    size = path.stat().st_size
    # A few thousand pieces would only repeat themselves.
    piece_bytes = max(piece_bytes, size // 150)
    expected = list(FORMAT.read(Source(path, "a.jsonl", 0, size)))
    pieces = pieces_of(Found(path, "a.jsonl", size, "openai_chat", True), piece_bytes)
    assert [item for piece in pieces for item in FORMAT.read(piece)] == expected
    numbers = {int(b.place.split()[1]) for b in expected if isinstance(b, BadRecord)}
    assert numbers == {
        i for i, line in enumerate(whole, 1) if line.strip() and line[:9] != b'{"model":'
    }


def test_pieces_and_workers_change_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [json.dumps(chat(n, calls=n % 4, usage=n % 3 > 0)) for n in range(60)]
    lines[30], lines[50] = '{"messages": "none"}', lines[50][:40]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines))
    measure([path], tmp_path / "whole", ONE)
    assert tables(tmp_path / "whole")["bad_records"]["place"].to_list() == ["line 31", "line 51"]
    monkeypatch.setattr(pipeline, "JOB_BYTES", 9_000)
    monkeypatch.setattr(input_plan, "pieces_of", partial(pieces_of, piece_bytes=2_500))
    for workers in (1, 2):
        bar = _Bar()
        ledger = tmp_path / f"workers{workers}"
        measure([path], ledger, MeasureOptions(workers=workers), bar)
        assert_same(ledger, tmp_path / "whole")
        size = path.stat().st_size
        assert len(bar.seen) > 4
        assert bar.seen[-1] == (size, size)


class _Bar:
    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int, doing: str) -> None:
        self.seen.append((done, total))


# Where the cost went ------------------------------------------------------------------------------


@pytest.mark.parametrize("cache", ["evicted", "reported", "kept"])
@pytest.mark.parametrize("count", ["fast", "exact"])
def test_parts_sum_to_their_trajectory(tmp_path: Path, cache: CacheAssumption, count: str) -> None:
    write_jsonl(tmp_path / "t" / "usage.jsonl", range(12), calls=4)
    write_jsonl(tmp_path / "t" / "no_usage.jsonl", range(20, 26), calls=3, usage=False)
    options = MeasureOptions(
        workers=1, costs_only=True, cache=cache, count="exact" if count == "exact" else "fast"
    )
    measure([tmp_path / "t"], tmp_path / "ledger", options)
    found = tables(tmp_path / "ledger")
    cost = ["pte", "pte_growth"]
    whole = found["trajectories"].select("trajectory_id", "source", *cost)
    # Without usage nobody reported a cache, so its cost is unknown and not 0.
    unknown = 6 if cache == "reported" else 0
    assert whole["pte"].null_count() == unknown
    parts = found["parts"].group_by("trajectory_id").agg(pl.col(cost).sum())
    both = whole.drop_nulls().join(parts, on="trajectory_id", suffix="_of_parts")
    assert len(both) == 18 - unknown
    for column in cost:
        gap = (both[f"{column}_of_parts"] / both[column] - 1).abs().max()
        assert isinstance(gap, float)
        assert gap < 1e-6
    turns = found["turns"].group_by("trajectory_id").agg(pl.col(cost).sum())
    both = whole.drop_nulls().join(turns, on="trajectory_id", suffix="_of_turns")
    for column in cost:
        assert both[f"{column}_of_turns"].to_list() == pytest.approx(both[column].to_list())


def test_an_offered_tool_that_nobody_calls_has_a_price(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "a.jsonl", range(3))
    measure([path], tmp_path / "ledger", ONE)
    parts = tables(tmp_path / "ledger")["parts"]
    idle = parts.filter((pl.col("kind") == "schema") & (pl.col("name") == "idle"))
    assert len(idle) == 3
    assert idle["pte"].min() > 0  # type: ignore[operator]


# Packed files -------------------------------------------------------------------------------------


def test_an_archive_measures_like_its_folder_and_is_read_once(
    ledger: Path, traces: Path, tmp_path: Path
) -> None:
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "gztar", tmp_path, "traces"))
    first = measure([packed], tmp_path / "of_archive", ONE)
    assert (first.files, first.new_files) == (3, 3)
    plain, inside = tables(ledger)["trajectories"], tables(first.ledger)["trajectories"]
    assert inside["task_id"].to_list() == plain["task_id"].to_list()
    assert inside["pte"].to_list() == plain["pte"].to_list()
    assert set(inside["source"]) == {f"packed.tar.gz/traces/{i}.jsonl" for i in range(3)}
    assert measure([packed], first.ledger, ONE).new_files == 0
    volume = next((first.ledger / "turns").glob("*-0.parquet"))
    volume.write_bytes(b"")
    assert measure([packed], first.ledger, ONE).read_again
    assert tables(first.ledger)["trajectories"].equals(inside)
    packed.unlink()
    assert "the file is gone" in set(verify(first.ledger).sources_missing.values())


def test_a_step_that_stands_for_several_model_calls_is_measured(tmp_path: Path) -> None:
    trace = Path(__file__).parents[1] / "data" / "atif" / "embedded.json"
    measure([trace], tmp_path / "ledger", ONE)
    found = tables(tmp_path / "ledger")
    assert found["bad_records"].is_empty()
    shares = found["turns"].filter(pl.col("decode_source") == "scaled")
    assert (len(shares), shares["decode_tokens"].sum()) == (3, 10)


# Commits ------------------------------------------------------------------------------------------


def test_drafts_that_come_faster_than_the_ledger_takes_them_are_committed_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    taken: list[tuple[str, ...]] = []

    class Writer:
        def commit(self, *drafts: str) -> None:
            taken.append(drafts)
            now[0] += 1.0  # Each takes a second, so that the next may begin five seconds later.

    monkeypatch.setattr("agentdyno.pipelines.commits.time.monotonic", lambda: now[0])
    commits = Commits(Writer())  # type: ignore[arg-type]
    with commits:
        for draft in "abcdefgh":
            commits.add(draft)  # type: ignore[arg-type]
            now[0] += 2.0
    assert taken == [("a",), ("b", "c", "d"), ("e", "f", "g"), ("h",)]
