"""The most expensive trajectories, turn by turn, for the report's drill-down.

Takes frames, returns `Drilldown`. A ledger may hold millions; only `limit` are laid out.
"""

from collections.abc import Callable, Sequence
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.records.precision import confidence
from agentdyno.studies.cost.drilldown import (
    CallDetail,
    Drilldown,
    Excerpts,
    TrajectoryDetail,
    TurnDetail,
)
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import PatternCase

Rows = dict[str, list[dict[str, Any]]]


ReadExcerpts = Callable[[Sequence[str]], Excerpts]
"""Names of trajectories, the most expensive first -> how their calls begin."""


def find_expensive_trajectories(
    frames: Frames, limit: int, read_excerpts: ReadExcerpts | None = None
) -> Drilldown:
    """The `limit` most expensive trajectories."""
    order = ["cost", "trajectory_id"]
    top = frames.trajectories.sort(order, descending=[True, False], nulls_last=True).head(limit)
    top_ids = top["trajectory_id"].implode()
    is_chosen = pl.col("trajectory_id").is_in(top_ids)
    turns = _rows(frames.turns.filter(is_chosen).sort("turn"), TurnDetail)
    calls = _rows(frames.calls.filter(is_chosen).sort("turn", "call"), CallDetail)
    kinds = _kinds(frames.parts.filter(pl.col("trajectory_id").is_in(top_ids)))
    cases: Rows = {}
    if frames.patterns is not None:
        cases = _rows(frames.patterns.filter(is_chosen), PatternCase)
    excerpts = read_excerpts(top["trajectory_id"].to_list()) if read_excerpts else {}
    for name, rows in calls.items():
        for call in rows:
            call["excerpt"] = excerpts.get((name, call["turn"], call["call"]))
    details = [
        _detail(row, frames, turns, calls, kinds, cases) for row in top.iter_rows(named=True)
    ]
    return Drilldown(details, len(frames.trajectories), frames.costs.unit)


def _rows(table: pl.DataFrame, displayed: type[Struct]) -> Rows:
    """Rows by trajectory, with what is shown of them: a turn has three times as many columns."""
    expected = {"trajectory_id", "turn", "call", *displayed.__struct_fields__}
    by_id: Rows = {}
    for row in table.select([c for c in table.columns if c in expected]).iter_rows(named=True):
        by_id.setdefault(row["trajectory_id"], []).append(row)
    return by_id


def _kinds(parts: pl.DataFrame) -> dict[str, dict[str, float]]:
    sums = parts.group_by("trajectory_id", "kind", maintain_order=True).agg(pl.col("cost").sum())
    by_id: dict[str, dict[str, float]] = {}
    for name, kind, cost in sums.sort("kind").iter_rows():
        if cost:
            by_id.setdefault(name, {})[kind] = cost
    return by_id


def _detail(
    row: dict[str, Any],
    frames: Frames,
    turns: Rows,
    calls: Rows,
    kinds: dict[str, dict[str, float]],
    rows: Rows,
) -> TrajectoryDetail:
    name = row["trajectory_id"]
    by_turn: dict[int, list[CallDetail]] = {}
    for call in calls.get(name, []):
        by_turn.setdefault(call["turn"], []).append(_pick(CallDetail, call))
    fields = (
        "title",
        "task_id",
        "attempt",
        "level",
        "source",
        "correct",
        "usd",
        "calls",
        "gamma_source",
    )
    return TrajectoryDetail(
        trajectory_id=name,
        setting=frames.settings[row["setting"]],
        cost=row["cost"],
        **{field: row[field] for field in fields},
        kinds=kinds.get(name, {}),
        turns=[
            _pick(TurnDetail, turn, calls=by_turn.get(turn["turn"], []))
            for turn in turns.get(name, [])
        ],
        patterns=[
            _pick(PatternCase, case, confidence=confidence(case["pattern"]))
            for case in rows.get(name, [])
        ],
    )


def _pick(struct: Any, row: dict[str, Any], **others: Any) -> Any:
    """A value from the columns of its fields' names."""
    fields = (f for f in struct.__struct_fields__ if f not in others and f in row)
    return struct(**{f: row[f] for f in fields}, **others)
