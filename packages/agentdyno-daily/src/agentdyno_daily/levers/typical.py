"""What a lever does to a typical session, as `proof` will compare them.

A lever's dollars are those of all sessions together, of which a few long ones are most; `proof`
takes the geometric mean over sessions. A prediction in the same measure stands beside it.
Worked: sessions of $1 and $9 that would cost $0.50 and $8.10: 14 % of the dollars, and 33 % of a
typical session, as the square root of .5 * .9 is .67.
"""

import math

import polars as pl

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots
from agentdyno.studies.whatif import WhatIfOptions, study_whatif
from agentdyno_daily.levers.policies import list_policies, read_notes
from agentdyno_daily.levers.predicted import literal
from agentdyno_daily.levers.servers import NAME, all_tools_of


def predict_typical(context: ReportContext, lever: Lever) -> float | None:
    """Cost after over before, the geometric mean over sessions; None where `whatif` has no
    answer."""
    options = _find_options(context, lever)
    if options is None or context.unit != "usd":
        return None
    _, rows = study_whatif(context.tables, options, read_notes(context.tables))
    sums = (
        rows()
        .join(find_roots(context), on="trajectory_id")
        .group_by("session")
        .agg(pl.col("usd_before", "usd_after").sum())
        .filter(pl.col("usd_before") > 0, pl.col("usd_after") > 0)
    )
    mean = (sums["usd_after"].log() - sums["usd_before"].log()).mean()
    return math.exp(mean) if isinstance(mean, float) else None


def _find_options(context: ReportContext, lever: Lever) -> WhatIfOptions | None:
    if lever.name.startswith(NAME):
        return WhatIfOptions(drop_tools=(all_tools_of(lever.name.removeprefix(NAME)),))
    if lever.name == "unused_tools":
        return WhatIfOptions(drop_tools=tuple(map(literal, lever.where)))
    tried = list_policies(context)
    same = (
        each.options for each in tried if (each.name, each.command) == (lever.name, lever.command)
    )
    return next(same, None)
