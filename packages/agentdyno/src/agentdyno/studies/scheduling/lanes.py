"""The schedule of a trajectory as bars in time, from the tables of its ledger.

Takes a ledger and a trajectory; returns its `Lanes`. Times are, in this order: those of the
services, where the task is our own; the clock, where the trace has the beginning and the end of
every call; the tools' waits with the turns one after the other; and a step a turn where there are
no times at all. The axis says which. The critical path is the chain of dependencies that takes
longest, by known edges where there are any and by inferred ones otherwise.

Worked: a (2 s) and b (1 s) in turn 0, c (3 s, needs a) in turn 1: a from 0 to 2, b from 0 to 1, c
from 2 to 5; a and c are critical.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.measures.planning import critical_path
from agentdyno.records.scheduling import GraphNode
from agentdyno.studies.tables import Tables

SERVICES = "seconds of the services, generation left out"
CLOCK = "seconds"
WAITS = "seconds of the tools, generation left out"
STEPS = "turns: the trace has no times"
FULLEST_PAUSE = 50.0
"""A clock that shows calls for less than one part in so many is left for the tools' waits."""

Key = tuple[int, int]
"""Turn, and place in the turn."""
Span = tuple[float, float]


class PlacedCall(Struct, frozen=True):
    """One executed call as the ledger has it."""

    key: Key
    """Where it stands in the trajectory."""
    tool: str
    failed: bool
    """Whether it ended with an error."""
    clock: Span | None
    """Beginning and end, in seconds since 1970; None when unknown."""
    wait_seconds: float | None
    """How long the tool took; None when unknown."""


class Lane(Struct, frozen=True):
    """One call in time."""

    label: str
    start: float
    """From the beginning, in what the chart's axis measures."""
    end: float
    critical: bool = False
    """Whether the longest chain runs through it."""
    failed: bool = False
    """Whether it ended with an error."""


class Lanes(Struct, frozen=True):
    """The schedule of one trajectory."""

    bars: list[Lane]
    turns: list[float]
    """Moments at which the agent made its next calls."""
    axis: str
    """What is measured along it."""


class Schedule(Struct, frozen=True):
    """Calls laid out."""

    spans: list[Span]
    """Beginning and end of each call."""
    turns: list[float]
    """Moments at which turns made their calls."""
    axis: str


def schedule_lanes(ledger: Tables, trajectory_id: str) -> Lanes | None:
    """The lanes; None for a trajectory without executed calls."""
    calls = _calls(_rows(ledger, "calls", trajectory_id))
    if not calls:
        return None
    services = {
        (row["turn"], row["call"]): row["seconds"]
        for row in _rows(ledger, "placements", trajectory_id)
    }
    laid = lay_out(calls, services)
    marked = _critical(calls, laid, _edges(_rows(ledger, "dependencies", trajectory_id)))
    bars = [
        Lane(call.tool, *span, critical=call.key in marked, failed=call.failed)
        for call, span in zip(calls, laid.spans, strict=True)
    ]
    return Lanes(bars, laid.turns, laid.axis)


def _rows(ledger: Tables, table: str, trajectory_id: str) -> list[dict[str, Any]]:
    rows = ledger.scan(table).filter(pl.col("trajectory_id") == trajectory_id)
    return rows.collect().to_dicts()


def _calls(rows: Sequence[dict[str, Any]]) -> list[PlacedCall]:
    lane_calls = [
        PlacedCall(
            key=(row["turn"], row["call"]),
            tool=row["tool"] or "",
            failed=row["error"] is not None,
            clock=_clock(row["started_at"], row["ended_at"]),
            wait_seconds=row["wait_seconds"],
        )
        for row in rows
        if row["executed"]
    ]
    return sorted(lane_calls, key=lambda call: call.key)


def _clock(start: float | None, end: float | None) -> Span | None:
    return (start, end) if start is not None and end is not None and end >= start else None


def lay_out(calls: Sequence[PlacedCall], services: Mapping[Key, float]) -> Schedule:
    """Calls in time, by the best times there are."""
    if services:
        return _by_turns(calls, [services.get(call.key, 0.0) for call in calls], SERVICES)
    waits = [call.wait_seconds for call in calls if call.wait_seconds is not None]
    clocks = [call.clock for call in calls if call.clock is not None]
    if len(clocks) == len(calls) and _is_full(clocks):
        return _by_clock(calls, clocks)
    if len(waits) == len(calls) and sum(waits) > 0:
        return _by_turns(calls, waits, WAITS)
    return _by_turns(calls, [1.0] * len(calls), STEPS)


def _is_full(clocks: Sequence[Span]) -> bool:
    span = max(end for _, end in clocks) - min(start for start, _ in clocks)
    return 0 < span <= FULLEST_PAUSE * sum(end - start for start, end in clocks)


def _by_clock(calls: Sequence[PlacedCall], clocks: Sequence[Span]) -> Schedule:
    zero = min(start for start, _ in clocks)
    spans = [(start - zero, end - zero) for start, end in clocks]
    begins: dict[int, float] = {}
    for call, (start, _) in zip(calls, spans, strict=True):
        begins[call.key[0]] = min(start, begins.get(call.key[0], start))
    return Schedule(spans, sorted(begins.values()), CLOCK)


def _by_turns(calls: Sequence[PlacedCall], seconds: Sequence[float], axis: str) -> Schedule:
    """Turns one after the other, the calls of a turn at once."""
    longest: dict[int, float] = {}
    for call, duration in zip(calls, seconds, strict=True):
        longest[call.key[0]] = max(duration, longest.get(call.key[0], 0.0))
    begins: dict[int, float] = {}
    now = 0.0
    for turn, duration in longest.items():
        begins[turn] = now
        now += duration
    spans = [
        (begins[call.key[0]], begins[call.key[0]] + took)
        for call, took in zip(calls, seconds, strict=True)
    ]
    return Schedule(spans, list(begins.values()), axis)


def _edges(rows: Sequence[dict[str, Any]]) -> dict[Key, list[Key]]:
    """What each call needs: by known edges where there are any."""
    known_edges = [row for row in rows if row["edge_source"] == "known"]
    needs: dict[Key, list[Key]] = {}
    for row in known_edges or rows:
        source = row["source_turn"], row["source_call"]
        needs.setdefault((row["target_turn"], row["target_call"]), []).append(source)
    return needs


def _critical(
    calls: Sequence[PlacedCall], laid: Schedule, needs: Mapping[Key, Sequence[Key]]
) -> set[Key]:
    if not needs:
        return set()  # Where nothing waits for anything there is no path to show.
    names = {call.key: str(index) for index, call in enumerate(calls)}
    nodes = [
        GraphNode(
            names[call.key],
            [names[need] for need in needs.get(call.key, []) if need in names],
            end - start,
        )
        for call, (start, end) in zip(calls, laid.spans, strict=True)
    ]
    return {calls[int(name)].key for name in critical_path(nodes)}
