"""Points over two measures: with intervals, names beside them, and lines where they are joined.

Takes points with clean names, and two axes, returns a chart. Callers know what a point means.
"""

import math
from collections import Counter
from itertools import pairwise
from typing import Literal, NamedTuple

from msgspec import structs

from agentdyno.reports.charts.axes import (
    BELOW,
    draw_left_axis,
    draw_legend,
    draw_lower_axis,
    left_margin,
    legend_height,
)
from agentdyno.reports.charts.drawing import LETTER, Drawing
from agentdyno.reports.charts.palette import SERIES
from agentdyno.reports.charts.scales import Scale
from agentdyno.reports.topic import PlanePoint

HEIGHT = 300
LABEL_GAP = 17
"""Pixels between two labels."""
LABEL_OFF = 9
"""Pixels from a point to its label."""
LOG_SPAN = 8
"""Measures that span more than this factor stand on a logarithmic axis."""
FAR = 0.55
"""From this share of the width on a label stands to the left of its point."""

OTHERS = "others"

Joined = Literal["no", "line", "step"]
"""Whether the points of a group are joined; a step joins the strong ones."""
Side = Literal["left", "right"]


class Label(NamedTuple):
    """Where the name of a point goes."""

    side: Side
    height: float
    """Between 0 at the lower edge and 1 at the upper."""


def points(
    dots: list[PlanePoint],
    across: Scale,
    up: Scale,
    width: int,
    joined: Joined = "no",
    size: int = 90,
) -> Drawing:
    """The chart; what lies outside the scales is cut at their edge."""
    drawable = [dot for dot in dots if dot.x.value is not None and dot.y.value is not None]
    colours = _colours([dot.group for dot in dots])
    named = colours if len(colours) > 1 else {}
    left = left_margin(up)
    top = legend_height(named, width - left) + 14
    drawing = Drawing(width, HEIGHT, left, 10, top, BELOW)
    draw_legend(drawing, named, top, square=False)
    draw_lower_axis(drawing, across)
    draw_left_axis(drawing, up, left)
    plane = _Plane(drawing, across, up, colours)
    plane.join(drawable, joined)
    for dot in drawable:
        plane.mark(dot, math.sqrt(size / math.pi), 1.0 if size > 50 else 0.6)
    for dot, label in zip(drawable, place_labels(drawable, across, up, drawing.plane), strict=True):
        plane.name(dot, label)
    return drawing


class _Plane:
    """Where points are drawn."""

    def __init__(self, drawing: Drawing, across: Scale, up: Scale, colours: dict[str, str]) -> None:
        self.drawing, self.across, self.up, self.colours = drawing, across, up, colours

    def at(self, x: float | None, y: float | None) -> tuple[float, float]:
        across = self.across.place(x or 0.0) * self.drawing.plane
        return across, (1 - self.up.place(y or 0.0)) * self.drawing.height

    def colour(self, dot: PlanePoint) -> str:
        plain = "accent" if dot.strong else "muted"
        return self.colours.get(dot.group, plain) if self.colours else plain

    def mark(self, dot: PlanePoint, radius: float, opacity: float) -> None:
        colour = self.colour(dot)
        x, y = self.at(dot.x.value, dot.y.value)
        if dot.x.low is not None and dot.x.high is not None:
            low, high = (self.at(end, dot.y.value)[0] for end in (dot.x.low, dot.x.high))
            self.drawing.line(low, y, high, y, colour, 1.5, 0.4)
        if dot.y.low is not None and dot.y.high is not None:
            low, high = (self.at(dot.x.value, end)[1] for end in (dot.y.low, dot.y.high))
            self.drawing.line(x, low, x, high, colour, 1.5, 0.4)
        self.drawing.circle(x, y, radius, colour, opacity)

    def name(self, dot: PlanePoint, label: Label) -> None:
        x, _ = self.at(dot.x.value, dot.y.value)
        y = (1 - label.height) * self.drawing.height
        if label.side == "right":
            self.drawing.text(x + LABEL_OFF, y, dot.name)
        else:
            self.drawing.text(x - LABEL_OFF, y, dot.name, align="right")

    def join(self, dots: list[PlanePoint], joined: Joined) -> None:
        if joined == "line":
            for group in dict.fromkeys(dot.group for dot in dots):
                group_dots = [dot for dot in dots if dot.group == group]
                places = [self.at(dot.x.value, dot.y.value) for dot in group_dots]
                self.drawing.path(places, self.colour(group_dots[0]))
        elif joined == "step":
            front = sorted(self.at(d.x.value, d.y.value) for d in dots if d.strong)
            steps = [((bx, ay), (bx, by)) for (_, ay), (bx, by) in pairwise(front)]
            if steps:
                corners = [front[0], *(corner for step in steps for corner in step)]
                self.drawing.path(corners, "accent", 1.2, dashed=True)


def few_groups(dots: list[PlanePoint]) -> list[PlanePoint]:
    """As many groups as there are colours: the smallest go into one, so that no colour is twice."""
    sizes = Counter(dot.group for dot in dots)
    if len(sizes) <= len(SERIES):
        return dots
    largest = {group for group, _ in sizes.most_common(len(SERIES) - 1)}
    ours = [dot if dot.group in largest else structs.replace(dot, group=OTHERS) for dot in dots]
    return sorted(ours, key=lambda dot: dot.group == OTHERS)


def _colours(groups: list[str]) -> dict[str, str]:
    """A colour for each group; none where there are no groups."""
    names = list(dict.fromkeys(groups))
    if names in ([], [""]):
        return {}
    return {name: "muted" if name == OTHERS else SERIES[i] for i, name in enumerate(names)}


def place_labels(dots: list[PlanePoint], across: Scale, up: Scale, width: float) -> list[Label]:
    """Left or right of the point, and moved down until no other label is in the way."""
    step = LABEL_GAP / HEIGHT
    spots = [(across.place(dot.x.value or 0.0), up.place(dot.y.value or 0.0)) for dot in dots]
    named = [number for number, dot in enumerate(dots) if dot.name]
    labels = [Label("right", spot[1]) for spot in spots]
    placed: list[tuple[float, float, float]] = []
    for number in sorted(named, key=lambda number: -spots[number][1]):
        x, y = spots[number]
        near = (spots[other] for other in named)
        level = [other for other, high in near if abs(high - y) < step and other != x]
        side, left, right = _stretch(dots[number].name, x, level, width)
        beside = [high for start, end, high in placed if start < right and left < end]
        height = y + 0.03
        while touching := [high for high in beside if abs(high - height) < step * 0.99]:
            height = min(touching) - step
        placed.append((left, right, height))
        labels[number] = Label(side, max(height, 0.02))
    return labels


def _stretch(name: str, x: float, level: list[float], width: float) -> tuple[Side, float, float]:
    """The label's side, and from where to where it goes, in shares of the width.

    It leaves its own side where a point of about its height stands there and the other has room.
    """
    reach = (LABEL_OFF + LETTER * len(name)) / width
    sides: dict[Side, tuple[float, float]] = {
        "right": (x, x + reach),
        "left": (x - reach, x),
    }
    order: tuple[Side, Side] = ("left", "right") if x > FAR else ("right", "left")
    free = [side for side in order if not _covers(sides[side], level)]
    side = free[0] if free else order[0]
    return side, *sides[side]


def _covers(stretch: tuple[float, float], places: list[float]) -> bool:
    start, end = stretch
    return start < 0 or end > 1 or any(start <= position <= end for position in places)
