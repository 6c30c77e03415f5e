"""Whether a change worked: what sessions cost before a moment against what they cost after it.

Takes an inquiry and a moment, returns `Proof`. Sessions are matched by project and size of task
(the prompts of a user, by powers of two): each such group that has sessions on both sides counts
once, by the mean cost of its sessions on each side, and the ratio of the two means has an interval.

    worked         the interval lies below 1
    cost more      the interval lies above 1
    no difference  the interval lies within 10 % of 1
    inconclusive   anything else, or too few groups for an interval

It is no experiment: whatever else changed at that moment is in the figure too.
Worked: groups at $2, $4 before and $1, $2 after: 0.5 of the cost.
"""

from typing import Literal

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.paired import average_shared_tasks, paired_ratio
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.readings import by_task
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots

SAME = 0.1
"""A change of less than this share makes no difference."""

Outcome = Literal["worked", "cost more", "no difference", "inconclusive"]


class Proof(Struct, frozen=True, kw_only=True):
    """Before against after."""

    outcome: Outcome
    """What the interval says."""
    ratio: Estimate
    """Cost after over cost before, sessions of a kind matched."""
    unit: CostUnit
    """What costs are counted in."""
    before: int
    """Sessions that began before the change."""
    after: int
    """Sessions that began after it."""
    unmatched: int
    """Sessions without one of their kind on the other side, or without a date or a cost."""
    groups: int
    """Kinds of session (project and size) that both sides have."""


def study_proof(context: ReportContext, change: float) -> Proof:
    """Sessions before and after a moment in seconds since 1970."""
    rows = _sessions(context)
    known = rows.drop_nulls(["started_at", "cost"])
    sides = (
        known.filter(pl.col("started_at") < change),
        known.filter(pl.col("started_at") >= change),
    )
    first, second = (by_task(side, "cost") for side in sides)
    ratio = paired_ratio(first, second)
    shared = first.keys() & second.keys()
    matched = sum(len(side[task]) for side in (first, second) for task in shared)
    return Proof(
        outcome=_outcome(ratio),
        ratio=ratio,
        unit=context.unit,
        before=len(sides[0]),
        after=len(sides[1]),
        unmatched=len(rows) - matched,
        groups=len(average_shared_tasks(first, second)[0]),
    )


def _sessions(context: ReportContext) -> pl.DataFrame:
    """Sessions with their beginning, their cost, and their kind as `task`."""
    projects = context.frames.trajectories.select("project", session="trajectory_id")
    turns = context.frames.turns.join(find_roots(context), on="trajectory_id", how="left").join(
        projects, on="session", how="left"
    )
    prompts = (
        context.frames.parts.filter(kind="user")
        .group_by(session="trajectory_id")
        .agg(prompts=pl.len())
    )
    sums = turns.group_by("session", "project").agg(
        started_at=pl.coalesce("started_at", "ended_at").min(),
        cost=pl.when(pl.col("cost").null_count() == 0).then(pl.col("cost").sum()),
    )
    size = (pl.col("prompts").fill_null(0) + 1).log(2).floor().cast(pl.Int64)
    kind = pl.concat_str(pl.col("project").fill_null(""), size.cast(pl.String), separator="\0")
    return sums.join(prompts, on="session", how="left").with_columns(task=kind).sort("session")


def _outcome(ratio: Estimate) -> Outcome:
    low, high = ratio.low, ratio.high
    if low is None or high is None:
        return "inconclusive"
    if high < 1:
        return "worked"
    if low > 1:
        return "cost more"
    return "no difference" if low > 1 - SAME and high < 1 + SAME else "inconclusive"
