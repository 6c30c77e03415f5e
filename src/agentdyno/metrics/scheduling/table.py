"""Schedules as ledger rows: one per trajectory and source of edges, and one per dependency."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.metrics.scheduling.graph import depth
from agentdyno.metrics.scheduling.inference import infer_edges
from agentdyno.metrics.scheduling.missed import TurnCost, missed_parallelism
from agentdyno.metrics.scheduling.parallelism import measure_parallelism
from agentdyno.records import Trajectory
from agentdyno.records.columns import Column
from agentdyno.records.scheduling import (
    DEPENDENCIES,
    SCHEDULING,
    CallEdge,
    EdgeSource,
    GraphNode,
    KnownSchedule,
)
from agentdyno.records.schema import schema_of

Costs = Mapping[str, Mapping[int, TurnCost]]
"""What turns cost, by trajectory and turn."""
Known = Mapping[str, KnownSchedule]
"""What comes with the task, by trajectory."""


VERSIONS = {"edges": 1, "missed_parallelism": 1, "planning": 1}
"""One more whenever inferred edges, what is missed or the marks of plans come out otherwise: older
ledgers are then looked at again."""


def measure_scheduling(
    trajectories: Iterable[Trajectory], costs: Costs | None = None, known: Known | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The tables `scheduling` and `dependencies`: inferred edges, and known ones besides."""
    rows, edges = [], []
    for trajectory in trajectories:
        cost = (costs or {}).get(trajectory.trajectory_id)
        for source, seen, found in _views(trajectory, known or {}):
            rows.append(_row(seen, source, found, cost))
            edges += [_edge(seen, source, edge) for edge in found]
    return as_frame(rows, SCHEDULING), as_frame(edges, DEPENDENCIES)


def _views(
    trajectory: Trajectory, known: Known
) -> Iterable[tuple[EdgeSource, Trajectory, Sequence[CallEdge]]]:
    yield "inferred", trajectory, infer_edges(trajectory)
    if trajectory.trajectory_id in known:
        schedule = known[trajectory.trajectory_id]
        yield "known", _timed(trajectory, schedule.seconds), schedule.edges


def _timed(trajectory: Trajectory, seconds: Mapping[int, float]) -> Trajectory:
    """With the services' own times, which a log of virtual latencies does not show."""
    calls = tuple(
        structs.replace(call, wait_seconds=seconds[place]) if place in seconds else call
        for place, call in enumerate(trajectory.calls)
    )
    return structs.replace(trajectory, calls=calls)


def _row(
    trajectory: Trajectory,
    source: EdgeSource,
    edges: Sequence[CallEdge],
    costs: Mapping[int, TurnCost] | None,
) -> tuple[Any, ...]:
    ran = measure_parallelism(trajectory)
    missed = missed_parallelism(trajectory, edges, costs, source)
    return (
        trajectory.trajectory_id,
        source,
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


def _nodes(trajectory: Trajectory, edges: Sequence[CallEdge]) -> list[GraphNode]:
    needs: dict[int, list[str]] = {}
    for edge in edges:
        needs.setdefault(edge.target, []).append(str(edge.source))
    return [GraphNode(str(i), needs.get(i, []), 0.0) for i in range(len(trajectory.calls))]


def _edge(trajectory: Trajectory, source: EdgeSource, edge: CallEdge) -> tuple[Any, ...]:
    first, second = trajectory.calls[edge.source], trajectory.calls[edge.target]
    name = trajectory.trajectory_id
    return name, source, first.turn, first.call, second.turn, second.call, edge.value


def as_frame(rows: Sequence[tuple[Any, ...]], columns: tuple[Column, ...]) -> pl.DataFrame:
    """Rows as a table of the ledger, with its types even when there are none."""
    return pl.DataFrame(rows, schema=schema_of(columns), orient="row")
