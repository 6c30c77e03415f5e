"""Hermes: its database and exports, against plain sums over their rows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.intake.formats.conformance import Counts, detected, ledger_counts
from tests.intake.formats.sqlite_files import rows_in, written_database

DATA = Path(__file__).resolve().parents[2] / "data" / "hermes"
ROWS = rows_in(DATA / "rows.jsonl")


def table(name: str) -> list[dict[str, Any]]:
    return [item["row"] for item in ROWS if item["table"] == name]


def is_answer(row: dict[str, Any]) -> bool:
    """Whether a model gave it in its own session; a branch begins with older rows."""
    began = {session["id"]: session["started_at"] for session in table("sessions")}
    return row["role"] == "assistant" and row["timestamp"] >= began[row["session_id"]]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "state.db"
    with written_database(file, ROWS):
        yield file


def test_totals_of_the_sessions_are_those_of_the_ledger(path: Path, tmp_path: Path) -> None:
    assert detected(path) == "hermes"
    beside = [row for row in table("session_model_usage") if row["task"]]
    used, answers = table("sessions") + beside, [r for r in table("messages") if is_answer(r)]

    def total(*names: str) -> int:
        return sum(row[name] for row in used for name in names)

    failed = [row for row in table("messages") if '"exit_code": 1' in (row["content"] or "")]
    assert ledger_counts([path], tmp_path) == Counts(
        responses=len(answers) + len(beside),
        context=total("input_tokens", "cache_read_tokens", "cache_write_tokens"),
        cached=total("cache_read_tokens"),
        written=total("cache_write_tokens"),
        output=total("output_tokens"),
        reasoning=total("reasoning_tokens"),
        calls=sum(len(json.loads(row["tool_calls"] or "[]")) for row in answers),
        errors=len(failed),
        sub_agents=2,  # The helper, and the calls for a title and a summary.
        usd=round(sum(row["estimated_cost_usd"] or 0 for row in used), 9),
    )


def test_samples_of_exports_have_the_calls_that_they_hold(
    real_traces: Path, tmp_path: Path
) -> None:
    paths = sorted((real_traces / "hermes").glob("*.json"))
    assert {detected(path) for path in paths} == {"hermes"}
    documents = [json.loads(path.read_text()) for path in paths]
    rows = [r for d in documents for r in (d["messages"] if isinstance(d, dict) else d)]
    answers = [row for row in rows if row["role"] == "assistant"]
    calls = [row["tool_calls"] for row in answers if row.get("tool_calls")]
    made = sum(len(json.loads(each) if isinstance(each, str) else each) for each in calls)
    found = ledger_counts(paths, tmp_path)
    assert (found.responses, found.calls) == (len(answers), made)


def test_an_exported_session_counts_once_beside_the_database(path: Path, tmp_path: Path) -> None:
    export = DATA / "export.jsonl"
    assert detected(export) == "hermes"
    assert ledger_counts([path, export], tmp_path) == ledger_counts([path], tmp_path / "alone")
