"""A schedule as a picture: lanes over time, one bar for each call, the critical path marked.

Takes bars that are already placed in time; returns a chart, or SVG fit for a page. No arithmetic
but lanes: a call goes to the first lane that is free when it starts.
"""

from typing import TYPE_CHECKING

from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import LIGHT
from agentdyno.reports.charts.render import as_svg
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import LanesChart
from agentdyno.studies.scheduling.lanes import Lane

if TYPE_CHECKING:
    import altair as alt

LANE_HEIGHT = 24
KINDS = {"critical path": "accent", "other": "series2", "failed": "unsolved"}
"""What a bar can be, with its colour."""
LETTER_WIDTH = 5.8
"""Of a label, in pixels; a label that is longer than its bar is left out."""


def lanes(bars: list[Lane]) -> list[int]:
    """The lane of each bar: as few as calls ran at the same time, critical ones first."""
    free: list[float] = []
    found: dict[int, int] = {}
    for place in sorted(range(len(bars)), key=lambda i: _order(bars[i])):
        bar = bars[place]
        lane = next((n for n, at in enumerate(free) if at <= bar.start + 1e-9), len(free))
        if lane == len(free):
            free.append(0.0)
        free[lane] = bar.end
        found[place] = lane
    return [found[place] for place in range(len(bars))]


def _order(bar: Lane) -> tuple[float, bool, float]:
    return bar.start, not bar.critical, bar.end


def draw_schedule(
    bars: list[Lane], turns: list[float], width: int = 860, axis: str = "seconds"
) -> "alt.LayerChart":
    """The chart; `turns` are the moments at which the agent made its next calls."""
    import altair as alt

    rows = lanes(bars)
    last = max((bar.end for bar in bars), default=1.0) or 1.0
    values = [
        {
            "lane": lane,
            "start": bar.start,
            "end": bar.end,
            "label": label(bar.label) if _fits(bar, last, width) else "",
            "kind": "failed" if bar.failed else "critical path" if bar.critical else "other",
        }
        for bar, lane in zip(bars, rows, strict=True)
    ]
    scale = alt.Scale(domain=[0, last], nice=False)
    shown = [kind for kind in KINDS if any(value["kind"] == kind for value in values)]
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=shown, range=[LIGHT[KINDS[kind]] for kind in shown]),
        legend=alt.Legend(columnPadding=16),
    )
    x = alt.X("start:Q", scale=scale, axis=alt.Axis(title=axis, grid=False, tickCount=8))
    y = alt.Y("lane:O", axis=None, sort="ascending")
    base = over(values)
    marks = over([{"at": at} for at in turns])
    layers = [
        marks.mark_rule(color=LIGHT["line"], strokeDash=[3, 3]).encode(
            x=alt.X("at:Q", scale=scale)
        ),
        base.mark_bar(height=LANE_HEIGHT - 8).encode(x=x, x2="end:Q", y=y, color=colour),
        base.mark_text(align="left", dx=4, color=LIGHT["onfill"], fontSize=10).encode(
            x=x, y=y, text="label:N"
        ),
    ]
    return layered(layers, width, LANE_HEIGHT * (max(rows, default=0) + 1))


def _fits(bar: Lane, last: float, width: int) -> bool:
    return (bar.end - bar.start) / last * width >= LETTER_WIDTH * len(bar.label) + 8


def schedule_file(chart: LanesChart, width: int = 860) -> str:
    """The picture as a file of its own, with its colours in it."""
    return as_svg(draw_schedule(chart.bars, chart.turns, width, chart.axis))
