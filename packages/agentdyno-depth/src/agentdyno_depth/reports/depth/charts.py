"""Charts of depth as values: the heat map of thought, accuracy over depth, settings side by side.

Takes rows and bins that others computed, returns charts for any renderer. Computes nothing.
"""

from collections.abc import Mapping, Sequence

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.depth import cut_layer
from agentdyno.records import plural
from agentdyno.reports.numbers import short_names
from agentdyno.reports.topic import (
    ChartRow,
    HeatChart,
    PlaneChart,
    PlanePoint,
    RowsChart,
)
from agentdyno_depth.records.depth import DepthProfile, Thresholds
from agentdyno_depth.studies.depth.accuracy import Bin, Correlation
from agentdyno_depth.studies.depth.by_setting import SettingDepth, TurnPoint

RATIO = "deep-thinking ratio"
MOST_TOKENS = 500
"""Tokens of a heat map."""


def profile_chart(
    name: str, title: str, profile: DepthProfile, thresholds: Thresholds
) -> HeatChart:
    """The heat map of a response's first tokens."""
    texts = list(profile.tokens[:MOST_TOKENS])
    rows = profile.distances["jsd"][: len(texts)].astype(float).tolist()
    cut = cut_layer(profile.layers, thresholds.rho)
    return HeatChart(name, title, texts, rows, thresholds.g, cut)


def bins_chart(
    name: str, title: str, right: str, groups: Mapping[str, Sequence[Bin]]
) -> PlaneChart:
    """Accuracy over the ratio in quantile bins, a line for each group."""
    points = [
        PlanePoint(
            name=plural(quantile.responses, "response"),
            x=_exactly(quantile.score, quantile.responses),
            y=quantile.right,
            group=group,
        )
        for group, bins in groups.items()
        for quantile in bins
    ]
    return PlaneChart(
        name, title, RATIO, right, points, across_kind="ratio", lines=True, named=False
    )


def correlations_chart(name: str, title: str, rows: Mapping[str, Correlation]) -> RowsChart:
    """How each measure goes with being right."""
    chart_rows = [ChartRow(measure, line.reading) for measure, line in rows.items()]
    axis = "correlation over five bins"
    return RowsChart(name, title, axis, chart_rows, kind="ratio", style="points")


def outcome_chart(name: str, rows: Sequence[SettingDepth]) -> RowsChart:
    """Solved against unsolved trajectories of each setting that has both."""
    chart_rows = []
    for name_of, row in _name_rows(rows):
        if row.solved and row.unsolved:
            solved, unsolved = f"{row.solved:,} solved", f"{row.unsolved:,} unsolved"
            chart_rows.append(ChartRow(f"{name_of}, solved", row.solved_dtr, solved))
            chart_rows.append(
                ChartRow(f"{name_of}, unsolved", row.unsolved_dtr, unsolved, strong=True)
            )
    return RowsChart(
        name,
        "Deep-thinking ratio of solved and unsolved trajectories",
        RATIO,
        chart_rows,
        kind="share",
    )


def calls_chart(name: str, rows: Sequence[SettingDepth]) -> RowsChart:
    """The tokens of calls against all others, of each setting that has both."""
    chart_rows = []
    for name_of, row in _name_rows(rows):
        if row.call_dtr.value is not None:
            chart_rows.append(ChartRow(f"{name_of}, calls", row.call_dtr, strong=True))
            chart_rows.append(ChartRow(f"{name_of}, other tokens", row.rest_dtr))
    title = "Deep-thinking ratio at the tokens of tool calls and elsewhere"
    return RowsChart(name, title, RATIO, chart_rows, kind="share")


def turns_chart(name: str, groups: Mapping[str, Sequence[TurnPoint]]) -> PlaneChart:
    """The ratio from turn to turn, a line for each group; turns are counted from 1 for people."""
    points = [
        PlanePoint(f"turn {p.turn + 1}", _exactly(p.turn + 1, p.dtr.n), p.dtr, group)
        for group, turns in groups.items()
        for p in turns
    ]
    return PlaneChart(
        name,
        "Deep-thinking ratio by turn",
        "turn",
        RATIO,
        points,
        across_kind="ratio",
        lines=True,
        named=False,
    )


def _name_rows(rows: Sequence[SettingDepth]) -> list[tuple[str, SettingDepth]]:
    names = short_names([row.setting for row in rows if row.setting is not None])
    return list(zip(names, rows, strict=True))


def _exactly(value: float, n: int) -> Estimate:
    return Estimate(value, None, None, n)
