"""Which turns of a ledger could have been one, as arrays for the prediction.

Takes the trajectories that can still be read; one whose file is gone or has changed is reported and
left alone. What makes turns one is decided where missed
parallelism is measured, `metrics.scheduling.joining`: both name the same turns.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from agentdyno.metrics.cost.columns import Flags
from agentdyno.metrics.scheduling import infer_edges, joinable_turns
from agentdyno.records import Trajectory
from agentdyno.studies.whatif.changes import Joins
from agentdyno.studies.whatif.recorded import Recorded


def find_joins(
    read: Callable[[], Iterable[Trajectory]],
    r: Recorded,
    dropped: Callable[[str], bool],
    gone: Flags,
) -> Joins:
    """Looks for calls that did not depend on each other in the trajectories that can be read."""
    into = np.arange(r.turns)
    places = {name: i for i, name in enumerate(r.trajectories["trajectory_id"])}
    unread = np.bincount(r.turn_trajectory[r.calls > 0], minlength=len(places)) > 1
    many = np.diff(r.first_turn)
    for trajectory in read():
        place = places.get(trajectory.trajectory_id)
        if place is None or len(trajectory.turns) != many[place]:
            continue
        unread[place] = False
        base = int(r.first_turn[place])
        here = gone[base : base + len(trajectory.turns)].tolist()
        for later, earlier in joined_turns(trajectory, dropped, here).items():
            into[base + later] = base + earlier
    return Joins(into, unread)


def joined_turns(
    trajectory: Trajectory,
    dropped: Callable[[str], bool] = lambda tool: False,
    gone: Sequence[bool] = (),
) -> dict[int, int]:
    """Turns that join an earlier one, by their place in the trajectory."""
    return joinable_turns(trajectory, infer_edges(trajectory), "inferred", dropped, gone)
