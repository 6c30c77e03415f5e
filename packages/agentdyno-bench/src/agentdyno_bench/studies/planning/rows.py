"""Measures of each attempt: schedule against the best known, selection against what serves.

    precision of a selection = chosen tools that can serve something / chosen tools
    recall                   = subtasks that a chosen tool can serve / subtasks

Takes scores and the trajectories they belong to; returns the rows of `planning` and `placements`,
and the edges of the tasks' graphs between calls.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl
from msgspec import structs

from agentdyno.findings.scheduling.table import as_frame
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import PLACEMENTS, PLANNING, KnownSchedule
from agentdyno_bench.studies.planning.graph_measures import early_calls, measure_schedule
from agentdyno_bench.studies.planning.placement import find_known_edges, match_calls
from agentdyno_bench.studies.planning.scored import PlanScore, ScoredSample

ByTrajectory = Mapping[str, ScoredSample]


def find_known_schedules(
    trajectories: Iterable[Trajectory], marked: ByTrajectory
) -> dict[str, KnownSchedule]:
    """What the tasks of the marked trajectories tell about their calls."""
    found = {}
    for trajectory, sample in _pairs(trajectories, marked):
        placed = sample.marks.placed
        places = match_calls(trajectory, placed)
        found[trajectory.trajectory_id] = KnownSchedule(
            edges=find_known_edges(sample.marks.graph, placed, places),
            seconds={p: c.seconds for p, c in zip(places, placed, strict=True) if p is not None},
        )
    return found


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
        for call, place, is_early in zip(placed, places, early, strict=True):
            if place is not None and call.ran:
                produced = trajectory.calls[place]
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
    chosen = set(marks.selected or ())
    serving = chosen & set(marks.serving_tools)
    covered = sum(bool(chosen & set(tools)) for tools in marks.needed_tools)
    return {
        "selection": marks.selection,
        "selected_tools": len(chosen),
        "selection_precision": len(serving) / len(chosen) if chosen else None,
        "selection_recall": covered / len(marks.needed_tools) if marks.needed_tools else None,
        "judged_selection": marks.judged_selection,
    }


def _model_seconds(trajectory: Trajectory) -> float | None:
    known = [turn.latency_seconds for turn in trajectory.turns]
    return None if None in known else sum(seconds for seconds in known if seconds is not None)
