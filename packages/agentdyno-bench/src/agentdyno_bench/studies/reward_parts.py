"""Rewards of a ledger's trajectories: tables in, one reward with its parts per trajectory out.

outcome      the score where it lies from 0 to 1, else whether it is correct; None: no reward
parallelism  of attempts at tasks with a known graph of work, by their placed calls
validity     calls that were executed without an error over all calls
cost         the cheapest of the best attempts at the same task by the same model, over this one
progress     of attempts with a known graph: steps that were done; harm is paid for in the outcome

A group is every attempt at one task in one setting: what GRPO compares. A turn's span is where its
tokens stand in the text of that turn: from the end of its context on.
"""

from collections import defaultdict
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.studies.tables import Tables
from agentdyno_bench.findings.rewards import (
    Parts,
    Weights,
    cost_part,
    parallelism_part,
    reward,
    validity_part,
)

_SETTING = ("benchmark", "model", "variant")
_ABOUT = ("trajectory_id", "task_id", *_SETTING, "correct", "score", "pte")
_PLANNED = ("trajectory_id", "best_calls", "tool_seconds", "speedup_available")


class TrajectoryReward(Struct, frozen=True):
    """What a trajectory is worth, for a trainer."""

    reward: float | None
    """One number from 0 to 1; None when nobody knows the outcome."""
    parts: Parts | None
    group: str
    """Attempts that are compared with each other have the same."""
    turns: list[dict[str, Any]]
    """Each turn with the span of its own tokens."""


def trajectory_rewards(ledger: Tables, weights: Weights) -> dict[str, TrajectoryReward]:
    rows = ledger.read("trajectories").select(_ABOUT).to_dicts()
    calls, planned, turns = _validity(ledger), _find_planned(ledger), _spans(ledger)
    cheapest = _cheapest(rows)
    found = {}
    for row in rows:
        name, group = row["trajectory_id"], _group(row)
        outcome = _outcome(row)
        parts = None
        if outcome is not None:
            about = planned.get(name, {})
            parts = Parts(
                outcome=outcome,
                validity=calls.get(name),
                cost=cost_part(row["pte"], cheapest.get(group)),
                **about,
            )
        produced = None if parts is None else reward(parts, weights)
        found[name] = TrajectoryReward(produced, parts, group, turns.get(name, []))
    return found


def _group(row: dict[str, Any]) -> str:
    task = row["task_id"] or row["trajectory_id"]
    return "/".join(str(value) for value in (*(row[name] for name in _SETTING), task) if value)


def _outcome(row: dict[str, Any]) -> float | None:
    score = row["score"]
    if score is not None and 0 <= score <= 1:
        return float(score)
    return None if row["correct"] is None else float(row["correct"])


def _cheapest(rows: list[dict[str, Any]]) -> dict[str, float]:
    """The lowest cost among the best attempts of each group."""
    best: dict[str, tuple[float, float]] = {}
    for row in rows:
        outcome, pte = _outcome(row), row["pte"]
        if outcome is not None and pte:
            key = (-outcome, pte)
            best[_group(row)] = min(best.get(_group(row), key), key)
    return {group: cost for group, (_, cost) in best.items()}


def _validity(ledger: Tables) -> dict[str, float]:
    sound = pl.col("executed").fill_null(True) & pl.col("error").is_null()
    rows = ledger.read("calls").group_by("trajectory_id").agg(calls=pl.len(), sound=sound.sum())
    return {
        name: validity_part(calls, calls - sound)
        for name, calls, sound in rows.select("trajectory_id", "calls", "sound").iter_rows()
    }


def _find_planned(ledger: Tables) -> dict[str, dict[str, float]]:
    """Parallelism and progress where the task's graph is known."""
    if not ledger.has("planning") or not ledger.has("placements"):
        return {}
    did = pl.col("did") > 0
    done = (
        ledger.read("placements")
        .group_by("trajectory_id")
        .agg(
            useful=pl.col("seconds").filter(did).sum(),
            steps=pl.col("did").sum(),
        )
    )
    rows = ledger.read("planning").select(_PLANNED).join(done, on="trajectory_id", how="left")
    return {
        row["trajectory_id"]: {
            "parallelism": parallelism_part(
                row["useful"] or 0.0, row["tool_seconds"] or 0.0, row["speedup_available"] or 1.0
            ),
            "progress": (row["steps"] or 0) / row["best_calls"],
        }
        for row in rows.to_dicts()
        if row["best_calls"]
    }


def _spans(ledger: Tables) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    columns = ["trajectory_id", "turn", "context_tokens", "decode_tokens", "calls"]
    for name, turn, context, produced, calls in (
        ledger.read("turns").select(columns).sort("trajectory_id", "turn").iter_rows()
    ):
        known = context is not None and produced is not None
        span = [context, context + produced] if known else None
        found[name].append({"turn": turn, "tokens": span, "calls": calls})
    return found
