"""Whether a change worked: what sessions cost before a moment against what they cost after it.

Takes a context and a moment, returns `Proof`. Sessions are matched by project and length (the
prompts of a user, by powers of two). The ratio is that of geometric means at equal strata: least
squares on the logarithm of a session's cost with a level for each stratum and one effect of the
change, and Student's interval. Strata without sessions on both sides say nothing and are left out.

    worked         the interval lies below 1
    cost more      the interval lies above 1
    no difference  the interval lies within 10 % of 1
    inconclusive   anything else, or too few groups for an interval

It is no experiment: whatever else changed at that moment is in the figure too.
Worked: strata at $2, $4 before and $1, $2 after: 0.5 of the cost.
"""

import math
from typing import Literal

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, exponential, undefined_estimate
from agentdyno.estimates.quantiles import student_quantile
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots

METHOD = "ratio of geometric means at equal project and length"
FEWEST_SPARE = 6
"""Sessions beyond those that fix a level and the effect, for an interval."""
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
    before: int
    """Sessions that began before the change."""
    after: int
    """Sessions that began after it."""
    unmatched: int
    """Sessions without one of their kind on the other side, or without a date or a cost."""
    groups: int
    """Kinds of session (project and length) that both sides have."""
    predicted: float | None = None
    """The ratio that was predicted when the change was made; None where nobody did."""


def study_proof(
    context: ReportContext,
    change: float,
    until: float | None = None,
    predicted: float | None = None,
) -> Proof:
    """Sessions before and after a moment in seconds since 1970, those after it up to another."""
    rows = _sessions(context)
    rows = rows if until is None else rows.filter(pl.col("started_at") < until)
    known = rows.drop_nulls(["started_at", "cost"]).filter(pl.col("cost") > 0)
    known = known.with_columns(after=pl.col("started_at") >= change)
    both = known.filter(pl.col("after").n_unique().over("task") == 2)
    ratio = stratified_ratio(both)
    return Proof(
        outcome=judge_ratio(ratio),
        ratio=ratio,
        unit=context.unit,
        before=int((~known["after"]).sum()),
        after=int(known["after"].sum()),
        unmatched=len(rows) - len(both),
        groups=both["task"].n_unique(),
        predicted=predicted,
    )


def stratified_ratio(rows: pl.DataFrame) -> Estimate:
    """Geometric mean cost `after` over before, at equal `task`; every task has both."""
    if rows.is_empty():
        reason = "no session before the change is like one after it"
        return undefined_estimate(reason, n=0, method=METHOD)
    own = pl.col("logs", "late")
    centred = rows.with_columns(logs=pl.col("cost").log(), late=pl.col("after").cast(pl.Float64))
    centred = centred.with_columns(own - own.mean().over("task"))
    y, x = centred["logs"].to_numpy(), centred["late"].to_numpy()
    weight = float(x @ x)
    effect = float(x @ y) / weight
    freedom = len(rows) - rows["task"].n_unique() - 1
    if freedom < FEWEST_SPARE:
        return Estimate(
            exponential(effect), n=len(rows), method=METHOD, reason="too few sessions to say more"
        )
    spread = float(np.sum((y - effect * x) ** 2)) / freedom
    reach = student_quantile(0.975, freedom) * math.sqrt(spread / weight)
    low, high = exponential(effect - reach), exponential(effect + reach)
    return Estimate(exponential(effect), low, high, len(rows), method=METHOD)


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


def judge_ratio(ratio: Estimate) -> Outcome:
    """What an interval of cost after over cost before says."""
    low, high = ratio.low, ratio.high
    if low is None or high is None:
        return "inconclusive"
    if high < 1:
        return "worked"
    if low > 1:
        return "cost more"
    return "no difference" if low > 1 - SAME and high < 1 + SAME else "inconclusive"
