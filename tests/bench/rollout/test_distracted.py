"""The agent of the examples, whose calls are worth what a formula says, through the whole path.

It looks at the news before a call with probability 0.35 and then forgets the next subtask with
probability 0.5, so that a subtask is done with q = 1 - 0.35 * 0.5 = 0.825. With r subtasks left and
none forgotten the task is solved with probability q ** r, and just after the news with
0.5 * q ** (r - 1). Where one is forgotten it never is.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("mcp", reason="needs the extra bench")

from agentdyno.findings.utility.rollouts import SignTest
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.sources import volume_trajectories
from agentdyno.records import Trajectory
from agentdyno_bench import ModelSpec, RunOptions
from agentdyno_bench.ablatable_models import Asked, tps_bench
from agentdyno_bench.pipelines.ablate import AblateOptions, ablate
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from agentdyno_bench.studies.ablation.variants import parse_variant
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.tasks.dataset import load_bundled
from tests.bench.rollout.builders import TRUSTED, measured
from tests.conftest import ROOT

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
    bench = tps_bench(Asked(model, tmp_path, tasks=8), in_process=True)
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
