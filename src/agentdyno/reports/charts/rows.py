"""Charts with one row per name: the name stands above its mark, so long names fit a phone.

Two kinds: a point with its interval on a line (`forest`), and a bar (`bars`). Rows come ready; what
lies outside the scale is cut at its edge.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt

ROW_HEIGHT = 38
NAME_RISE = -13
MARK_DROP = 5


class Row(Struct, frozen=True):
    """One row of a chart."""

    name: str
    """What stands above the mark; clean text."""
    value: float | None
    """Where the mark is. None draws only the note."""
    low: float | None = None
    """Lower end of the interval."""
    high: float | None = None
    """Upper end."""
    note: str = ""
    """What stands at the right end of the name's line."""
    strong: bool = False
    """Whether it stands out."""


def forest(
    rows: list[Row],
    width: int,
    *,
    title: str,
    domain: tuple[float, float],
    middle: float | None = None,
    log: bool = False,
    ticks: str = "~g",
) -> "alt.LayerChart":
    """Points with intervals; `middle` is where nothing differs."""
    import altair as alt

    values = [_clipped(i, row, domain) for i, row in enumerate(rows)]
    scale = alt.Scale(domain=list(domain), type="log" if log else "linear", nice=False)
    axis = alt.Axis(title=title, format=ticks, tickCount=5, grid=True)
    base = over(values)
    y = alt.Y("row:N", axis=None, sort=None)
    x = alt.X("value:Q", scale=scale, axis=axis)
    colour = alt.condition("datum.strong", alt.value(LIGHT["accent"]), alt.value(LIGHT["series2"]))
    layers: list[Any] = []
    if middle is not None:
        rule = over([{"at": middle}])
        layers.append(rule.mark_rule(color=LIGHT["muted"]).encode(x=alt.X("at:Q", scale=scale)))
    drop = MARK_DROP
    layers += [
        base.mark_rule(strokeWidth=2.5, yOffset=drop, opacity=0.45).encode(
            x=alt.X("low:Q", scale=scale), x2="high:Q", y=y, color=colour
        ),
        base.mark_point(filled=True, size=75, opacity=1, yOffset=drop).encode(
            x=x, y=y, color=colour
        ),
        *_texts(base, y, width),
    ]
    return layered(layers, width, ROW_HEIGHT * max(len(rows), 1))


def bars(
    rows: list[Row], width: int, *, title: str, domain: tuple[float, float], ticks: str = "~s"
) -> "alt.LayerChart":
    """Bars from zero, with the interval as a thin line where there is one."""
    import altair as alt

    values = [_clipped(i, row, domain) for i, row in enumerate(rows)]
    scale = alt.Scale(domain=list(domain), nice=False)
    base = over(values)
    y = alt.Y("row:N", axis=None, sort=None)
    axis = alt.Axis(title=title, format=ticks, tickCount=5)
    colour = alt.condition("datum.strong", alt.value(LIGHT["accent"]), alt.value(LIGHT["series2"]))
    drop = MARK_DROP
    layers = [
        base.mark_bar(size=9, yOffset=drop).encode(
            x=alt.X("value:Q", scale=scale, axis=axis), y=y, color=colour
        ),
        base.mark_rule(yOffset=drop, color=LIGHT["ink"]).encode(
            x=alt.X("low:Q", scale=scale), x2="high:Q", y=y
        ),
        *_texts(base, y, width),
    ]
    return layered(layers, width, ROW_HEIGHT * max(len(rows), 1))


def _clipped(place: int, row: Row, domain: tuple[float, float]) -> dict[str, Any]:
    def inside(value: float | None) -> float | None:
        return None if value is None else min(max(value, domain[0]), domain[1])

    return {
        "row": place,
        "name": row.name,
        "note": row.note,
        "strong": row.strong,
        "value": inside(row.value),
        "low": inside(row.low),
        "high": inside(row.high),
    }


def _texts(base: "alt.Chart", y: "alt.Y", width: int) -> list[Any]:
    import altair as alt

    name = base.mark_text(align="left", baseline="bottom", dy=NAME_RISE + 11, limit=width - 100)
    note = base.mark_text(align="right", baseline="bottom", dy=NAME_RISE + 11, color=LIGHT["soft"])
    return [
        name.encode(x=alt.value(0), y=y, text="name:N"),
        note.encode(x=alt.value(alt.expr("width")), y=y, text="note:N"),
    ]
