"""Rollouts of planning and scheduling: the world is brought to where the recorded calls led."""

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("mcp", reason="needs the extra bench")

from agentdyno.findings.utility.rollouts import SignTest
from agentdyno.ledger.reader import Ledger
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from agentdyno_bench.restoring import restore
from agentdyno_bench.running.options import TaskRecipe
from agentdyno_bench.tps.run.task import FACTORY
from tests.bench.rollout.builders import TRUSTED, tps_ledger

WRITES, READS = "easy-009", "easy-002"
"""One deletes an event of a calendar, with two other calls; one makes two calls that only read."""
FEW = SignTest(most=4, smallest=0.75)
"""Scripts do the same each time, so that four continuations settle a sign: none of four against
none of four is below 0.69 by Newcombe, hence below 0.75."""


def test_a_task_is_solved_once_its_last_call_is_made(tmp_path: Path) -> None:
    """Continuations call nothing, so that a subtask counts only if the recorded calls did it: also
    the event that must be gone from the calendar of the continuation's own world."""
    ledger = tps_ledger(tmp_path, "one_by_one_then_tells", [WRITES, READS])
    assert Ledger(ledger).read("trajectories")["correct"].to_list() == [True, True]
    done = roll_out(ledger, find_benches(ledger, TRUSTED), FEW)
    assert (done.calls, done.decided, done.failed) == (5, 5, 0)
    tasks = Ledger(ledger).read("trajectories").select("trajectory_id", "task_id")
    rows = Ledger(ledger).read("rollouts").join(tasks, on="trajectory_id")
    found = rows.sort("task_id", "turn").select("task_id", "turn", "delta").rows()
    assert found == [
        (READS, 0, 0.0), (READS, 1, 1.0),
        (WRITES, 0, 0.0), (WRITES, 1, 0.0), (WRITES, 2, 1.0),
    ]  # fmt: skip


def test_a_selection_is_played_back_and_calls_of_a_turn_are_told_apart(tmp_path: Path) -> None:
    ledger = tps_ledger(tmp_path, "selects_and_calls_at_once", [READS], selection="self")
    done = roll_out(ledger, find_benches(ledger, TRUSTED), FEW)
    assert (done.calls, done.failed) == (2, 0)
    found = Ledger(ledger).read("rollouts").sort("call").select("turn", "call", "delta").rows()
    # The selection is the first turn; both calls are made in the second.
    assert found == [(1, 0, 0.0), (1, 1, 1.0)]


def test_a_call_that_was_never_run_is_left_out(tmp_path: Path) -> None:
    """One call a turn: the second of two that the model wrote together is not executed."""
    ledger = tps_ledger(
        tmp_path, "selects_and_calls_at_once", [READS], "self", scheduling="sequential"
    )
    assert len(Ledger(ledger).read("calls")) == 2
    done = roll_out(ledger, find_benches(ledger, TRUSTED), FEW)
    assert (done.calls, done.failed) == (1, 0)
    assert Ledger(ledger).read("rollouts")["delta"].to_list() == [0.0]


def test_servers_of_others_are_not_called_a_second_time() -> None:
    pool = {"mcp_servers": "servers.json"}
    said = restore(TaskRecipe(FACTORY, {"options": {"pool": pool}}))
    assert said == "it called servers of others, whose state cannot be restored"
