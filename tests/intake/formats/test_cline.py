"""Cline, Roo Code and Kilo Code: tasks and sessions, against plain sums over their rows."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.formats.cline.tool_texts import split_calls
from tests.intake.formats.conformance import (
    Counts,
    add_up,
    context,
    detected,
    ledger_counts,
    read_as,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "cline"
TASK = DATA / "1790000000000"


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "ui_messages.json").read_text())


def sums_of(folder: Path) -> list[dict[str, Any]]:
    """What each row says that calls cost; those that failed say nothing."""
    found = []
    for row in rows_of(folder):
        if row.get("say") in ("api_req_started", "deleted_api_reqs"):
            told = json.loads(row["text"])
            found += [told] if not told.get("cancelReason") else []
        elif row.get("say") == "condense_context":
            found.append({"cost": row["contextCondense"]["cost"]})
    return found


NAMES = {
    "cached": "cacheReads",
    "written": "cacheWrites",
    "output": "tokensOut",
    "usd": "cost",
}


def count(folder: Path, holds_cached: bool, **more: int) -> Counts:
    whole = "tokensIn" if holds_cached else "tokensIn cacheReads cacheWrites"
    return add_up(sums_of(folder), NAMES | {"context": whole}).plus(**more)


@pytest.mark.parametrize(
    ("folder", "holds_cached", "calls", "errors", "beside", "retries"),
    [
        # Failed: the tool that was not run, the test, the edit. Beside the task: deleted calls.
        (TASK, False, 5, 3, 1, 2),
        (DATA / "roo", True, 1, 0, 1, 0),
        (DATA / "xml", False, 1, 0, 0, 0),
    ],
)
def test_every_call_of_a_task_counts_once(
    tmp_path: Path, folder: Path, holds_cached: bool, calls: int, errors: int, beside: int,
    retries: int,
) -> None:  # fmt: skip
    truth = count(
        folder, holds_cached, calls=calls, errors=errors, sub_agents=beside, retries=retries
    )
    assert truth.responses >= 3
    assert ledger_counts([folder], tmp_path) == truth


def test_a_session_of_the_cli_counts_cached_tokens_in_its_input(tmp_path: Path) -> None:
    answers = [m["metrics"] for m in _session()["messages"] if "metrics" in m]
    names = {
        "context": "inputTokens",
        "cached": "cacheReadTokens",
        "written": "cacheWriteTokens",
        "output": "outputTokens",
        "usd": "cost",
    }
    truth = add_up(answers, names).plus(calls=1, errors=1)
    assert ledger_counts([DATA / "session.messages.json"], tmp_path) == truth
    [run], _ = read_as("cline", DATA / "session.messages.json")
    assert context(run, 0) == ["You are Cline.", "Fix the icon.", "<Icon/>"]


def _session() -> dict[str, Any]:
    return json.loads((DATA / "session.messages.json").read_text())


def test_a_task_that_was_copied_later_counts_once(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    rows = rows_of(TASK)[:7]
    (copy / "ui_messages.json").write_text(json.dumps(rows))
    both = ledger_counts([TASK, copy], tmp_path)
    assert both.responses == count(TASK, False).responses


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
