"""Answers in a box without the asked tag, from a benchmark's log to every form of the report."""

import json
from pathlib import Path

import pytest

from tests.cli.run import Agentdyno
from tests.intake.formats.inspect_logs import (
    assistant,
    model_event,
    read_one,
    sample,
    user,
    write_json,
)

MARKS = [
    (1.0, "math-verify"),
    (0.0, "math-verify"),
    (0.0, "box, right inside"),
    (0.0, "box, right inside"),
    (0.0, "box, wrong inside"),
    (0.0, "box, ungraded inside"),
]
SAID = (
    "4 answers stand in a box and not between the asked tags, of 6 attempts in these settings; 2 "
    "would have been right."
)


@pytest.fixture
def agentdyno(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    return Agentdyno(capsys, tmp_path / "ledger")


@pytest.fixture
def ledger(tmp_path: Path, agentdyno: Agentdyno) -> Path:
    samples = [
        sample(
            model_event([user(f"Q{number}")], assistant("A")),
            id=number,
            scores={"answer": {"value": value, "metadata": {"graded_by": by}}},
        )
        for number, (value, by) in enumerate(MARKS)
    ]
    write_json(tmp_path, *samples)
    assert agentdyno.measure(tmp_path / "log.json") == 0
    return tmp_path / "ledger"


def test_how_a_mark_was_decided_is_read(tmp_path: Path) -> None:
    event = model_event([user("Q")], assistant("A"))
    scores = {"answer": {"value": 0.0, "metadata": {"graded_by": "box, wrong inside"}}}
    found = read_one(write_json(tmp_path, sample(event, scores=scores)))
    assert (found.correct, found.graded_by) == (False, "box, wrong inside")


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_every_form_of_the_report_tells_them_apart(
    ledger: Path, form: str, agentdyno: Agentdyno
) -> None:
    out = ledger.parent / f"report.{form}"
    assert agentdyno.run("report", ledger, "-o", out, "--format", form) == 0
    text = out.read_text()
    if form == "json":
        (row,) = json.loads(text)["results"]["boxes"]
        assert [row[k] for k in ("attempts", "solved", "right", "wrong", "ungraded")] == [
            6, 1, 2, 1, 1,
        ]  # fmt: skip
    else:
        assert SAID in " ".join(text.split())


def test_a_ledger_without_boxes_says_nothing_of_them(tmp_path: Path, agentdyno: Agentdyno) -> None:
    event = model_event([user("Q")], assistant("A"))
    scores = {"answer": {"value": 1.0, "metadata": {"graded_by": "math-verify"}}}
    write_json(tmp_path, sample(event, scores=scores))
    assert agentdyno.measure(tmp_path / "log.json") == 0
    out = tmp_path / "report.md"
    assert agentdyno.run("report", agentdyno.ledger, "-o", out, "--format", "md") == 0
    assert "asked tag" not in out.read_text()
