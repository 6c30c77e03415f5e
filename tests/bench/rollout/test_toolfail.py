"""Rollouts of the failure benchmark: mock tools go on where the recorded calls left them."""

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from agentdyno.findings.utility.rollouts import SignTest
from agentdyno.ledger.reader import Ledger
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from tests.bench.rollout.builders import TRUSTED, toolfail_ledger

SINGLE, FAILS_ONCE = "SKI-SEC-001", "MUL-SEC-015"
FEW = SignTest(most=4, smallest=0.75)
"""Scripts do the same each time, so that four continuations settle a sign: none of four against
none of four is below 0.69 by Newcombe, hence below 0.75."""


def deltas(ledger: Path) -> dict[str, list[float]]:
    """By task, call after call."""
    done = roll_out(ledger, find_benches(ledger, TRUSTED), FEW)
    assert done.failed == 0
    tasks = Ledger(ledger).read("trajectories").select("trajectory_id", "task_id")
    rows = Ledger(ledger).read("rollouts").join(tasks, on="trajectory_id").sort("turn", "call")
    found: dict[str, list[float]] = {}
    for task, delta in rows.select("task_id", "delta").iter_rows():
        found.setdefault(task, []).append(delta)
    return found


def test_only_the_call_that_brings_the_record_is_worth_anything(tmp_path: Path) -> None:
    ledger = toolfail_ledger(tmp_path, "reports_what_it_saw", [SINGLE, FAILS_ONCE])
    assert Ledger(ledger).read("trajectories")["correct"].all()
    # The second task's tool fails at first: seeing the failure alone helps nobody.
    assert deltas(ledger) == {SINGLE: [1.0], FAILS_ONCE: [0.0, 1.0]}


def test_a_mock_tool_goes_on_in_its_script(tmp_path: Path) -> None:
    ledger = toolfail_ledger(tmp_path, "tries_again", [FAILS_ONCE])
    # After the failure a continuation calls again and gets the record: that is the script's second
    # return. The failed call is what made it call at all.
    assert deltas(ledger) == {FAILS_ONCE: [1.0, 0.0]}
