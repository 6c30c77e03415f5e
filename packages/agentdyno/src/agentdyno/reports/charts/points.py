"""Points over two measures: with intervals, names beside them, and lines where they are joined.

Takes points with clean names, and two axes, returns a chart. Callers know what a point means.
"""

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, structs

from agentdyno.reports.charts.drawing import layered, log_ticks, over
from agentdyno.reports.charts.palette import LIGHT, SERIES
from agentdyno.reports.topic import PlanePoint

if TYPE_CHECKING:
    import altair as alt

HEIGHT = 300
LABEL_GAP = 17
"""Pixels between two labels."""
LABEL_OFF, LETTER = 9, 6.5
"""Pixels from a point to its label, and about how many a letter takes."""
WIDE = 500
"""From this width on a chart has room for two columns of a legend."""
LOG_SPAN = 8
"""Measures that span more than this factor stand on a logarithmic axis."""
FAR = 0.55
"""From this share of the width on a label stands to the left of its point."""

OTHERS = "others"

Joined = Literal["no", "line", "step"]
"""Whether the points of a group are joined; a step joins the strong ones."""


class Scale(Struct, frozen=True):
    """One axis."""

    title: str
    """What is measured."""
    low: float
    """Where it begins."""
    high: float
    """Where it ends."""
    log: bool = False
    """Whether equal steps are equal factors."""
    ticks: str = "~s"
    """How its numbers are written."""

    def place(self, value: float) -> float:
        """Between 0 at its beginning and 1 at its end."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, place: float) -> float:
        """The number at a place."""
        if self.log:
            return float(self.low * (self.high / self.low) ** place)
        return self.low + place * (self.high - self.low)


def points(
    dots: list[PlanePoint],
    across: Scale,
    up: Scale,
    width: int,
    joined: Joined = "no",
    size: int = 90,
) -> "alt.LayerChart":
    """The chart; what lies outside the scales is cut at their edge."""
    import altair as alt

    values = [_value(dot) for dot in dots if dot.x.value is not None and dot.y.value is not None]
    _place_labels(values, across, up, width)
    x = alt.X("x:Q", scale=_scale(across), axis=_axis(across))
    y = alt.Y("y:Q", scale=_scale(up), axis=_axis(up))
    colour = _colour([dot.group for dot in dots], width)
    base = over(values)
    layers = [
        *_lines(base, x, y, colour, joined),
        base.mark_rule(opacity=0.4, strokeWidth=1.5).encode(
            x=alt.X("x_low:Q", scale=_scale(across)), x2="x_high:Q", y=y, color=colour
        ),
        base.mark_rule(opacity=0.4, strokeWidth=1.5).encode(
            x=x, y=alt.Y("y_low:Q", scale=_scale(up)), y2="y_high:Q", color=colour
        ),
        base.mark_point(filled=True, size=size, opacity=1 if size > 50 else 0.6).encode(
            x=x, y=y, color=colour
        ),
        *_labels(base, across, up),
    ]
    return layered(layers, width, HEIGHT)


def few_groups(dots: list[PlanePoint]) -> list[PlanePoint]:
    """As many groups as there are colours: the smallest go into one, so that no colour is twice."""
    sizes = Counter(dot.group for dot in dots)
    if len(sizes) <= len(SERIES):
        return dots
    kept = {group for group, _ in sizes.most_common(len(SERIES) - 1)}
    ours = [dot if dot.group in kept else structs.replace(dot, group=OTHERS) for dot in dots]
    return sorted(ours, key=lambda dot: dot.group == OTHERS)


def _value(dot: PlanePoint) -> dict[str, Any]:
    return {
        "name": dot.name,
        "group": dot.group,
        "strong": dot.strong,
        "x": dot.x.value,
        "x_low": dot.x.low,
        "x_high": dot.x.high,
        "y": dot.y.value,
        "y_low": dot.y.low,
        "y_high": dot.y.high,
    }


def _scale(scale: Scale) -> "alt.Scale":
    import altair as alt

    kind: Literal["log", "linear"] = "log" if scale.log else "linear"
    return alt.Scale(domain=[scale.low, scale.high], type=kind, nice=False, clamp=True)


def _axis(scale: Scale) -> "alt.Axis":
    import altair as alt

    marks = {"values": log_ticks(scale.low, scale.high)} if scale.log else {"tickCount": 5}
    return alt.Axis(title=scale.title, format=scale.ticks, **marks)


def _colour(groups: list[str], width: int) -> Any:
    import altair as alt

    names = list(dict.fromkeys(groups))
    if names in ([], [""]):
        plain = alt.value(LIGHT["muted"])
        return alt.condition("datum.strong", alt.value(LIGHT["accent"]), plain)
    colours = [LIGHT["muted"] if n == OTHERS else LIGHT[SERIES[i]] for i, n in enumerate(names)]
    scale = alt.Scale(domain=names, range=colours)
    legend = alt.Legend(columns=2 if width > WIDE else 1, symbolType="circle", symbolOpacity=1)
    return alt.Color("group:N", scale=scale, legend=legend if len(names) > 1 else None, sort=None)


def _lines(base: "alt.Chart", x: Any, y: Any, colour: Any, joined: Joined) -> list[Any]:
    if joined == "line":
        return [base.mark_line(strokeWidth=1.5).encode(x=x, y=y, color=colour, detail="group:N")]
    if joined == "step":
        front = base.transform_filter("datum.strong").mark_line(
            interpolate="step-after", color=LIGHT["accent"], strokeDash=[3, 3], strokeWidth=1.2
        )
        return [front.encode(x=x, y=y, order="x:Q")]
    return []


def _place_labels(values: list[dict[str, Any]], across: Scale, up: Scale, width: int) -> None:
    """Left or right of the point, and moved down until no other label is in the way."""
    step = LABEL_GAP / HEIGHT
    named = [value for value in values if value["name"]]
    spots = [(across.place(value["x"]), up.place(value["y"])) for value in named]
    placed: list[tuple[float, float, float]] = []
    for value, spot in sorted(zip(named, spots, strict=True), key=lambda pair: -pair[1][1]):
        level = [x for x, y in spots if abs(y - spot[1]) < step and x != spot[0]]
        left, right = _stretch(value, spot[0], level, width)
        beside = [high for start, end, high in placed if start < right and left < end]
        height = spot[1] + 0.03
        while near := [high for high in beside if abs(high - height) < step * 0.99]:
            height = min(near) - step
        placed.append((left, right, height))
        value["label_at"] = up.value(max(height, 0.02))


def _stretch(
    value: dict[str, Any], place: float, level: list[float], width: int
) -> tuple[float, float]:
    """From where to where the label goes, in shares of the width; notes its side.

    It leaves its own side where a point of about its height stands there and the other has room.
    """
    reach = (LABEL_OFF + LETTER * len(value["name"])) / width
    sides = {"right": (place, place + reach), "left": (place - reach, place)}
    order = ("left", "right") if place > FAR else ("right", "left")
    free = [side for side in order if not _covers(sides[side], level)]
    value["side"] = free[0] if free else order[0]
    return sides[value["side"]]


def _covers(stretch: tuple[float, float], places: list[float]) -> bool:
    start, end = stretch
    return start < 0 or end > 1 or any(start <= place <= end for place in places)


def _labels(base: "alt.Chart", across: Scale, up: Scale) -> list[Any]:
    import altair as alt

    x, y = alt.X("x:Q", scale=_scale(across)), alt.Y("label_at:Q", scale=_scale(up))
    right = base.transform_filter("datum.side == 'right'").mark_text(align="left", dx=LABEL_OFF)
    left = base.transform_filter("datum.side == 'left'").mark_text(align="right", dx=-LABEL_OFF)
    return [right.encode(x=x, y=y, text="name:N"), left.encode(x=x, y=y, text="name:N")]
