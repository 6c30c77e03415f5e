"""Harnesses, benchmarks and agents that keep a run in files of its own."""

import json
from pathlib import Path

import pytest

from tests.intake.formats.conformance import (
    detected,
    read_as,
)
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data"


@from_set("intake/formats/harnesses", "format", "name", "outcomes")
def test_the_outcome_comes_from_where_the_harness_puts_it(
    format: str, name: str, outcomes: list[bool | None]
) -> None:
    runs, _ = read_as(format, DATA / name)
    assert [run.correct for run in runs] == outcomes


@pytest.mark.daily
def test_a_chat_that_vs_code_exported_is_read_without_its_id(tmp_path: Path) -> None:
    [sample] = DATA.glob("copilot_vscode/chatSessions/*.json")
    session = json.loads(sample.read_text())
    kept = read_as("copilot_vscode", sample)[0][0]
    for name in ("sessionId", "version", "creationDate"):
        session.pop(name, None)
    (tmp_path / "chat.json").write_text(json.dumps(session, indent=2))
    assert detected(tmp_path / "chat.json") == "copilot_vscode"
    [run], problems = read_as("copilot_vscode", tmp_path / "chat.json")
    assert problems == []
    assert [part.text for part in run.parts] == [part.text for part in kept.parts]
