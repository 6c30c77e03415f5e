"""Tool-mixing by setting: trajectories that call tools of more than one name, and their cost.

The PTE paper's heuristic (Appendix E): more than one distinct tool in a trajectory. Names are
counted as they are; tools that belong together (search and visit) count as two here, unlike in
the table of patterns, where toolsets are known. Trajectories without any call are left out.

Worked: of three trajectories with calls, one uses search and python -> 33 %.
"""

import polars as pl

from agentdyno.estimates.estimate import Estimate
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import Mixing
from agentdyno.studies.readings import missing, ratio_of, share_of


def study_mixing(frames: Frames) -> list[Mixing]:
    """Every setting with tool calls."""
    names = frames.calls.group_by("trajectory_id", maintain_order=True).agg(
        names=pl.col("tool").n_unique()
    )
    rows = frames.trajectories.join(names, on="trajectory_id").with_columns(
        mixed=pl.col("names") > 1
    )
    return [
        Mixing(frames.settings[place], share_of(part, "mixed"), _multiplier(part))
        for place, part in frames.by_setting(rows).items()
    ]


def _multiplier(rows: pl.DataFrame) -> Estimate:
    mixed, single = rows.filter(pl.col("mixed")), rows.filter(~pl.col("mixed"))
    if mixed.is_empty() or single.is_empty():
        which = "mixes tools" if mixed.is_empty() else "keeps to one tool"
        return missing(f"no trajectory {which}", len(rows))
    return ratio_of(single, mixed, "cost")
