"""Which turns of a ledger could have been one, as arrays for the prediction.

What makes turns one is decided where missed parallelism is measured, `findings.scheduling.joining`:
both name the same turns. So the ledger's tables are asked, where they say it of today's rules and
no other change takes calls away; otherwise the trajectories that can still be read, and one whose
file is gone or has changed is reported and left alone.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import polars as pl

from agentdyno.cost.columns import Flags
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import AFTER_NOTES
from agentdyno.studies.whatif.changes import Joins
from agentdyno.studies.whatif.recorded import Recorded


def read_recorded_joins(
    joins: pl.DataFrame, scheduling: pl.DataFrame, r: Recorded, only_notes: bool = False
) -> Joins | None:
    """The turns that the tables name, or those of them that follow notes alone; None where they do
    not speak of every trajectory that has calls to look at, or not as one."""
    inferred = pl.col("edge_source") == "inferred"
    sure = joins.filter(inferred, pl.col("confidence") == "certain")
    numbered = r.trajectories.select("trajectory_id").with_row_index("place")
    found = sure.join(numbered, on="trajectory_id", how="inner")
    missed = numbered.join(scheduling.filter(inferred), on="trajectory_id", how="left")
    unread = np.bincount(r.turn_trajectory[r.calls > 0], minlength=len(numbered)) > 1
    is_measured = missed["missed_turns"].is_not_null().to_numpy()
    counts = np.bincount(found["place"].to_numpy(), minlength=len(numbered))
    missed_turns = missed["missed_turns"].fill_null(0).to_numpy()
    if (
        len(missed) != len(numbered)
        or (unread & ~is_measured).any()
        or (counts < missed_turns).any()
    ):
        return None
    if only_notes:
        found = found.filter(pl.col("reason") == AFTER_NOTES)
    base = r.first_turn[found["place"].to_numpy()]
    into = np.arange(r.turns)
    into[base + found["turn"].to_numpy()] = base + found["into"].to_numpy()
    # A turn may join one that itself joins another; both are then part of the first.
    while (into[into] != into).any():
        into = into[into]
    return Joins(into, np.zeros(len(numbered), dtype=bool))


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
        index = places.get(trajectory.trajectory_id)
        if index is None or len(trajectory.turns) != many[index]:
            continue
        unread[index] = False
        base = int(r.first_turn[index])
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
    # Their patterns of words take a while to compile, and most ledgers hold the answer.
    from agentdyno.findings.scheduling.inference import infer_edges
    from agentdyno.findings.scheduling.joining import joinable_turns

    return joinable_turns(trajectory, infer_edges(trajectory), "inferred", dropped, gone)
