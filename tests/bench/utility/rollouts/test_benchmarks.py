"""Rollouts of the failure and the planning benchmark, and of a distracted agent."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import volume_trajectories
from agentdyno.records import Trajectory
from agentdyno_bench import ModelSpec, RunOptions
from agentdyno_bench.app.ablatable_models import ModelSettings, tps_bench
from agentdyno_bench.app.restoring import find_benches, restore
from agentdyno_bench.shared.running.options import TaskRecipe
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.run.task import FACTORY
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
from agentdyno_bench.utility.ablation.variants import parse_variant
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.run import roll_out
from tests.bench.utility.rollouts.builders import TRUSTED, measured, toolfail_ledger, tps_ledger
from tests.conftest import ROOT

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


WRITES, READS = "easy-086", "easy-012"
"""One reserves a room, after two other calls; one makes two calls that only read."""


def test_a_task_is_solved_once_its_last_call_is_made(tmp_path: Path) -> None:
    """Continuations call nothing, so that a subtask counts only if the recorded calls did it: also
    the room that must be reserved in the continuation's own world."""
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


TASKS = 4


def true_deltas(agent: ModuleType, trajectory: Trajectory) -> dict[tuple[str, int, int], float]:
    q = 1 - agent.LOOKS * agent.FORGETS
    task = next(t for t in agent._TASKS.values() if t.task_id == trajectory.task_id)
    said = {part.made: part.text for part in trajectory.parts if part.kind == "text"}
    left, after_news, lost, found = len(task.subtasks), False, False, {}
    for call in trajectory.calls:
        before = (1 - agent.FORGETS) * q ** (left - 1) if after_news else q**left
        forgot = "Never mind" in said.get(call.turn, "")
        after_news = call.tool == agent.NEWS
        left -= 0 if after_news else 2 if forgot else 1
        after = (1 - agent.FORGETS) * q ** (left - 1) if after_news else q**left
        after = 0.0 if forgot else after
        found[trajectory.trajectory_id, call.turn, call.call] = 0.0 if lost else after - before
        lost = lost or forgot
    return found


@pytest.mark.slow
def test_rollouts_find_what_the_formula_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    agent = import_module("distracted_agent")
    model = ModelSpec("agentdyno/scripted", arguments={"script": "distracted_agent:works"})
    asked = TpsPlanOptions(models=[model], levels=["easy"], pool={"transport": "memory"})
    ledger = measured(tmp_path, tps_plans(asked, RunOptions(out=tmp_path, limit=TASKS)))
    opened = Ledger(ledger)
    truth: dict[tuple[str, int, int], float] = {}
    for volume in opened.manifest.volumes:
        for trajectory in volume_trajectories(opened, volume, {}):
            truth |= true_deltas(agent, trajectory)
    done = roll_out(ledger, find_benches(ledger, TRUSTED), SignTest(most=64, smallest=0.25))
    assert (done.calls, done.failed) == (len(truth), 0)
    rows = Ledger(ledger).read("rollouts").rows(named=True)
    errors = [r["delta"] - truth[r["trajectory_id"], r["turn"], r["call"]] for r in rows]
    inside = [r["low"] <= r["delta"] - e <= r["high"] for r, e in zip(rows, errors, strict=True)]
    assert sum(inside) >= len(inside) - 1
    assert abs(sum(errors) / len(errors)) < 0.1
    for row in rows:
        worth = truth[row["trajectory_id"], row["turn"], row["call"]]
        if abs(worth) > 0.4:
            assert row["label"] == ("positive" if worth > 0 else "non_positive")


def test_without_news_the_agent_forgets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    model = ModelSpec("agentdyno/scripted", arguments={"script": "distracted_agent:works"})
    bench = tps_bench(ModelSettings(model, tmp_path, tasks=8), in_process=True)
    variants = (parse_variant("default"), parse_variant("lean:-news_*"))
    default, lean = ablate(bench, AblateOptions(variants, tmp_path)).variants
    tasks = load_bundled("easy").tasks[:8]
    newsy = sum(any(s.tool.startswith("news_") for s in task.subtasks) for task in tasks)
    # Only tasks about the news are lost; of the others nothing is forgotten.
    assert (lean.passed, lean.failed) == (8 - newsy, newsy)
    assert default.failed > 0
    # It gives up where the tool that it needs is not offered, and asks for it no hundred times.
    calls = Ledger(tmp_path / "ledger").read("calls")
    assert calls.filter(pl.col("error").is_not_null()).is_empty()
