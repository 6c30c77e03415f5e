"""Schedules as ledger rows: one per trajectory, and one per inferred dependency."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from agentdyno.metrics.scheduling.graph import depth
from agentdyno.metrics.scheduling.inference import infer_edges
from agentdyno.metrics.scheduling.missed import TurnCost, missed_parallelism
from agentdyno.metrics.scheduling.parallelism import measure_parallelism
from agentdyno.records import Trajectory
from agentdyno.records.columns import Column, ColumnType
from agentdyno.records.scheduling import DEPENDENCIES, SCHEDULING, GraphNode, InferredEdge

Costs = Mapping[str, Mapping[int, TurnCost]]
"""What turns cost, by trajectory and turn."""

_TYPES: dict[ColumnType, Any] = {
    "text": pl.String,
    "whole": pl.Int64,
    "number": pl.Float64,
    "truth": pl.Boolean,
}


def measure_scheduling(
    trajectories: Iterable[Trajectory], costs: Costs | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables `scheduling` and `dependencies` for these trajectories."""
    rows, edges = [], []
    for trajectory in trajectories:
        found = infer_edges(trajectory)
        rows.append(_row(trajectory, found, (costs or {}).get(trajectory.trajectory_id)))
        edges += [_edge(trajectory, edge) for edge in found]
    return _frame(rows, SCHEDULING), _frame(edges, DEPENDENCIES)


def _row(
    trajectory: Trajectory, edges: list[InferredEdge], costs: Mapping[int, TurnCost] | None
) -> tuple[Any, ...]:
    ran, missed = measure_parallelism(trajectory), missed_parallelism(trajectory, edges, costs)
    return (
        trajectory.trajectory_id,
        "inferred",
        ran.call_turns,
        ran.calls_per_turn,
        ran.widest_turn,
        ran.overlap,
        len(edges),
        depth(_nodes(trajectory, edges)),
        missed.turns,
        missed.tool_seconds,
        missed.model_seconds_at_most,
        missed.pte,
    )


def _nodes(trajectory: Trajectory, edges: list[InferredEdge]) -> list[GraphNode]:
    needs: dict[int, list[str]] = {}
    for edge in edges:
        needs.setdefault(edge.target, []).append(str(edge.source))
    return [GraphNode(str(i), needs.get(i, []), 0.0) for i in range(len(trajectory.calls))]


def _edge(trajectory: Trajectory, edge: InferredEdge) -> tuple[Any, ...]:
    source, target = trajectory.calls[edge.source], trajectory.calls[edge.target]
    name = trajectory.trajectory_id
    return name, "inferred", source.turn, source.call, target.turn, target.call, edge.value


def _frame(rows: list[tuple[Any, ...]], columns: tuple[Column, ...]) -> pl.DataFrame:
    schema = {column.name: _TYPES[column.type] for column in columns}
    return pl.DataFrame(rows, schema=schema, orient="row")
