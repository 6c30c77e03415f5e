"""What holds for every format: whose a file is, damage, cuts, and counts established by hand.

By hand means with small scripts over the raw JSON that know nothing of our readers.
"""

from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.intake.format import load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import detected, read_as
from tests.intake.mutations import assert_survives, damaged
from tests.labelled import DATA, from_set, read_set

FORMATS = load_formats()
FOLDERS = {"openclaw": "pi"}
"""Where a format's samples are, if not in the folder of its name."""
REAL_FOLDERS = {"openai_responses": "api_log", "proxy": "api_log"}
TWO_APIS = "test_multiple_agent_tool_calls.jsonl"
"""Calls of Gemini and of OpenAI in one file."""
GENERAL = {"openai_chat", "anthropic_messages"}
"""Formats that see their own messages inside of files of others, less surely than the others."""
REAL = read_set("real_counts")


def folder_of(format: str) -> Path:
    return DATA / FOLDERS.get(format, format)


@cache
def own_files(format: str) -> list[Path]:
    """The samples of a format, without what only stands beside them."""
    files = sorted(path for path in folder_of(format).rglob("*") if path.name != "README.md")
    return [path for path in files if path.is_file() and detected(path) == format]


def claimants(path: Path) -> set[str]:
    """The formats that may read the file."""
    head = Head(path)
    return {name for name, format in FORMATS.items() if format.detect(head)}


@pytest.mark.parametrize("format", FORMATS)
def test_only_its_own_format_knows_a_file(format: str) -> None:
    assert own_files(format), f"expected a sample in {folder_of(format)}"
    for path in own_files(format):
        assert claimants(path) - {format} <= GENERAL, path


@pytest.mark.daily
def test_real_files_are_known_by_the_format_of_their_folder_alone(real_traces: Path) -> None:
    for path in (path for path in real_traces.rglob("*") if path.is_file()):
        folder = path.relative_to(real_traces).parts[0]
        owner = "api_log" if path.name == TWO_APIS else REAL_FOLDERS.get(folder, folder)
        assert detected(path) in (owner, None), path
        assert claimants(path) - {owner} <= {"openai_chat"}, path


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(copytree(DATA, tmp_path_factory.mktemp("damaged") / "data"))


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=12)  # `make fuzz` draws thousands.
@given(draw=st.data())
def test_damage_of_a_file_or_of_what_stands_beside_it_is_survived(
    copies: Path, format: str, draw: st.DataObject
) -> None:
    read = draw.draw(st.sampled_from(own_files(format)))
    beside = [path for path in sorted(read.parent.rglob("*.json")) if path != read]
    spoiled = draw.draw(st.sampled_from([read, read, *beside]))
    target = copies / spoiled.relative_to(DATA)
    target.write_bytes(draw.draw(damaged([spoiled.read_bytes()])))
    FORMATS[format].detect(Head(target))
    assert_survives(FORMATS[format], copies / read.relative_to(DATA))
    target.write_bytes(spoiled.read_bytes())


@from_set("intake/formats/every_format", "format", "name", "mark", "turns")
def test_a_cut_file_keeps_what_came_before(
    tmp_path: Path, format: str, name: str, mark: str | int, turns: list[int]
) -> None:
    data = (folder_of(format) / name).read_bytes()
    path = tmp_path / Path(name).name
    path.write_bytes(data[: data.index(mark.encode()) if isinstance(mark, str) else mark])
    runs, problems = read_as(format, path)
    assert [len(run.turns) for run in runs] == turns
    assert problems


def _counted(path: Path, format: str) -> dict[str, Any]:
    items = list(FORMATS[format].read(Source(path, path.name)))
    runs = [item for item in items if isinstance(item, Trajectory)]
    main = [run for run in runs if run.parent_id is None]
    turns = [turn for run in runs for turn in run.turns]
    calls = [call for run in runs for call in run.calls]
    return {
        "trajectories": len(runs),
        "bad": sum(isinstance(item, BadRecord) for item in items),
        "turns": len(turns),
        "calls": len(calls),
        "failed": sum(call.error is not None for call in calls),
        "prefill": sum(turn.prefill.tokens for turn in turns if turn.prefill),
        "decode": sum(turn.decode.tokens for turn in turns if turn.decode),
        "solved": sum(run.correct is True for run in runs),
        "turns_and_calls_of_each": [[len(run.turns), len(run.calls)] for run in runs],
        "main_turns": sum(len(run.turns) for run in main),
        "main_calls": sum(len(run.calls) for run in main),
        "main_answered": sum(call.result is not None for run in main for call in run.calls),
        "main_prefill": sum(t.prefill.tokens for run in main for t in run.turns if t.prefill),
    }


@pytest.mark.parametrize("row", REAL, ids=lambda row: row["file"])
def test_real_files_hold_what_was_counted_by_hand(real_traces: Path, row: dict[str, Any]) -> None:
    expected = {name: value for name, value in row.items() if name not in ("file", "format")}
    found = _counted(real_traces / row["file"], row["format"])
    assert {name: found[name] for name in expected} == expected


@pytest.mark.daily
def test_every_real_file_of_these_formats_was_counted(real_traces: Path) -> None:
    counted = {row["file"] for row in REAL}
    for folder in {name.partition("/")[0] for name in counted}:
        files = {path for path in (real_traces / folder).rglob("*") if path.is_file()}
        mine = {path.relative_to(real_traces).as_posix() for path in files if detected(path)}
        assert mine == {name for name in counted if name.startswith(f"{folder}/")}
