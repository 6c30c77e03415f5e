"""Measures of each attempt: schedule against the best known, selection against what serves.

    precision of a selection = chosen tools that can serve something / chosen tools
    recall                   = subtasks that a chosen tool can serve / subtasks

Takes scores and the trajectories they belong to; returns the rows of `planning` and `placements`,
and the edges of the tasks' graphs between calls.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.findings.scheduling.table import as_frame
from agentdyno.measures.planning import early_calls, measure_schedule
from agentdyno.records import Trajectory, printable
from agentdyno.records.scheduling import (
    PLACEMENTS,
    PLANNING,
    CallEdge,
    GraphNode,
    KnownSchedule,
    ScheduledCall,
)
from agentdyno_bench.tps.studies.scored import PlanScore, ScoredSample


# Takes the trajectory, the graph and the placed calls, in the order of their execution; returns
# which call of the trajectory each of them is, and the edges of the graph between calls.
#
#     an edge runs from the call that did a piece of work to every later call for what needs it
#
# Worked: a; b needs a. Turn 0 does a, turn 1 does b: one edge, from the first call to the second.
# Both in turn 0: no edge, and the second call is early.
def match_calls(trajectory: Trajectory, placed: Sequence[ScheduledCall]) -> list[int | None]:
    """For each placed call its index in `Trajectory.calls`; None when the trajectory lacks it.

    Turns with calls follow each other on both sides. Within a turn a trajectory may hold more
    calls: what the model wrote and nobody executed.
    """
    waiting: dict[int, list[int]] = {}
    for index, produced in enumerate(trajectory.calls):
        waiting.setdefault(produced.turn, []).append(index)
    turns = dict(zip(sorted({call.turn for call in placed}), sorted(waiting), strict=False))
    indices: list[int | None] = []
    for call in placed:
        candidates = waiting.get(turns.get(call.turn, -1), [])
        match = next((p for p in candidates if trajectory.calls[p].tool == call.tool), None)
        if match is not None:
            candidates.remove(match)
        indices.append(match)
    return indices


def find_known_edges(
    graph: Sequence[GraphNode], placed: Sequence[ScheduledCall], places: Sequence[int | None]
) -> list[CallEdge]:
    """The graph's edges between executed calls, by their places in the trajectory."""
    needs = {node.node: node.needs for node in graph}
    by_node: dict[str, int] = {}
    for number, call in enumerate(placed):
        for node in call.did:
            by_node.setdefault(node, number)
    edges: dict[tuple[int, int], CallEdge] = {}
    for call, target in zip(placed, places, strict=True):
        for need in needs.get(call.node or "", []):
            source = _source(by_node.get(need), call, placed, places)
            if source is not None and target is not None:
                edges.setdefault((source, target), CallEdge(source, target, printable(need, 60)))
    return list(edges.values())


def _source(
    doer: int | None,
    call: ScheduledCall,
    placed: Sequence[ScheduledCall],
    places: Sequence[int | None],
) -> int | None:
    """The call that did what is needed, where it was made in an earlier turn."""
    if doer is None or placed[doer].turn >= call.turn:
        return None
    return places[doer]


ByTrajectory = Mapping[str, ScoredSample]


def find_known_schedules(
    trajectories: Iterable[Trajectory], marked: ByTrajectory
) -> dict[str, KnownSchedule]:
    """Known schedules of the marked trajectories' calls."""
    schedules = {}
    for trajectory, sample in _pairs(trajectories, marked):
        placed = sample.marks.placed
        places = match_calls(trajectory, placed)
        schedules[trajectory.trajectory_id] = KnownSchedule(
            edges=find_known_edges(sample.marks.graph, placed, places),
            seconds={p: c.seconds for p, c in zip(places, placed, strict=True) if p is not None},
        )
    return schedules


def build_planning_rows(trajectories: Iterable[Trajectory], marked: ByTrajectory) -> pl.DataFrame:
    """The table `planning` for the marked among these trajectories."""
    rows = [
        _build_planning(trajectory, sample) for trajectory, sample in _pairs(trajectories, marked)
    ]
    names = [column.name for column in PLANNING]
    return as_frame([tuple(row[name] for name in names) for row in rows], PLANNING)


def placement_rows(trajectories: Iterable[Trajectory], marked: ByTrajectory) -> pl.DataFrame:
    """The table `placements` for the marked among these trajectories."""
    rows: list[tuple[Any, ...]] = []
    for trajectory, sample in _pairs(trajectories, marked):
        placed = sample.marks.placed
        places = match_calls(trajectory, placed)
        early = early_calls(sample.marks.graph, placed)
        for call, index, is_early in zip(placed, places, early, strict=True):
            if index is not None and call.ran:
                produced = trajectory.calls[index]
                where = trajectory.trajectory_id, produced.turn, produced.call
                rows.append(
                    (*where, call.node, len(call.did), call.seconds, is_early, call.repeated)
                )
    return as_frame(rows, PLACEMENTS)


def _pairs(
    trajectories: Iterable[Trajectory], marked: ByTrajectory
) -> Iterable[tuple[Trajectory, ScoredSample]]:
    return ((t, marked[t.trajectory_id]) for t in trajectories if t.trajectory_id in marked)


def _build_planning(trajectory: Trajectory, sample: ScoredSample) -> dict[str, Any]:
    marks = sample.marks
    schedule = measure_schedule(marks.graph, marks.placed, marks.scheduling == "sequential")
    measured = structs.asdict(schedule)
    return {
        **measured,
        **_selection(marks),
        "trajectory_id": trajectory.trajectory_id,
        "scheduling": marks.scheduling,
        "answers": marks.answers,
        "subtasks": marks.subtasks,
        "completed": len(marks.completed),
        "unclear": None if marks.unclear is None else len(marks.unclear),
        "completion": sample.completion,
        "correct": len(marks.completed) == marks.subtasks and not marks.harms,
        "harms": None if marks.harms is None else len(marks.harms),
        "ceiling": marks.ceiling,
        "judged_completion": marks.judged_completion,
        "judged_subtasks": marks.judged_subtasks,
        "call_turns": schedule.turns,
        "tool_seconds": schedule.makespan_seconds,
        "model_seconds": _model_seconds(trajectory),
        "wall_seconds": marks.wall_seconds,
        "stopped": marks.stopped,
    }


def _selection(marks: PlanScore) -> dict[str, Any]:
    selected = set(marks.selected or ())
    serving = selected & set(marks.serving_tools)
    covered = sum(bool(selected & set(tools)) for tools in marks.needed_tools)
    return {
        "selection": marks.selection,
        "selected_tools": len(selected),
        "selection_precision": len(serving) / len(selected) if selected else None,
        "selection_recall": covered / len(marks.needed_tools) if marks.needed_tools else None,
        "judged_selection": marks.judged_selection,
    }


def _model_seconds(trajectory: Trajectory) -> float | None:
    times = [turn.latency_seconds for turn in trajectory.turns]
    return None if None in times else sum(seconds for seconds in times if seconds is not None)
