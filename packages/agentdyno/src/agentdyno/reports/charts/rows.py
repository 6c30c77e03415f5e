"""Charts with one row per name: the name stands above its mark, so long names fit a phone.

Two kinds: a point with its interval on a line (`forest`), and a bar (`bars`). Rows come ready; what
lies outside the scale is cut at its edge.
"""

from msgspec import Struct

from agentdyno.reports.charts.axes import BELOW, draw_lower_axis
from agentdyno.reports.charts.drawing import Drawing, cut, text_width
from agentdyno.reports.charts.scales import Scale

ROW_HEIGHT = 38
COMPACT_HEIGHT = 26
SHORT_NAME = 11
MARK_DROP = 5
"""Pixels from the middle of a row to its mark, where the name stands above it."""
NOTE_ROOM = 100
"""Pixels that a note beside a name may take."""


class Row(Struct, frozen=True):
    """One row of a chart."""

    name: str
    """What stands above the mark; clean text."""
    value: float | None
    """Where the mark is. None draws only the note."""
    low: float | None = None
    """Lower end of the interval."""
    high: float | None = None
    note: str = ""
    """What stands at the right end of the name's line."""
    strong: bool = False
    """Whether it stands out."""

    @property
    def colour(self) -> str:
        """Of its mark."""
        return "accent" if self.strong else "series2"


def forest(rows: list[Row], width: int, scale: Scale, middle: float) -> Drawing:
    """Points with intervals; `middle` is where nothing differs."""
    is_compact = all(len(row.name) <= SHORT_NAME for row in rows)
    height = COMPACT_HEIGHT if is_compact else ROW_HEIGHT
    drawing = _plane(rows, width, height, is_compact)
    draw_lower_axis(drawing, scale)
    x = scale.place(middle) * drawing.plane
    drawing.line(x, 0, x, drawing.height, "muted")
    for number, row in enumerate(rows):
        y = (number + 0.5) * height + (0 if is_compact else MARK_DROP)
        if row.low is not None and row.high is not None:
            ends = (scale.place(end) * drawing.plane for end in (row.low, row.high))
            low, high = ends
            drawing.line(low, y, high, y, row.colour, width=2.5, opacity=0.45)
        if row.value is not None:
            drawing.circle(scale.place(row.value) * drawing.plane, y, 4.9, row.colour)
    _draw_names(drawing, rows, height, is_compact)
    return drawing


def bars(rows: list[Row], width: int, scale: Scale) -> Drawing:
    """Bars from zero, with the interval as a thin line where there is one."""
    drawing = _plane(rows, width, ROW_HEIGHT, is_compact=False)
    draw_lower_axis(drawing, scale)
    zero = scale.place(0.0) * drawing.plane
    for number, row in enumerate(rows):
        y = (number + 0.5) * ROW_HEIGHT + MARK_DROP
        if row.value is not None:
            x = scale.place(row.value) * drawing.plane
            drawing.rect(min(zero, x), y - 4.5, abs(x - zero), 9, row.colour)
        if row.low is not None and row.high is not None:
            low, high = (scale.place(end) * drawing.plane for end in (row.low, row.high))
            drawing.line(low, y, high, y, "ink")
    _draw_names(drawing, rows, ROW_HEIGHT, is_compact=False)
    return drawing


def _plane(rows: list[Row], width: int, height: float, is_compact: bool) -> Drawing:
    """Short names stand beside the plane, on the line of their mark."""
    margin = text_width(*(row.name for row in rows)) + 12 if is_compact else 2
    right = text_width(*(row.note for row in rows)) + 14 if is_compact else 4
    return Drawing(width, height * max(len(rows), 1), margin, right, bottom=BELOW)


def _draw_names(drawing: Drawing, rows: list[Row], height: float, is_compact: bool) -> None:
    for number, row in enumerate(rows):
        y = (number + 0.5) * height
        if is_compact:
            drawing.text(-10, y, row.name, align="right")
            drawing.text(drawing.plane + 10, y, row.note, "soft")
        else:
            name = cut(row.name, drawing.plane - NOTE_ROOM)
            drawing.text(0, y - 2, name, baseline="bottom")
            drawing.text(drawing.plane, y - 2, row.note, "soft", "right", "bottom")
