"""What stands around a plane: ticks with their grid, titles, and a legend above."""

from collections.abc import Mapping

from agentdyno.reports.charts.drawing import LETTER, Drawing, text_width
from agentdyno.reports.charts.scales import Scale

BELOW = 42
"""Pixels under a plane for ticks and a title."""
LEGEND_ROW = 20
_SYMBOL = 16


def draw_lower_axis(drawing: Drawing, scale: Scale, about: int = 5, grid: bool = True) -> None:
    """Ticks below the plane, with lines up through it; those that would touch are left out."""
    end = -1e9
    for tick in scale.ticks(about):
        x = scale.place(tick) * drawing.plane
        if grid:
            drawing.line(x, 0, x, drawing.height, "line")
        text = scale.text(tick)
        reach = text_width(text) / 2
        if x - reach >= end:
            # Ticks at the edges lean inwards, so that nothing stands outside the picture.
            middle = min(max(x, reach + 3), drawing.plane - reach)
            drawing.text(middle, drawing.height + 14, text, "soft", "center")
            end = x + reach + 8
    drawing.text(drawing.plane / 2, drawing.height + 32, scale.title, "soft", "center")


def draw_left_axis(drawing: Drawing, scale: Scale, left: float) -> None:
    """Ticks left of the plane, with lines across it; the title upright at the edge."""
    for tick in scale.ticks():
        y = (1 - scale.place(tick)) * drawing.height
        drawing.line(0, y, drawing.plane, y, "line")
        drawing.text(-8, y, scale.text(tick), "soft", "right")
    drawing.text(-left + 8, drawing.height / 2, scale.title, "soft", "center", turned=-90)


def left_margin(scale: Scale) -> float:
    """Pixels that the left axis takes."""
    return text_width(*(scale.text(tick) for tick in scale.ticks())) + 30


def legend_height(names: Mapping[str, str], width: float) -> float:
    """Pixels that a legend takes above the plane."""
    return LEGEND_ROW * len(_legend_rows(list(names), width)) + 6 if names else 0.0


def draw_legend(drawing: Drawing, names: Mapping[str, str], top: float, square: bool) -> None:
    """Names with their colours, beside each other as far as they fit; `top` pixels above."""
    for row, group in enumerate(_legend_rows(list(names), drawing.plane)):
        y = row * LEGEND_ROW - top + 8
        for name, x in group:
            if square:
                drawing.rect(x, y - 5, 10, 10, names[name])
            else:
                drawing.circle(x + 5, y, 5, names[name])
            drawing.text(x + _SYMBOL, y, name)


def _legend_rows(names: list[str], width: float) -> list[list[tuple[str, float]]]:
    rows: list[list[tuple[str, float]]] = [[]]
    x = 0.0
    for name in names:
        needed = _SYMBOL + LETTER * len(name)
        if rows[-1] and x + needed > width:
            rows.append([])
            x = 0.0
        rows[-1].append((name, x))
        x += needed + 18
    return rows
