"""Goose: its database and older files, against plain sums over their rows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.intake.formats.conformance import Counts, detected, ledger_counts
from tests.intake.formats.sqlite_files import rows_in, written_database

DATA = Path(__file__).resolve().parents[2] / "data" / "goose"
ROWS = rows_in(DATA / "rows.jsonl")
OLD = DATA / "20250301_1.jsonl"


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "sessions.db"
    with written_database(file, ROWS):
        yield file


def count(talks: list[list[tuple[str, Any]]]) -> dict[str, int]:
    """Responses, calls and failed ones: answers that follow each other are one."""
    responses, blocks = 0, []
    for talk in talks:
        before = None
        for role, content in talk:
            responses += role == "assistant" and before != "assistant"
            before = role
            blocks += content
    failed = [b["toolResult"] for b in blocks if b["type"] == "toolResponse"]
    errors = [f for f in failed if f["status"] == "error" or _is_error(f["value"])]
    calls = [b for b in blocks if b["type"] == "toolRequest"]
    return {"responses": responses, "calls": len(calls), "errors": len(errors)}


def _is_error(value: Any) -> bool:
    return isinstance(value, dict) and bool(value.get("isError"))


def test_the_ledger_and_the_totals_of_goose_are_those_of_ours(path: Path, tmp_path: Path) -> None:
    assert detected(path) == "goose"
    talks: dict[str, list[tuple[str, Any]]] = {}
    for row in (item["row"] for item in ROWS if item["table"] == "messages"):
        talk = talks.setdefault(row["session_id"], [])
        talk.append((row["role"], json.loads(row["content_json"])))
    used = [item["row"] for item in ROWS if item["table"] == "usage_ledger"]
    sums = [item["row"] for item in ROWS if item["table"] == "sessions"]
    plain = count(list(talks.values()))
    truth = Counts(
        responses=plain["responses"] + 1,  # The call that wrote the summary.
        context=sum(row["input_tokens"] for row in used)
        + sum(row["accumulated_input_tokens"] or 0 for row in sums),
        cached=sum(row["cache_read_tokens"] for row in used),
        written=sum(row["cache_write_tokens"] for row in used),
        output=sum(row["output_tokens"] for row in used)
        + sum(row["accumulated_output_tokens"] or 0 for row in sums),
        calls=plain["calls"],
        errors=plain["errors"],
        sub_agents=1,
        usd=round(sum(row["cost"] for row in used), 9),
    )
    assert truth.responses == 7
    assert ledger_counts([path], tmp_path) == truth


def test_a_file_of_an_older_version_has_its_totals(tmp_path: Path) -> None:
    assert detected(OLD) == "goose"
    first, *talk = [json.loads(line) for line in OLD.read_text().splitlines()]
    plain = count([[(line["role"], line["content"]) for line in talk]])
    assert ledger_counts([OLD], tmp_path) == Counts(
        **plain,
        context=first["accumulated_input_tokens"],
        output=first["accumulated_output_tokens"],
    )
