"""The schedules of our own planning tasks, while traces are measured.

Takes where a ledger's files are and trajectories; returns which of their calls depend on which, and
the rows of `planning` and `placements`. The logs of our tasks hold the graph of work.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agentdyno.intake.opening import locate
from agentdyno.records import Trajectory
from agentdyno.studies.derivation import Frames, Ground, KnownSchedules, TaskSchedules

LOGS = "inspect_ai"
"""The format of our own tasks' logs."""


def begin(ground: Ground) -> Callable[[Sequence[Trajectory]], tuple[KnownSchedules, Frames]]:
    """Look up schedules for batches of trajectories."""
    if all(format != LOGS for _, format in ground.inputs.values()):
        return lambda trajectories: ({}, {})
    from agentdyno_bench.tps.scored_samples import read_scored_samples
    from agentdyno_bench.tps.studies import rows as planned

    marked = {
        sample.trajectory_id: sample
        for name, path in _list_logs(ground)
        for sample in read_scored_samples(path, name)
    }

    def look_up(trajectories: Sequence[Trajectory]) -> tuple[KnownSchedules, Frames]:
        rows = {
            "planning": planned.build_planning_rows(trajectories, marked),
            "placements": planned.placement_rows(trajectories, marked),
        }
        return planned.find_known_schedules(trajectories, marked), rows

    return look_up


def _list_logs(ground: Ground) -> Iterator[tuple[str, Path]]:
    for name, (location, format) in sorted(ground.inputs.items()):
        path = _file(location) if format == LOGS else None
        if path is not None:
            yield name, path


def _file(location: str) -> Path | None:
    try:
        path = locate(location)
    except OSError:
        return None
    return path if path.is_file() else None


TASK_SCHEDULES = TaskSchedules("tps", ("planning", "placements"), begin)
