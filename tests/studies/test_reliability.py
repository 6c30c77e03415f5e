"""Repeated attempts and energy, worked by hand."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.energy import study_energy
from agentdyno.studies.reliability import pass_power, study_reliability
from agentdyno.studies.report_context import ReportContext
from tests.studies.whatif.traces import chat, ledger_of, turn


def test_pass_power_is_the_share_of_draws_that_are_all_solved() -> None:
    assert [pass_power(4, 3, k) for k in (1, 2, 3, 4)] == [3 / 4, 1 / 2, 1 / 4, 0]


def test_repeated_attempts_of_two_tasks(tmp_path: Path) -> None:
    """Task a is solved in 2 of 2 attempts, task b in 1 of 2: pass^1 = 3/4, pass^2 = 1/2."""
    attempts = [
        {**chat(turn("Red. " * words)), "task_id": task, "correct": correct, "attempt": number}
        for number, (task, correct, words) in enumerate(
            [("a", True, 10), ("a", True, 11), ("b", True, 12), ("b", False, 13)]
        )
    ]
    alone = {**chat(turn("Red.")), "task_id": "c", "correct": True}
    context = ReportContext(ReadableLedger(ledger_of(tmp_path / "x", [*attempts, alone])))
    found = study_reliability(context)
    assert found is not None
    [row] = found.settings
    assert (row.tasks, row.attempts) == (2, 4)
    assert {k: each.value for k, each in row.pass_all.items()} == {1: 0.75, 2: 0.5}
    costs = context.frames.trajectories.filter(task_id="a")["cost"].to_list()
    rest = context.frames.trajectories.filter(task_id="b")["cost"].to_list()
    assert row.cost_per_solved.value == pytest.approx(sum(costs + rest) / 3)
    assert row.widest == pytest.approx(max(max(costs) / min(costs), max(rest) / min(rest)))


def test_energy_follows_what_the_card_does_and_carbon_what_the_grid_says(tmp_path: Path) -> None:
    folder = ledger_of(tmp_path / "x", [{**chat(turn("Red. " * 40)), "model": "qwen3-32b"}])
    context = ReportContext(ReadableLedger(folder), grid_grams_per_kwh=400.0)
    found = study_energy(context)
    assert found is not None
    assert (found.hardware, found.trajectories) == ("h100-pcie", 1)
    turns = context.frames.turns
    prefill, decode, idle = (
        turns.select(pl.sum_horizontal(f"gpu_seconds_{c}" for c in causes).sum()).item()
        for causes in (["prefill"], ["step", "cache"], ["waiting"])
    )
    # 350 W of board power: 280 to 350 in a prefill, 70 to 332.5 in decoding, 35 to 87.5 idle.
    assert found.watt_hours.low == pytest.approx((280 * prefill + 70 * decode + 35 * idle) / 3600)
    assert found.watt_hours.high == pytest.approx(
        (350 * prefill + 332.5 * decode + 87.5 * idle) / 3600
    )
    assert found.carbon_grams == found.watt_hours.times(0.4)
    closed = ledger_of(tmp_path / "y", [chat(turn("Red."))])
    assert study_energy(ReportContext(ReadableLedger(closed))) is None
