"""Signals for training."""

import json
from pathlib import Path

import polars as pl
import pytest

from agentdyno.findings.rewards import Weights
from agentdyno.findings.utility.rollouts import SignTest
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.classify.doubts import doubt_ledger
from agentdyno.pipelines.export import export_rewards
from agentdyno.pipelines.judge import judge_utility
from agentdyno.records.failures import FAILURES
from agentdyno.records.ledger import DERIVED
from agentdyno.records.schema import schema_of
from agentdyno_bench.pipelines.bench_run import run_bench
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.run.scripted import script_of
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_train.attempts import Attempt
from agentdyno_train.environment import score
from agentdyno_train.rewards import compute_reward
from tests.bench.tps.inprocess import run_agent
from tests.pipelines.judge.worlds import ScriptedAsk, facts_ledger

DERIVED.setdefault("failures", FAILURES)


def label_first_trajectory(ledger: Path) -> str:
    """A failure label by two rules on the first trajectory."""
    name = Ledger(ledger).read("trajectories").sort("trajectory_id")["trajectory_id"][0]
    rows = [
        {"trajectory_id": name, "rule": "ensemble", "label": "result_ignore"},
        {"trajectory_id": name, "rule": "paper", "label": "correct"},
    ]
    schema = schema_of(FAILURES)
    add_derived(ledger, "failures", pl.DataFrame(rows, schema=schema))
    return str(name)


def test_every_trajectory_and_call_has_its_signals(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=3)
    judge_utility(ledger, [ScriptedAsk()])
    roll_out(ledger, find_benches(), SignTest(most=16))
    labelled = label_first_trajectory(ledger)
    file = tmp_path / "rewards.jsonl"
    counts = export_rewards(ledger, file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    calls = [line for line in lines if line["kind"] == "call"]
    trajectories = [line for line in lines if line["kind"] == "trajectory"]
    assert counts == {"trajectory": 3, "call": len(Ledger(ledger).read("calls"))}
    assert len(calls) == counts["call"]
    assert {call["sign"] for call in calls} == {1, -1}
    assert all(-1 <= call["delta"] <= 1 and call["pte"] > 0 for call in calls)
    for trajectory in trajectories:
        signs = [c["sign"] for c in calls if c["trajectory_id"] == trajectory["trajectory_id"]]
        assert trajectory["eta"] == signs.count(1) / len(signs)
        assert isinstance(trajectory["correct"], bool)
    failures = {t["trajectory_id"]: t["failure"] for t in trajectories}
    # The ensemble's label goes before the rule's.
    assert failures.pop(labelled) == "result_ignore"
    assert set(failures.values()) == {None}


def test_what_nobody_judged_has_no_sign(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    judge_utility(ledger, [ScriptedAsk(lambda _: "no idea")])
    file = tmp_path / "rewards.jsonl"
    export_rewards(ledger, file)
    first, *calls = [json.loads(line) for line in file.read_text().splitlines()]
    assert first["eta"] is None
    assert {call["sign"] for call in calls} == {None}
    assert {call["delta"] for call in calls} == {None}


def test_a_ledger_that_nobody_judged_still_has_its_calls(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    counts = export_rewards(ledger, tmp_path / "rewards.jsonl")
    assert counts == {"trajectory": 2, "call": len(Ledger(ledger).read("calls"))}
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    assert {line["useful_calls"] for line in lines if line["kind"] == "trajectory"} == {None}
    assert all(line["pte"] > 0 and line["sign"] is None for line in lines if line["kind"] == "call")


def test_doubts_are_no_failure_labels(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    doubt_ledger(ledger)
    assert len(Ledger(ledger).read("failures"))
    export_rewards(ledger, tmp_path / "rewards.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    assert {line["failure"] for line in lines} == {None}


def test_every_trajectory_has_its_reward_with_parts_group_and_spans(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    export_rewards(ledger, tmp_path / "rewards.jsonl", weights=Weights(cost=0.0))
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    trajectories = [line for line in lines if line["kind"] == "trajectory"]
    turns = Ledger(ledger).read("turns")
    for line in trajectories:
        parts = line["reward_parts"]
        assert parts["outcome"] == float(line["correct"])
        assert parts["parallelism"] is parts["progress"] is None  # No graph of work is known.
        quality = 1 - 0.1 * (1 - parts["validity"])
        assert line["reward"] == pytest.approx(parts["outcome"] * quality)
        assert line["group"].endswith(line["task_id"])
        mine = turns.filter(pl.col("trajectory_id") == line["trajectory_id"]).sort("turn")
        spans = [turn["tokens"] for turn in line["turns"]]
        assert [span[0] for span in spans] == mine["context_tokens"].to_list()
        assert [b - a for a, b in spans] == mine["decode_tokens"].to_list()
    assert len({line["group"] for line in trajectories}) == 2


def test_rewards_of_a_planning_run_are_those_of_training(tmp_path: Path) -> None:
    ledger, attempts = planning_ledger(tmp_path)
    export_rewards(ledger, tmp_path / "rewards.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    rows = {line["task_id"]: line for line in lines if line["kind"] == "trajectory"}
    assert set(rows) == set(attempts)
    for task, attempt in attempts.items():
        wanted = compute_reward(score(attempt), Weights(cost=0.0)).parts
        parts = rows[task]["reward_parts"]
        assert parts["cost"] == 1  # The only attempt is the cheapest.
        for name in ("outcome", "parallelism", "validity", "progress"):
            assert parts[name] == pytest.approx(getattr(wanted, name), abs=1e-4), (task, name)
        assert rows[task]["reward"] > 0.7


def planning_ledger(tmp_path: Path) -> tuple[Path, dict[str, Attempt]]:
    """A run of an agent of a known way, and the same attempts as training sees them."""
    out = tmp_path / "bench"
    options = RunOptions(out, limit=3)
    model = ModelSpec("agentdyno/scripted", arguments={"script": script_of("sequential")})
    asked = TpsPlanOptions([model], ["easy"], pool={"transport": "memory"})
    run_bench(tps_plans(asked, options), out, None, None)
    attempts = {}
    for task in load_bundled("easy").tasks[:3]:
        run = run_agent("sequential", task, 7)
        attempts[task.task_id] = Attempt(task, 7, 0.0, run.calls, 0, run.answer, "answered")
    return out / "ledger", attempts
