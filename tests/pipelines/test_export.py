"""Signals for training."""

import json
from pathlib import Path

import polars as pl

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.utility.rollouts import SignTest
from agentdyno.pipelines.classify.doubts import doubt_ledger
from agentdyno.pipelines.export import export_rewards
from agentdyno.pipelines.judge import judge_utility
from agentdyno.pipelines.rollout import roll_out
from agentdyno.pipelines.rollout.inspect_runs import known_benches
from agentdyno.records.failures import FAILURES
from agentdyno.records.ledger import DERIVED
from agentdyno.records.schema import schema_of
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
    roll_out(ledger, known_benches(), SignTest(most=16))
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
