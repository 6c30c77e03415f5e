"""Rows of the dyno sheet that come from judged calls, planning runs and failure labels."""

from collections.abc import Sequence

import polars as pl

from agentdyno.estimates.estimate import Estimate, exact
from agentdyno.measures.planning import cost_of_pass
from agentdyno.records.settings import SettingName
from agentdyno.studies.readings import mean_of, missing
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sheet import SheetRow
from agentdyno_bench.shared.verdicts.current import verdicts_of
from agentdyno_bench.toolfail.studies.report import study_failures
from agentdyno_bench.tps.studies.report import study_planning
from agentdyno_bench.utility.studies import study_utility

MOST_TOOLS = 5
"""Rows for the utility of single tools, those with the most calls."""
RATES = ("CTUR", "TSR", "RIR", "OFR", "UTR", "CTRL-Acc")
NOT_MEASURED = missing("not measured")


def measure_utility(context: ReportContext, settings: Sequence[SettingName]) -> list[SheetRow]:
    """Mean eta, and the utility of the tools that were called most."""
    utility = study_utility(context)
    if utility is None or utility.report is None:
        return []
    by_setting = {row.setting: row for row in utility.report.settings}
    rows = [by_setting.get(setting) for setting in settings]
    etas = [NOT_MEASURED if row is None else row.eta.mean for row in rows]
    shares = [{tool.tool: tool.share for tool in row.tools} if row else {} for row in rows]
    names = [tool.tool for tool in utility.report.tools[:MOST_TOOLS]]
    utilities = [
        SheetRow(
            f"useful calls of {name}", "share", [row.get(name, NOT_MEASURED) for row in shares]
        )
        for name in names
    ]
    return [SheetRow("eta", "share", etas), *utilities]


def measure_planning(context: ReportContext, settings: Sequence[SettingName]) -> list[SheetRow]:
    """Completion, turns over the fewest possible, and tool time over the critical path."""
    planning = study_planning(context)
    if planning is None:
        return []
    by_setting = {
        SettingName(row.measures.model, row.measures.benchmark, row.measures.variant): row
        for row in planning.settings
    }
    rows = [by_setting.get(setting) for setting in settings]
    costs = [row and _exact(row.measures.cost_of_pass_usd) for row in rows]
    columns = {
        "completion": ("share", [row and row.completion for row in rows]),
        "turns over best": ("ratio", [row and row.turns_over_best for row in rows]),
        "makespan over critical": ("ratio", [row and row.makespan_over_critical for row in rows]),
        "cost-of-pass": ("money", costs),
    }
    return [
        SheetRow(name, kind, [value or NOT_MEASURED for value in values])  # type: ignore[arg-type]
        for name, (kind, values) in columns.items()
        if any(value is not None for value in values)
    ]


def measure_judged_completion(
    context: ReportContext, settings: Sequence[SettingName]
) -> list[SheetRow]:
    """Completion as judges see it, and what a completed task cost by that (the TPS paper's)."""
    scores = verdicts_of(context.tables, "completion").group_by("trajectory_id")
    judged = context.frames.trajectories.join(
        scores.agg(pl.col("score").mean()), on="trajectory_id"
    ).filter(pl.col("score").is_not_null())
    if judged.is_empty():
        return []
    places = [context.frames.settings.index(setting) for setting in settings]
    groups = [judged.filter(pl.col("setting") == place) for place in places]
    completions = [mean_of(group, "score") for group in groups]
    costs = [
        _exact(cost_of_pass(mean_of(group, "usd").value, completion.value or 0.0))
        for group, completion in zip(groups, completions, strict=True)
    ]
    return [
        SheetRow("completion, judged", "share", completions),
        SheetRow("cost-of-pass, judged", "money", [cost or NOT_MEASURED for cost in costs]),
    ]


def _exact(value: float | None) -> Estimate | None:
    return None if value is None else exact(value)


def measure_failures(context: ReportContext, settings: Sequence[SettingName]) -> list[SheetRow]:
    """The paper's rates by model, by the rater behind the report's leaderboard."""
    failures = study_failures(context)
    if failures is None or not failures.reports:
        return []
    report = failures.reports[0]
    by_model = {row.model: row.rates for row in report.rates if row.rater == report.headline}
    rows = [by_model.get(setting.model or "") for setting in settings]
    rates = [row.rates if row else {} for row in rows]
    return [
        SheetRow(name, "share", [row.get(name, NOT_MEASURED) for row in rates]) for name in RATES
    ]
