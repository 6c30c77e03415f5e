"""Whether a change worked: sessions of a kind before it against those after it."""

from pathlib import Path

import pytest

from agentdyno.pipelines.report import prove
from agentdyno.reports.topics.proof import render_proof
from tests.labelled import from_set
from tests.pipelines.ledger_builder import LedgerRows

CHANGE = 1_000_000.0


def _ledger(folder: Path, factors: list[float], others: int = 0) -> Path:
    """A session of 100, 110, 120 … before the change in each project, one of a factor after it."""
    rows = LedgerRows()
    for number, factor in enumerate(factors):
        for side, at, pte in (("a", -10.0, 1.0), ("b", 10.0, factor)):
            name, cost = f"{side}{number}", pte * (100.0 + 10 * number)
            rows.trajectory(name, cost, project=f"p{number}", session_id=name)
            rows.turn(name, 0, cost, started_at=CHANGE + at).part(name, "user", cost)
    for number in range(others):
        rows.trajectory(f"o{number}", 5000.0, project="elsewhere", session_id=f"o{number}")
        rows.turn(f"o{number}", 0, 5000.0, started_at=CHANGE + 10)
    return rows.write(folder)


@from_set("studies/proof", "factors", "outcome")
def test_the_interval_decides(tmp_path: Path, factors: list[float], outcome: str) -> None:
    found = prove(_ledger(tmp_path / "l", factors), CHANGE)
    assert (found.outcome, found.groups) == (outcome, len(factors))


def test_sessions_without_a_counterpart_are_left_out_and_counted(tmp_path: Path) -> None:
    found = prove(_ledger(tmp_path / "l", [0.5, 0.48, 0.52, 0.5] * 2, others=3), CHANGE)
    assert (found.before, found.after, found.unmatched) == (8, 11, 3)
    assert found.ratio.value == pytest.approx(0.5, abs=0.01)
    assert render_proof(found).lead.startswith("It worked: -")
