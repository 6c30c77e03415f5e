"""Any folder can be measured: every file is read, skipped or bad, and none ends the run."""

import csv
import gzip
import io
import json
import os
import random
import socket
import tarfile
import threading
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.intake import packing
from agentdyno.intake.formats.openai_chat import FORMAT
from agentdyno.intake.source import Source
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines import input_plan
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.export import export_table
from agentdyno.pipelines.measure import Measured, MeasureOptions, measure
from agentdyno.records import BadRecord, Trajectory
from tests.cli.run import Agentdyno
from tests.ledger.traces import chat, write_jsonl

ONE = MeasureOptions(workers=1, costs_only=True)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with one good file of two trajectories."""
    write_jsonl(tmp_path / "runs" / "good.jsonl", [1, 2])
    return tmp_path / "runs"


def _measure(*paths: Path) -> Measured:
    return measure(list(paths), paths[0].parent / "ledger", ONE)


def _states(measured: Measured) -> dict[str, str]:
    """The state of each file that is not simply read, by its name in the folder."""
    missing = [each for each in measured.outcomes if each.state != "read"]
    return {each.source.partition("/")[2]: each.state for each in missing}


def _reason(measured: Measured, name: str) -> str:
    return next(str(o.reason) for o in measured.outcomes if o.source.endswith(name))


def _trajectories(ledger: Path) -> int:
    return len(Ledger(ledger).read("trajectories"))


def test_a_symlink_loop_costs_only_itself(runs: Path) -> None:
    (runs / "loop.jsonl").symlink_to("loop.jsonl")
    (runs / "there").symlink_to("back")
    (runs / "back").symlink_to("there")
    (runs / "self").symlink_to(runs)
    measured = _measure(runs)
    assert _states(measured) == {"loop.jsonl": "bad", "there": "bad", "back": "bad"}
    assert "symbolic links" in _reason(measured, "loop.jsonl")
    assert _trajectories(measured.ledger) == 2


def test_a_loop_among_the_paths_does_not_end_the_run(runs: Path) -> None:
    (runs / "loop.jsonl").symlink_to("loop.jsonl")
    (runs / "nowhere.jsonl").symlink_to("gone.jsonl")
    measured = _measure(runs / "good.jsonl", runs / "loop.jsonl", runs / "nowhere.jsonl")
    assert measured.counts == {"read": 1, "empty": 0, "skipped": 0, "bad": 2}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_pipes_sockets_and_devices_are_skipped_without_waiting(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(runs / "pipe.jsonl")
    (runs / "zero.jsonl").symlink_to("/dev/zero")
    monkeypatch.chdir(runs)  # The path of a socket has to be short.
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.jsonl")
        measured = _measure(runs)
    names = ("pipe.jsonl", "socket.jsonl", "zero.jsonl")
    assert _states(measured) == dict.fromkeys(names, "skipped")
    named = measure([runs / "good.jsonl", runs / "pipe.jsonl"], runs.parent / "named", ONE)
    assert named.counts == {"read": 1, "empty": 0, "skipped": 1, "bad": 0}


def test_a_folder_called_like_a_trace_is_a_folder(runs: Path) -> None:
    write_jsonl(runs / "x.jsonl" / "a.jsonl", [3])
    (runs / "empty.jsonl").mkdir()
    assert _measure(runs).counts == {"read": 2, "empty": 0, "skipped": 0, "bad": 0}
    assert _measure(runs / "x.jsonl").counts == {"read": 1, "empty": 0, "skipped": 0, "bad": 0}


def test_one_file_through_several_paths_is_counted_once(runs: Path) -> None:
    os.link(runs / "good.jsonl", runs / "hard.jsonl")
    (runs / "link.jsonl").symlink_to("good.jsonl")
    measured = _measure(runs, runs / "good.jsonl", runs)
    assert _states(measured) == {"hard.jsonl": "skipped", "link.jsonl": "skipped"}
    assert _reason(measured, "hard.jsonl") == "the same file as runs/good.jsonl"
    assert measured.files == 3
    assert _trajectories(measured.ledger) == 2


def test_names_that_differ_in_case_are_two_files(runs: Path) -> None:
    write_jsonl(runs / "GOOD.JSONL", [3])
    if len(list(runs.iterdir())) == 1:
        pytest.skip("this file system does not tell cases apart")
    assert _measure(runs).counts["read"] == 2


def _tool_span() -> dict[str, Any]:
    """A trace of a tool alone, which no model called."""
    name = {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}}
    span = {"traceId": "a" * 32, "spanId": "b" * 16, "name": "t", "attributes": [name]}
    return {"resource": {}, "scopeSpans": [{"spans": [span]}]}


@pytest.mark.daily
def test_files_that_yield_nothing_are_listed(runs: Path) -> None:
    (runs / "empty.jsonl").write_bytes(b"")
    (runs / "notes.md").write_text("hello")
    (runs / "tools.json").write_text(json.dumps({"resourceSpans": [_tool_span()]}))
    line = {"type": "summary", "summary": "a title", "leafUuid": "1"}
    (runs / "session.jsonl").write_text(f"{json.dumps(line)}\n" * 2)
    (runs / "cut.jsonl").write_text(json.dumps(chat(4))[:200])
    measured = _measure(runs)
    assert _states(measured) == {
        "empty.jsonl": "skipped",
        "notes.md": "skipped",
        "tools.json": "empty",
        "session.jsonl": "empty",
        "cut.jsonl": "skipped",
    }
    assert _reason(measured, "tools.json") == "no model answered in it"
    assert all(each.reason for each in measured.outcomes if each.state != "read")


def test_files_of_a_folder_that_is_skipped_are_counted(runs: Path) -> None:
    for number in range(3):
        write_jsonl(runs / ".git" / "deep" / f"{number}.jsonl", [number])
    measured = _measure(runs)
    assert measured.counts == {"read": 1, "empty": 0, "skipped": 3, "bad": 0}


def test_the_counts_are_printed_and_kept_and_add_up(agentdyno: Agentdyno, runs: Path) -> None:
    (runs / "empty.jsonl").write_bytes(b"")
    (runs / "loop.jsonl").symlink_to("loop.jsonl")
    write_jsonl(runs / ".hidden" / "a.jsonl", [1])
    assert agentdyno.measure(runs) == 0
    assert "1 file read, 2 skipped, 1 could not be read." in agentdyno.out
    assert "could not read runs/loop.jsonl:" in agentdyno.out
    assert agentdyno.measure(runs, "--json") == 0  # Nothing is new now; the counts are the same.
    found = agentdyno.object()
    counts = [found[f"files_{state}"] for state in ("read", "skipped", "bad")]
    assert (found["files"], counts) == (4, [1, 2, 1])
    assert {each["source"] for each in found["not_read"]} == {
        "runs/empty.jsonl", "runs/loop.jsonl", "runs/.hidden",
    }  # fmt: skip
    kept = Ledger(agentdyno.ledger).read("files")
    assert kept["files"].sum() == 4
    assert kept.filter(pl.col("state") == "read")["trajectories"].to_list() == [2]


def test_where_nothing_can_be_read_every_file_is_accounted_for(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text('{"answer": 42}')
    (tmp_path / "b.json").symlink_to("b.json")
    assert agentdyno.measure(tmp_path) == 2
    assert "2 files (1 skipped, 1 bad)" in agentdyno.err


def _zip(path: Path, members: dict[str, int], stored: bool = False) -> None:
    how = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, task in members.items():
            archive.writestr(name, json.dumps(chat(task)))


def test_names_that_no_disk_takes_cost_no_member(runs: Path) -> None:
    members = {
        "a" * 4000 + ".jsonl": 3,
        "/".join(["d" * 100] * 60) + "/b.jsonl": 4,
        "c.jsonl": 5,
        "c.jsonl/d.jsonl": 6,  # A file where the next member has a folder.
        "日" * 150 + ".jsonl": 7,
    }
    _zip(runs / "t.zip", members)
    assert _measure(runs).counts == {"read": 6, "empty": 0, "skipped": 0, "bad": 0}


def test_members_of_the_same_name_are_all_read(runs: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for task in range(3, 80):
            data = json.dumps(chat(task)).encode()
            info = tarfile.TarInfo("a.jsonl")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    (runs / "t.tar").write_bytes(out.getvalue())
    assert _measure(runs).counts["read"] == 78


def test_a_damaged_member_is_read_up_to_there_and_counted_once(runs: Path) -> None:
    lines = "".join(json.dumps(chat(task)) + "\n" for task in range(3, 300)).encode()
    (runs / "cut.jsonl.gz").write_bytes(gzip.compress(lines)[:-400])
    measured = _measure(runs)
    assert measured.counts == {"read": 2, "empty": 0, "skipped": 0, "bad": 0}
    assert "ends early" in _reason(measured, "cut.jsonl.gz")
    assert _trajectories(measured.ledger) > 3


def test_a_full_temporary_disk_costs_only_what_is_packed(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (runs / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps(chat(3)).encode()))
    _zip(runs / "t.zip", {"a.jsonl": 3, "b.jsonl": 4})

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packing.os, "utime", full)
    measured = _measure(runs)
    assert _states(measured) == {"a.jsonl.gz": "bad", "t.zip": "bad"}
    assert "No space left on device" in _reason(measured, "t.zip")


@pytest.mark.parametrize(
    "text",
    [rb"\ud800", rb"\udc00", rb"\ud83d\ud83d\ude00", b"\xed\xa0\x80", b"\xff\xfe\x80", b"\xc3"],
)
@pytest.mark.parametrize("lines", [1, 3])
def test_what_is_not_text_is_replaced_and_costs_no_record(
    runs: Path, text: bytes, lines: int
) -> None:
    line = json.dumps(chat(7)).encode().replace(b"done", b"a" + text + b"b") + b"\n"
    others = b"".join(json.dumps(chat(task)).encode() + b"\n" for task in range(8, 7 + lines))
    (runs / "a.jsonl").write_bytes(line + others)
    measured = _measure(runs)
    assert measured.counts == {"read": 2, "empty": 0, "skipped": 0, "bad": 0}
    assert _trajectories(measured.ledger) == 2 + lines
    (first, *_) = [*FORMAT.read(Source(runs / "a.jsonl", "a.jsonl"))]
    assert isinstance(first, Trajectory)
    answer = first.parts[len(first.parts) - 1].text
    assert (answer[0], answer[-1]) == ("a", "b")
    assert "\N{REPLACEMENT CHARACTER}" in answer
    assert not any("\ud800" <= sign <= "\udfff" for sign in answer)


def test_pairs_and_escaped_backslashes_are_left_alone(tmp_path: Path) -> None:
    said = r"\ud83d\ude00 \\ud83d \ud800"
    line = json.dumps(chat(7)).replace("done", said)
    (tmp_path / "a.jsonl").write_text(line)
    (found,) = FORMAT.read(Source(tmp_path / "a.jsonl", "a.jsonl"))
    assert isinstance(found, Trajectory)
    assert found.parts[len(found.parts) - 1].text == "\U0001f600 \\ud83d \ufffd"


def test_byte_order_marks_utf_16_and_nuls(runs: Path) -> None:
    line = json.dumps(chat(3))
    (runs / "bom.jsonl").write_bytes(b"\xef\xbb\xbf" + line.encode())
    (runs / "wide.jsonl").write_bytes(line.encode("utf-16"))
    (runs / "bare.jsonl").write_bytes(line.encode("utf-16-le"))
    (runs / "nul.jsonl").write_bytes(bytes(1000))
    measured = _measure(runs)
    assert _states(measured) == {"wide.jsonl": "bad", "bare.jsonl": "bad", "nul.jsonl": "skipped"}
    assert "UTF-16" in _reason(measured, "bare.jsonl")


@pytest.mark.parametrize("depth", [300, 900, 100_000])
def test_deep_nesting_costs_at_most_its_own_record(runs: Path, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    odd = chat(5)
    odd["messages"][1]["content"] = "HERE"
    lines = [json.dumps(chat(4)), json.dumps(odd).replace('"HERE"', deep), json.dumps(chat(6))]
    (runs / "a.jsonl").write_text("\n".join(lines))
    measured = _measure(runs)
    assert measured.counts["read"] == 2
    found = Ledger(measured.ledger)
    assert len(found.read("trajectories")) + len(found.read("bad_records")) == 2 + 3
    assert len(found.read("bad_records")) <= 1


def test_a_line_beyond_the_limit_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps(chat(1)).encode()
    with path.open("wb") as file:
        file.write(good + b"\n" + good + b'\n{"messages": "')
        for _ in range(128):
            file.write(b"a" * (1 << 20))
        file.write(b'"}\n' + good)
    source = Source(path, "a.jsonl", max_record_bytes=4 << 20)
    tracemalloc.start()
    kinds = [type(item) for item in FORMAT.read(source)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert kinds == [Trajectory, Trajectory, BadRecord, Trajectory]
    assert peak < 32 << 20


def test_a_file_that_is_deleted_or_refused_between_listing_and_reading_is_bad(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone.jsonl", "shut.jsonl", "late.jsonl"):
        write_jsonl(runs / name, [5])
    discover = input_plan.discover
    original = Path.open

    def find_and_delete(*given: Any) -> Any:
        found = list(discover(*given))
        (runs / "gone.jsonl").unlink()
        return iter(found)

    def refuse(path: Path, *rest: Any, **named: Any) -> Any:
        if path.name == "shut.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return original(path, *rest, **named)

    monkeypatch.setattr(input_plan, "discover", find_and_delete)
    monkeypatch.setattr(Path, "open", refuse)
    measured = _measure(runs)
    assert _states(measured) == {"gone.jsonl": "bad", "shut.jsonl": "bad"}
    assert _reason(measured, "shut.jsonl") == "Permission denied"
    assert measured.files == 4


def test_a_file_that_grows_while_it_is_read_is_read_as_it_was_found(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_jsonl(runs / "live.jsonl", range(10, 14))
    work = pipeline.do_job

    def grow_and_work(*given: Any) -> Any:
        with path.open("a") as file:
            file.write("".join(json.dumps(chat(task)) + "\n" for task in range(20, 40)))
        return work(*given)

    monkeypatch.setattr(pipeline, "do_job", grow_and_work)
    assert _trajectories(_measure(runs).ledger) == 2 + 4
    monkeypatch.undo()
    assert _trajectories(_measure(runs).ledger) == 2 + 24  # The next run sees that it changed.


def test_a_writer_beside_us_never_ends_the_run(runs: Path) -> None:
    path, done = runs / "live.jsonl", threading.Event()

    def write() -> None:
        rng = random.Random(3)
        while not done.is_set():
            path.write_text("".join(json.dumps(chat(t)) + "\n" for t in range(rng.randint(0, 30))))
            path.unlink()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for number in range(5):
            measured = measure([runs], runs.parent / f"ledger{number}", ONE)
            assert sum(measured.counts.values()) == len(measured.outcomes)
            assert "runs/good.jsonl" in {o.source for o in measured.outcomes if o.state == "read"}
    finally:
        done.set()
        thread.join()


FORMULAS = ("=cmd|'/c calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\uff1d1")


def test_no_text_of_a_csv_is_a_formula_and_numbers_stay(runs: Path, tmp_path: Path) -> None:
    write = [chat(number, task_id=text) for number, text in enumerate(FORMULAS)]
    (runs / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in write))
    ledger = _measure(runs).ledger
    export_table(ledger, "trajectories", tmp_path / "out.csv")
    export_table(ledger, "trajectories", tmp_path / "out.parquet")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    tasks = {row["task_id"] for row in rows}
    # Tabs and ends of lines are blanks in a cell.
    assert tasks >= {"'" + text.replace("\t", " ").replace("\r", " ") for text in FORMULAS}
    assert not any(value.startswith(("=", "+", "-", "@", "\t", "\r")) for value in tasks)
    exact = pl.read_parquet(tmp_path / "out.parquet")
    assert set(exact["task_id"]) >= set(FORMULAS)
    assert sorted(float(row["pte"]) for row in rows) == sorted(exact["pte"])
