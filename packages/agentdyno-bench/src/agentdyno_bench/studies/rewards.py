"""Signals for training: a ledger in, one JSON line per trajectory and per call out.

A trajectory's line comes before those of its calls:

    {"kind": "trajectory", "trajectory_id": …, "correct": true, "eta": 0.5, "pte": 5120.3, …}
    {"kind": "call", "trajectory_id": …, "turn": 0, "call": 0, "sign": 1, "pte": 102.9, …}

A trajectory's line has what a trainer needs: `reward` from 0 to 1 with its `reward_parts`, the
`group` that it is compared in, and its `turns` with the span of tokens that the model wrote.

`sign` is 1 for a call that helped, -1 for one that did not (as in aggregate utility), null when
nobody could say. `delta` is there where rollouts measured it. Unknown is null, never 0.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records.failures import CHECKS
from agentdyno.studies.tables import Tables, Texts
from agentdyno_bench.findings.rewards import Parts, Weights
from agentdyno_bench.findings.utility.eta import trajectory_etas
from agentdyno_bench.records.utility import JudgedCall
from agentdyno_bench.studies.failures.current import current_failures
from agentdyno_bench.studies.reward_parts import trajectory_rewards
from agentdyno_bench.studies.utility.judged_calls import Place, list_judged_calls, read_traits
from agentdyno_bench.studies.utility.latest_rollouts import latest_rollouts
from agentdyno_bench.studies.verdicts.current import utility_verdicts

SIGNS = {"positive": 1, "non_positive": -1, None: None}
RULES = ("submitted", "ensemble", "paper")
"""Of several failure labels, whose counts; a judge's own comes last."""
CARRIED = ("task_id", "model", "benchmark", "variant", "attempt", "correct", "score", "pte", "usd")


def reward_lines(
    ledger: Texts, rules: LogicalTools, weights: Weights | None = None
) -> Iterator[dict[str, Any]]:
    """Every trajectory, followed by its calls."""
    traits = read_traits(ledger, rules)
    calls = list_judged_calls(ledger, utility_verdicts(ledger), traits, asked_only=False)
    by_trajectory: dict[str, list[JudgedCall]] = defaultdict(list)
    for call in calls:
        by_trajectory[call.trajectory_id].append(call)
    etas, deltas = trajectory_etas(calls), _deltas(ledger)
    failures, rewards = _failures(ledger), trajectory_rewards(ledger, weights or Weights())
    rows = ledger.read("trajectories").sort("trajectory_id")
    for row in rows.select("trajectory_id", *CARRIED).iter_rows(named=True):
        name = row["trajectory_id"]
        inside = by_trajectory[name]
        judged = [call.label for call in inside if call.label is not None]
        yield {
            "kind": "trajectory",
            **row,
            "eta": etas.get(name),
            "useful_calls": judged.count("positive") if judged else None,
            "judged_calls": len(judged),
            "failure": failures.get((name, None, None)),
            "reward": rewards[name].reward,
            "reward_parts": _parts(rewards[name].parts),
            "group": rewards[name].group,
            "turns": rewards[name].turns,
        }
        for call in inside:
            yield _call_line(call, deltas, failures)


def _parts(parts: Parts | None) -> dict[str, float | None] | None:
    return None if parts is None else structs.asdict(parts)


def _call_line(
    call: JudgedCall, deltas: dict[Place, float], failures: dict[Any, str | None]
) -> dict[str, Any]:
    place = (call.trajectory_id, call.turn, call.call)
    return {
        "kind": "call",
        "trajectory_id": call.trajectory_id,
        "turn": call.turn,
        "call": call.call,
        "tool": call.tool,
        "sign": SIGNS[call.label],
        "confidence": call.confidence,
        "delta": deltas.get(place),
        "pte": call.cost,
        "usd": call.usd,
        "failure": failures.get(place),
    }


def _deltas(ledger: Tables) -> dict[Place, float]:
    rows = latest_rollouts(ledger).select("trajectory_id", "turn", "call", "delta").iter_rows()
    return {(trajectory, turn, call): delta for trajectory, turn, call, delta in rows}


def _failures(ledger: Tables) -> dict[Any, str | None]:
    """Failure labels by place, where somebody classified the ledger; doubts are no labels."""
    labelled = pl.col("label").is_not_null() & ~pl.col("rule").is_in(CHECKS)
    rows = current_failures(ledger).filter(labelled)
    found: dict[Any, tuple[int, str | None]] = {}
    columns = ["trajectory_id", "turn", "call", "rule", "label"]
    for trajectory, turn, call, rule, label in rows.select(columns).iter_rows():
        rank = RULES.index(rule) if rule in RULES else len(RULES)
        place = (trajectory, turn, call)
        if place not in found or rank <= found[place][0]:
            found[place] = (rank, label)
    return {place: label for place, (_, label) in found.items()}
