"""Schedules as ledger rows: one per trajectory and source of edges, per dependency, per join."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.missed import TurnCost, find_missed_parallelism
from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.measures.planning import depth
from agentdyno.records import Trajectory
from agentdyno.records.columns import Column
from agentdyno.records.scheduling import (
    DEPENDENCIES,
    JOINS,
    SCHEDULING,
    CallEdge,
    EdgeSource,
    GraphNode,
    Join,
    KnownSchedule,
    MissedParallelism,
    Parallelism,
)
from agentdyno.records.schema import schema_of


# overlap = sum of call times / length of the union of their intervals     (1 = none)
#
# Worked: calls from 0 to 2 s and from 1 to 3 s, another from 5 to 6 s: 5 s of calls in 4 s, 1.25.
def measure_parallelism(trajectory: Trajectory) -> Parallelism:
    """Counts turns and overlaps of the calls that ran."""
    executed = [call for call in trajectory.calls if call.executed]
    width = Counter(call.turn for call in executed)
    spans = [(call.started_at, call.ended_at) for call in executed]
    timed = [(a, b) for a, b in spans if a is not None and b is not None and b >= a]
    return Parallelism(
        calls=len(executed),
        call_turns=len(width),
        calls_per_turn=len(executed) / len(width) if width else None,
        widest_turn=max(width.values(), default=0),
        overlap=_overlap(timed) if timed and len(timed) == len(executed) else None,
    )


def _overlap(spans: list[tuple[float, float]]) -> float | None:
    union, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        union += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    total = sum(end - start for start, end in spans)
    return total / union if union > 0 else None


Costs = Mapping[str, Mapping[int, TurnCost]]
"""What turns cost, by trajectory and turn."""
Known = Mapping[str, KnownSchedule]
"""What comes with the task, by trajectory."""


VERSIONS = {"edges": 5, "missed_parallelism": 8, "planning": 3}
"""One more whenever inferred edges, what is missed or the marks of plans come out otherwise: older
ledgers are then looked at again."""


def measure_scheduling(
    trajectories: Iterable[Trajectory], costs: Costs | None = None, known: Known | None = None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """The tables `scheduling` and `dependencies`, inferred and known; `joins` of known graphs."""
    rows: list[tuple[Any, ...]] = []
    edges: list[tuple[Any, ...]] = []
    joins: list[tuple[Any, ...]] = []
    for trajectory in trajectories:
        cost = (costs or {}).get(trajectory.trajectory_id)
        index = appearances(trajectory)
        for source, seen, call_edges in _views(trajectory, known or {}, index):
            is_known = source == "known"
            missed = find_missed_parallelism(seen, call_edges, cost) if is_known else None
            rows.append(_row(seen, source, call_edges, missed))
            edges += [_edge(seen, source, edge) for edge in call_edges]
            joins += [_join(seen, source, join) for join in missed.joins] if missed else []
    return as_frame(rows, SCHEDULING), as_frame(edges, DEPENDENCIES), as_frame(joins, JOINS)


def _views(
    trajectory: Trajectory, memory: Known, index: Appearances
) -> Iterable[tuple[EdgeSource, Trajectory, Sequence[CallEdge]]]:
    yield "inferred", trajectory, infer_edges(trajectory, index)
    if trajectory.trajectory_id in memory:
        schedule = memory[trajectory.trajectory_id]
        yield "known", _add_times(trajectory, schedule.seconds), schedule.edges


def _add_times(trajectory: Trajectory, seconds: Mapping[int, float]) -> Trajectory:
    """With the services' own times, which a log of virtual latencies does not show."""
    calls = tuple(
        structs.replace(call, wait_seconds=seconds[position]) if position in seconds else call
        for position, call in enumerate(trajectory.calls)
    )
    return structs.replace(trajectory, calls=calls)


def _row(
    trajectory: Trajectory,
    source: EdgeSource,
    edges: Sequence[CallEdge],
    missed: MissedParallelism | None,
) -> tuple[Any, ...]:
    ran = measure_parallelism(trajectory)
    return (
        trajectory.trajectory_id,
        source,
        ran.call_turns,
        ran.calls_per_turn,
        ran.widest_turn,
        ran.overlap,
        len(edges),
        depth(_nodes(trajectory, edges)),
        missed and missed.turns,
        missed and missed.tool_seconds,
        missed and missed.model_seconds_at_most,
        missed and missed.pte,
    )


def _nodes(trajectory: Trajectory, edges: Sequence[CallEdge]) -> list[GraphNode]:
    needs: dict[int, list[str]] = {}
    for edge in edges:
        needs.setdefault(edge.target, []).append(str(edge.source))
    return [GraphNode(str(i), needs.get(i, []), 0.0) for i in range(len(trajectory.calls))]


def _edge(trajectory: Trajectory, source: EdgeSource, edge: CallEdge) -> tuple[Any, ...]:
    first, second = trajectory.calls[edge.source], trajectory.calls[edge.target]
    places = first.turn, first.call, second.turn, second.call
    why = edge.value, edge.reason, edge.confidence
    return trajectory.trajectory_id, source, *places, *why


def _join(trajectory: Trajectory, source: EdgeSource, join: Join) -> tuple[Any, ...]:
    return trajectory.trajectory_id, source, join.turn, join.into, "certain", join.reason


def as_frame(rows: Sequence[tuple[Any, ...]], columns: tuple[Column, ...]) -> pl.DataFrame:
    """Rows as a table of the ledger, with its types even when there are none."""
    return pl.DataFrame(rows, schema=schema_of(columns), orient="row")
