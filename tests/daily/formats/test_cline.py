"""Cline, Roo Code and Kilo Code: tasks and sessions."""

import json
from pathlib import Path
from typing import Any

from agentdyno_daily.formats.cline.tool_texts import split_calls
from tests.intake.formats.conformance import (
    context,
    detected,
    ledger_counts,
    read_as,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "cline"
TASK = DATA / "1790000000000"


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "ui_messages.json").read_text())


def test_the_session_of_the_cli_begins_with_its_system_prompt() -> None:
    [run], _ = read_as("cline", DATA / "session.messages.json")
    assert context(run, 0) == ["You are Cline.", "Fix the icon.", "<Icon/>"]


def test_a_task_that_was_copied_later_counts_once(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    rows = rows_of(TASK)[:7]
    (copy / "ui_messages.json").write_text(json.dumps(rows))
    both = ledger_counts([TASK, copy], tmp_path)
    assert both.responses == 5


def test_a_history_is_read_with_its_rows_and_without_them_where_they_are_gone(
    tmp_path: Path,
) -> None:
    name = "api_conversation_history.json"
    assert detected(TASK / name) == detected(TASK / "ui_messages.json") == "cline"
    messages = json.loads((TASK / name).read_text())
    messages[1]["metrics"] = {"tokens": {"prompt": 10, "completion": 120, "cached": 9000}}
    (tmp_path / name).write_text(json.dumps(messages))
    found = ledger_counts([tmp_path / name], tmp_path)
    assert (found.responses, found.context, found.output) == (4, 9010, 120)
    assert (found.calls, found.errors) == (5, 3)


def test_calls_in_tags_are_calls() -> None:
    text = "I read it.\n<read_file>\n<path>a.py</path>\n</read_file>"
    assert list(split_calls(text)) == [(None, "I read it."), ("read_file", '{"path":"a.py"}')]
