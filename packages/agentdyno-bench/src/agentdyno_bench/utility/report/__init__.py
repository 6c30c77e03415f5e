"""The topic of usefulness: did the calls help, which tools should go, and who says so.

Takes a ledger with verdicts, returns a `Topic`. All numbers are `studies.utility`'s; what other
kinds of verdicts say is listed below them.
"""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural, printable
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import AXES, LESS, UNITS, amount, cost, percent
from agentdyno.reports.topic import (
    ChartRow,
    PlaneChart,
    PlanePoint,
    RowsChart,
    Topic,
    TopicChart,
)
from agentdyno_bench.shared.verdicts.results import VerdictSummary
from agentdyno_bench.utility.findings.results import ToolUtility
from agentdyno_bench.utility.report.tables import utility_tables, verdict_table
from agentdyno_bench.utility.studies.judged_calls import ROLLOUT
from agentdyno_bench.utility.studies.results import Usefulness, UtilityReport

ANCHOR, TITLE = "usefulness", "Did the calls help?"
MOST_TOOLS = 20
"""Tools in a chart; the table has all."""
MOST_POINTS = 10
"""Tools in the plane, where names would cover each other."""
WHAT = (
    "A call helped when it raised the odds that the task is solved; one that left them as they "
    "were did not. Eta is the share of a trajectory's calls that helped; it does not exist for a "
    "trajectory without a judged call."
)


def render_utility(usefulness: Usefulness) -> Topic:
    report, other_verdicts = usefulness.report, usefulness.verdicts
    return Topic(
        anchor=ANCHOR,
        title=TITLE,
        lead=" ".join([*_lead(report), *map(_verdicts_lead, other_verdicts)]),
        notes=_notes(report),
        charts=_charts(report) if report else [],
        tables=[*(utility_tables(report) if report else []), *map(verdict_table, other_verdicts)],
    )


def _lead(report: UtilityReport | None) -> list[str]:
    if report is None:
        return ["Nobody has judged yet which calls helped."]
    eta = report.eta
    if not eta.calls:
        return [f"Not one of {plural(eta.unjudged, 'call')} has a label: judges gave none, or are "
                "evenly divided."]  # fmt: skip
    judged = plural(eta.trajectories - eta.undefined, "trajectory", "trajectories")
    lines = [
        f"In {judged} with judged calls, on average {share_in_words(eta.mean)} of a trajectory's "
        f"calls helped; of all {plural(eta.calls, 'call')} together, {share_in_words(eta.pooled)}."
    ]
    return [*lines, *_waste(report), *_list_advice(report)]


def _waste(report: UtilityReport) -> list[str]:
    tools = report.tools
    spent = [tool.cost for tool in tools if tool.cost is not None]
    wasted = [tool.wasted_cost for tool in tools if tool.wasted_cost is not None]
    if not spent or len(wasted) < len(tools) or not sum(spent):
        return []
    share = percent(sum(wasted) / sum(spent))
    wasted_cost = cost(sum(wasted), report.unit)
    return [f"Calls that did not help took {wasted_cost}, {share} of what calls took."]


def _list_advice(report: UtilityReport) -> list[str]:
    drops = [advice for advice in report.advice if advice.action == "drop"]
    tools = [printable(advice.tool, 40) for advice in report.advice if advice.may_write]
    may_write = [f"These did not help either, but may write: {', '.join(tools)}."] if tools else []
    if not drops:
        return may_write or ["No tool is so surely useless that it should be dropped."]
    named = []
    for advice in drops[:5]:
        saved = advice.saving.share if advice.saving else None
        less = "" if saved is None else f" ({percent(saved)} {LESS[report.unit]})"
        named.append(f"{printable(advice.tool, 40)}{less}")
    more = f" and {len(drops) - 5:,} more" if len(drops) > 5 else ""
    return [f"Advice: drop {', '.join(named)}{more}.", *may_write]


def _verdicts_lead(summary: VerdictSummary) -> str:
    labelled = sum(judge.labelled for judge in summary.judges)
    total = sum(judge.verdicts for judge in summary.judges)
    return f"{summary.kind.capitalize()}: {labelled:,} of {plural(total, 'verdict')} with a label."


def _notes(report: UtilityReport | None) -> list[str]:
    if report is None:
        return []
    who = ", ".join(printable(name, 60) for name in report.judges)
    notes = [WHAT, f"Judged by {who}."]
    if report.eta.undefined:
        without = plural(report.eta.undefined, "trajectory has", "trajectories have")
        notes.append(f"{without} no judged call: eta is unknown there and not 0.")
    if not report.validation and not all(name.startswith(f"{ROLLOUT} (") for name in report.judges):
        notes.append(
            "No rollouts stand against these verdicts: nobody has checked the judges by trying."
        )
    if len(report.advice) > 1:
        notes.append(
            f"Advice on {len(report.advice)} tools at once: chances are corrected after Holm, so "
            "that all drops together are wrong at most 5 times in 100. What may write is never "
            "dropped on verdicts alone."
        )
    if any(advice.may_write for advice in report.advice):
        notes.append(
            "A tool may write unless something proves that it only reads: an MCP readOnlyHint, the "
            "shell lines or SQL of its calls, or your word, --reads-only TOOL. Its name proves "
            "nothing."
        )
    return notes + report.notes


def _charts(report: UtilityReport) -> list[TopicChart]:
    judged = [tool for tool in report.tools if tool.calls][:MOST_TOOLS]
    charts: list[TopicChart] = []
    if judged:
        charts.append(_share_chart(judged))
    if wasted := [tool for tool in judged if tool.wasted_cost]:
        charts.append(_waste_chart(wasted, report.unit))
    if placed := [tool for tool in judged if tool.cost is not None]:
        placed.sort(key=lambda tool: (-(tool.cost or 0.0), tool.tool))
        charts.append(_plane(placed[:MOST_POINTS], report.unit))
    return charts


def _share_chart(tools: list[ToolUtility]) -> RowsChart:
    ordered = sorted(tools, key=lambda tool: (-(tool.share.value or 0.0), tool.tool))
    rows = [
        ChartRow(printable(tool.tool, 40), tool.share, f"{tool.useful:,} of {tool.calls:,}")
        for tool in ordered
    ]
    title = "Share of each tool's calls that helped, with its interval"
    return RowsChart(
        "useful-by-tool", title, "calls that helped", rows, kind="share", style="points", middle=0.5
    )


def _waste_chart(tools: list[ToolUtility], unit: CostUnit) -> RowsChart:
    ordered = sorted(tools, key=lambda tool: (-(tool.wasted_cost or 0.0), tool.tool))
    rows = [
        ChartRow(
            printable(tool.tool, 40),
            exact(tool.wasted_cost, tool.not_useful),
            f"of {amount(tool.cost, unit)}",
            strong=tool.aggregate < 0,
        )
        for tool in ordered
    ]
    title = "What calls that did not help took; marked where most of a tool's calls did not"
    axis = f"{UNITS[unit]} of calls that did not help"
    return RowsChart("wasted-by-tool", title, axis, rows, kind=AXES[unit])


def _plane(tools: list[ToolUtility], unit: CostUnit) -> PlaneChart:
    points = [
        PlanePoint(
            printable(tool.tool, 40),
            exact(tool.cost, tool.calls),
            exact(float(tool.aggregate), tool.calls),
        )
        for tool in tools
    ]
    return PlaneChart(
        "utility-plane",
        "Utility (useful calls minus the others) against what a tool's calls took, costliest tools",
        f"{UNITS[unit]} of its calls",
        "utility",
        points,
        across_kind=AXES[unit],
        up_kind="count",
    )


def exact(value: float | None, n: int) -> Estimate:
    """A sum, which has no interval."""
    return Estimate(value, None, None, n, method="sum")


def share_in_words(reading: Estimate) -> str:
    """A share with its interval, in words."""
    if reading.low is None or reading.high is None:
        return percent(reading.value)
    low, high = 100 * reading.low, 100 * reading.high
    return f"{percent(reading.value)} (95 % interval {low:.1f} to {high:.1f} %)"
