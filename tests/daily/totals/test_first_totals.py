"""First totals say what a ledger of the same files says, response by response."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from agentdyno.intake.discover import Found
from agentdyno.intake.format import load_formats
from agentdyno.intake.source import Source
from agentdyno.intake.totals import Response, list_responses
from agentdyno.pipelines import measure as pipeline
from agentdyno.pipelines.input_plan import Plan
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.records import Trajectory
from agentdyno_daily.totals.check_totals import compare_scan
from agentdyno_daily.totals.first_totals import Scan, scan
from tests.intake.formats.conformance import detected, json_lines
from tests.intake.formats.test_every_format import folder_of, own_files
from tests.intake.mutations import damaged

FORMATS = load_formats()
SCANNED = [name for name, format in FORMATS.items() if format.totals is not None]
USAGE = {"input_tokens": 10, "cache_read_input_tokens": 1000, "output_tokens": 200}


def measured(folder: Path, ledger: Path) -> Path:
    return measure([folder], ledger, MeasureOptions(costs_only=True, workers=1)).ledger


def assert_same(found: Scan, ledger: Path) -> None:
    assert compare_scan(found, ledger) == []


@pytest.mark.parametrize("format", FORMATS)
def test_a_scan_agrees_with_the_ledger_of_every_sample(format: str, tmp_path: Path) -> None:
    ledger = measured(folder_of(format), tmp_path / "ledger")
    complete = scan([folder_of(format)], complete=True)
    assert complete.total().responses
    assert not complete.waiting
    assert_same(complete, ledger)
    assert_same(scan([folder_of(format)]), ledger)


@pytest.mark.slow
def test_a_scan_agrees_with_the_ledger_of_real_traces(real_traces: Path, tmp_path: Path) -> None:
    for folder in (*real_traces.iterdir(), real_traces.parent / "claude_code_corpus"):
        # Some folders are of agents whose readers are gone.
        if any(detected(path) for path in folder.rglob("*") if path.is_file()):
            ledger = measured(folder, tmp_path / folder.name)
            assert_same(scan([folder], complete=True), ledger)
            assert_same(scan([folder]), ledger)


def test_sessions_are_scanned_and_not_left_to_the_reader() -> None:
    """A scan that understands nothing would agree with everything."""
    for format in SCANNED:
        found = scan([folder_of(format)])
        assert found.total().responses, format


def known_of(responses: list[Response]) -> list[object]:
    """What a scan says of responses."""
    left_out = ("talk", "started_at", "usd")
    fields = [field for field in Response.__struct_fields__ if field not in left_out]
    return [
        (each.talk.trajectory_id, each.talk.model, *(getattr(each, name) for name in fields))
        for each in responses
    ]


@pytest.mark.parametrize("format", SCANNED)
@given(data=st.data())
def test_a_damaged_file_is_scanned_as_it_is_read_or_not_at_all(
    format: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = data.draw(st.sampled_from(own_files(format)))
    copy = tmp_path_factory.mktemp("damaged") / path.name
    copy.write_bytes(data.draw(damaged([path.read_bytes()])))
    source = Source(copy, copy.name, 0, copy.stat().st_size)
    totals = FORMATS[format].totals
    assert totals is not None
    if (responses := totals(source)) is not None:
        read = [one for one in FORMATS[format].read(source) if isinstance(one, Trajectory)]
        assert known_of(responses) == known_of([r for o in read for r in list_responses(o, False)])


# Claude Code --------------------------------------------------------------------------------------


def line(number: int, kind: str = "assistant", **fields: object) -> dict[str, object]:
    """A line of a session; an answer of 10 fresh, 1,000 read and 200 generated tokens."""
    message = {
        "id": f"msg_01Ab{number}Cd{number}Ef2345", "role": "assistant", "stop_reason": "end_turn",
        "model": "claude-sonnet-4-5", "content": [{"type": "text", "text": "done"}],
        "usage": USAGE,
    }  # fmt: skip
    asked = {"role": "user", "content": "Go on."}
    return {
        "parentUuid": f"u{number - 1}" if number else None, "uuid": f"u{number}", "type": kind,
        "sessionId": "s1", "cwd": "/home/a/project", "timestamp": f"2026-03-01T10:00:{number:02}Z",
        "isSidechain": False, "message": message if kind == "assistant" else asked, **fields,
    }  # fmt: skip


def test_fast_mode_and_web_searches_cost_what_is_charged(tmp_path: Path) -> None:
    answer = line(1)
    usage = {**USAGE, "speed": "fast", "server_tool_use": {"web_search_requests": 3}}
    answer["message"] = {**answer["message"], "model": "claude-opus-4-6", "usage": usage}  # type: ignore[dict-item]
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), answer)
    found = scan([tmp_path / "a"])
    # Six times $5, $0.50 and $25 a million, and three cents.
    assert found.total().usd == pytest.approx(6 * (0.00005 + 0.0005 + 0.005) + 0.03)
    assert_same(found, measured(tmp_path / "a", tmp_path / "ledger"))


def write(path: Path, *lines: dict[str, object], spaced: bool = False) -> Path:
    marks = None if spaced else (",", ":")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one, separators=marks) + "\n" for one in lines))
    return path


def test_a_response_costs_what_its_tokens_cost(tmp_path: Path) -> None:
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1))
    found = scan([tmp_path / "a"]).total()
    # 10 at $3, 1,000 at $0.30 and 200 at $15 a million.
    assert found.usd == pytest.approx(0.00003 + 0.0003 + 0.003)
    assert (found.responses, found.fresh, found.cache_read, found.output) == (1, 10, 1000, 200)


def test_a_copy_in_another_file_and_another_format_counts_once(tmp_path: Path) -> None:
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1), line(2))
    write(tmp_path / "a" / "resumed.jsonl", line(0, "user"), line(1))
    stream = {
        "type": "assistant", "session_id": "s1", "uuid": "x1", "parent_tool_use_id": None,
        "message": line(1)["message"],
    }  # fmt: skip
    write(tmp_path / "a" / "stream.jsonl", stream)
    found = scan([tmp_path / "a"], complete=True)
    assert (found.total().responses, len(found.every)) == (2, 4)
    assert_same(found, measured(tmp_path / "a", tmp_path / "ledger"))


def test_what_a_scan_does_not_understand_is_left_to_the_reader(tmp_path: Path) -> None:
    uncounted = line(1)
    uncounted["message"] = {"role": "assistant", "model": "m", "content": "no usage"}
    folder = tmp_path / "a"
    write(folder / "uncounted.jsonl", line(0, "user"), uncounted, line(2))
    write(folder / "two.jsonl", line(0, "user"), line(1), line(3, sessionId="s2", parentUuid=None))
    write(folder / "side.jsonl", line(0, "user"), line(4, isSidechain=True))
    found = scan([folder])
    assert [(each.format, each.files) for each in found.waiting] == [("claude_code", 3)]
    assert found.total().responses == 0
    complete = scan([folder], complete=True)
    assert not complete.waiting
    assert_same(complete, measured(folder, tmp_path / "ledger"))


READINGS = [
    case
    for case in json_lines(Path(__file__).parents[2] / "data" / "readings" / "claude_code.jsonl")
    if all("lines" in file for file in case.get("files", {"": ""}).values())
]


@pytest.mark.parametrize("case", READINGS, ids=lambda case: case["why"])
def test_a_scan_agrees_with_the_ledger_of_every_case(case: dict[str, Any], tmp_path: Path) -> None:
    for name, file in case["files"].items():
        write(tmp_path / "a" / name, *file["lines"])
    assert_same(scan([tmp_path / "a"]), measured(tmp_path / "a", tmp_path / "ledger"))


def test_spaces_in_json_change_nothing(tmp_path: Path) -> None:
    asked = line(0, "user", timestamp="2026-03-01T23:59:58Z")
    answered = line(1, timestamp="2026-03-02T00:00:04Z")
    write(tmp_path / "a" / "s1.jsonl", asked, answered, spaced=True)
    found = scan([tmp_path / "a"])
    assert found.total().responses == 1
    assert_same(found, measured(tmp_path / "a", tmp_path / "ledger"))


def test_an_answer_after_midnight_counts_on_the_day_of_its_prompt(tmp_path: Path) -> None:
    asked = line(0, "user", timestamp="2026-03-01T23:59:58Z")
    answered = line(1, timestamp="2026-03-02T00:00:04Z")
    write(tmp_path / "a" / "s1.jsonl", asked, answered)
    found = scan([tmp_path / "a"])
    assert [each.name for each in found.by("day")] == ["2026-03-01"]
    assert_same(found, measured(tmp_path / "a", tmp_path / "ledger"))


def test_a_line_that_is_being_written_waits(tmp_path: Path) -> None:
    path = write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1), line(2))
    path.write_bytes(path.read_bytes()[:-40])
    assert scan([tmp_path / "a"]).total().responses == 1


def test_an_answer_written_as_letters_is_left_to_the_reader(tmp_path: Path) -> None:
    """A client that was handed a stream wrote it down as an object of the stream's letters."""
    counts = {"input_tokens": 10, "cache_creation_input_tokens": 8000, "output_tokens": 400}
    head = {"id": "msg_01LtQ8vNw4Jr7XcPz2Yb6KdHe", "model": "claude-sonnet-4-5", "usage": {}}
    events = (
        {"type": "message_start", "message": head},
        {"type": "message_delta", "usage": counts, "delta": {"stop_reason": "end_turn"}},
    )
    stream = "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events)
    letters = {str(place): letter for place, letter in enumerate(stream)} | {"content": []}
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1) | {"message": letters}, line(2))
    assert [(each.format, each.files) for each in scan([tmp_path / "a"]).waiting] == [
        ("claude_code", 1)
    ]
    found = scan([tmp_path / "a"], complete=True)
    assert (found.total().cache_write, found.total().output) == (8000, 600)
    assert_same(found, measured(tmp_path / "a", tmp_path / "ledger"))


def test_only_files_that_were_written_since_then_are_scanned(tmp_path: Path) -> None:
    old = write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1), line(30))
    write(tmp_path / "a" / "s2.jsonl", line(0, "user", sessionId="s2"), line(2, sessionId="s2"))
    os.utime(old, (1e9, 1e9))
    assert scan([tmp_path / "a"], since=1e9 + 1).total().responses == 1


def test_files_in_which_nothing_counts_are_read_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1))
    write(tmp_path / "a" / "s2.jsonl", line(0, "user"), line(1), line(2))
    found = scan([tmp_path / "a"])
    assert found.idle == {"a/s1.jsonl"}
    read: list[str] = []
    plan = pipeline.plan_inputs

    def note(files: list[Found], *rest: Any) -> Plan:
        read.extend(each.name for each in files)
        return plan(files, *rest)

    monkeypatch.setattr(pipeline, "plan_inputs", note)
    options = MeasureOptions(workers=1, costs_only=True)
    pipeline.measure_costs_first([tmp_path / "a"], tmp_path / "l", options, last=found.idle)
    assert read == ["a/s2.jsonl", "a/s1.jsonl"]


def test_a_difference_is_named_with_its_file_and_response(tmp_path: Path) -> None:
    write(tmp_path / "a" / "s1.jsonl", line(0, "user"), line(1), line(2))
    ledger = measured(tmp_path / "a", tmp_path / "ledger")
    found = scan([tmp_path / "a"])
    first, second = found.responses
    wrong = structs.replace(found, responses=[structs.replace(first, output=201)])
    named = [(each.source, each.identity, each.field) for each in compare_scan(wrong, ledger)]
    assert named == [
        ("a/s1.jsonl", first.identity, "decode_tokens"),
        ("a/s1.jsonl", second.identity, "response"),
    ]


def test_a_scan_loads_no_library_for_tables() -> None:
    """Loading them takes as long as scanning a hundred megabytes."""
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from agentdyno_daily.cli.first_totals import describe, scan\n"
        "found = scan([Path(sys.argv[1])])\n"
        "assert found.total().estimated\n"
        "assert list(describe(found))\n"
        "print(*{'numpy', 'polars'} & sys.modules.keys())"
    )
    words = [sys.executable, "-c", code, str(folder_of("claude_code"))]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == ""
