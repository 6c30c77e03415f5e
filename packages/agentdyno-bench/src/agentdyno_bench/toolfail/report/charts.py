"""The pictures of the topic on failures: a `FailureReport` in, charts for any renderer out."""

from itertools import combinations
from statistics import median

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import ChartRow, PlaneChart, PlanePoint, RowsChart, TopicChart
from agentdyno_bench.toolfail.findings.leaderboard import Standing
from agentdyno_bench.toolfail.report.tables import CHECK_WORDS, LABEL_WORDS
from agentdyno_bench.toolfail.studies.doubts import CheckFound
from agentdyno_bench.toolfail.studies.report import FailureReport

MOST_NAMED = 8
"""Models whose names find room beside their points."""
MOST_COLOURS = 6
"""Models that a legend can tell apart."""
NEAR_ACROSS, NEAR_UP = 0.35, 0.08
"""Of the whole width and height."""
MOST_ROWS = 12
"""Rows of a chart; more models than fit are summed up by their median."""


def failure_charts(report: FailureReport) -> list[TopicChart]:
    scored = [s for s in report.leaderboard.standings if s.rank is not None]
    charts: list[TopicChart] = []
    if any(s.rates.required and s.rates.control for s in scored):
        charts.append(_profile_chart(scored))
    if scored:
        charts.append(_domain_chart(scored))
    if spent := cost_by_outcome(report):
        charts.append(_cost_chart(spent, report.unit))
    return charts


def _profile_chart(scored: list[Standing]) -> PlaneChart:
    places = [(s.rates.rates["Clean"], s.rates.rates["UTR"]) for s in scored]
    named = len(scored) <= MOST_NAMED and not _is_crowded(places)
    # Names that would lie on each other go to the legend, as long as it has a colour for each.
    by_model = not named and len(scored) <= MOST_COLOURS
    return PlaneChart(
        name="failure-profiles",
        title="Clean tool use against needless calls",
        across="clean, share of required tasks",
        up="UTR: needless calls, share of controls",
        points=[
            PlanePoint(s.model, x, y, s.model if by_model else s.profile.name)
            for s, (x, y) in zip(scored, places, strict=True)
        ],
        across_kind="share",
        up_kind="share",
        named=named,
        half=True,
    )


def _is_crowded(places: list[tuple[Estimate, Estimate]]) -> bool:
    """True when two points are so near that their names would touch."""
    points = [(x.value, y.value) for x, y in places if x.value is not None and y.value is not None]
    top = max((y.high or 0.0 for _, y in places), default=0.0) or 1.0
    return any(
        abs(x - other_x) < NEAR_ACROSS and abs(y - other_y) < NEAR_UP * top
        for (x, y), (other_x, other_y) in combinations(points, 2)
    )


def _domain_chart(scored: list[Standing]) -> RowsChart:
    domains = sorted({domain for s in scored for domain in s.by_domain})
    if len(domains) * len(scored) > MOST_ROWS:
        title = f"Returns ignored by domain: median, lowest and highest of {len(scored)} models"
        rows = [ChartRow(domain, _middle(scored, domain)) for domain in domains]
    else:
        title = "Returns ignored, by domain"
        rows = [
            ChartRow(
                domain if len(scored) == 1 else f"{domain}, {s.model}",
                s.by_domain[domain].rates["RIR"],
            )
            for domain in domains
            for s in scored
            if domain in s.by_domain
        ]
    axis = "RIR: return ignored, share of required tasks"
    return RowsChart("failure-domains", title, axis, rows, kind="share", half=True)


def _middle(scored: list[Standing], domain: str) -> Estimate:
    rates = [s.by_domain[domain].rates["RIR"].value for s in scored if domain in s.by_domain]
    values = [rate for rate in rates if rate is not None]
    if not values:
        return Estimate(None, None, None, 0, reason="no required task")
    method = "median over models, from the lowest to the highest"
    return Estimate(median(values), min(values), max(values), len(values), method=method)


def _cost_chart(spent: dict[str, float], unit: CostUnit) -> RowsChart:
    total = sum(spent.values())
    ordered = sorted(spent.items(), key=lambda each: -each[1])
    rows = [
        ChartRow(
            LABEL_WORDS.get(label, label),
            Estimate(cost / total if total else None, None, None, 0),
            strong=label != "correct",
        )
        for label, cost in ordered
    ]
    title, axis = "What each outcome cost", f"share of all {UNITS[unit]}"
    return RowsChart("failure-costs", title, axis, rows, kind="share", half=True)


def cost_by_outcome(report: FailureReport) -> dict[str, float]:
    """Cost by outcome, over all models."""
    spent: dict[str, float] = {}
    for cost in report.costs:
        if cost.cost_mean is not None:
            priced = cost.trajectories - cost.unpriced
            spent[cost.label] = spent.get(cost.label, 0.0) + cost.cost_mean * priced
    return spent


def doubt_charts(results: list[CheckFound]) -> list[TopicChart]:
    """Shares of trajectories with each doubt; none when nothing could be looked at."""
    rows = [ChartRow(CHECK_WORDS[result.check], result.share) for result in results]
    if not any(row.reading.value is not None for row in rows):
        return []
    return [
        RowsChart(
            "failure-doubts",
            "Doubts, by checks that need no truth",
            "share of the trajectories looked at",
            rows,
            kind="share",
            half=True,
        )
    ]
