"""Charts with one row per name: the name stands above its mark, so long names fit a phone.

Two kinds: a point with its interval on a line (`forest`), and a bar (`bars`). Rows come ready; what
lies outside the scale is cut at its edge.
"""

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.reports.charts.drawing import layered, log_ticks, over
from agentdyno.reports.charts.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt

ROW_HEIGHT = 38
COMPACT_HEIGHT = 26
SHORT_NAME = 11
NAME_RISE = -2
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
    middle: float,
    log: bool = False,
    ticks: str = "~g",
) -> "alt.LayerChart":
    """Points with intervals; `middle` is where nothing differs."""
    import altair as alt

    base = over([_clipped(i, row, domain) for i, row in enumerate(rows)])
    scale = alt.Scale(domain=list(domain), type="log" if log else "linear", nice=False)
    marks = {"values": log_ticks(*domain)} if log else {"tickCount": 5}
    axis = alt.Axis(title=title, format=ticks, **marks)
    y = alt.Y("row:N", axis=None, sort=None)
    drop = 0 if _is_compact(rows) else MARK_DROP
    layers = [
        over([{"at": middle}]).mark_rule(color=LIGHT["muted"]).encode(x=alt.X("at:Q", scale=scale)),
        base.mark_rule(strokeWidth=2.5, yOffset=drop, opacity=0.45).encode(
            x=alt.X("low:Q", scale=scale), x2="high:Q", y=y, color=_colour()
        ),
        base.mark_point(filled=True, size=75, opacity=1, yOffset=drop).encode(
            x=alt.X("value:Q", scale=scale, axis=axis), y=y, color=_colour()
        ),
        *_texts(base, y, width, compact=_is_compact(rows)),
    ]
    return layered(layers, width, _height(rows))


def ratios(rows: list[Row], width: int, *, title: str) -> "alt.LayerChart":
    """Ratios around 1 on a logarithmic axis that holds every estimate."""
    reach = max([max(r.value, 1 / r.value) for r in rows if r.value] + [2.0])
    ends = [e for r in rows for e in (r.high, 1 / r.low if r.low else None) if e]
    reach = min(max([reach, *ends]) * 1.1, reach * 4)
    return forest(rows, width, title=title, domain=(1 / reach, reach), middle=1.0, log=True)


def bars(
    rows: list[Row], width: int, *, title: str, domain: tuple[float, float], ticks: str = "~s"
) -> "alt.LayerChart":
    """Bars from zero, with the interval as a thin line where there is one."""
    import altair as alt

    base = over([_clipped(i, row, domain) for i, row in enumerate(rows)])
    scale = alt.Scale(domain=list(domain), nice=False)
    y = alt.Y("row:N", axis=None, sort=None)
    axis = alt.Axis(title=title, format=ticks, tickCount=5)
    drop = MARK_DROP
    layers = [
        base.mark_bar(size=9, yOffset=drop).encode(
            x=alt.X("value:Q", scale=scale, axis=axis), y=y, color=_colour()
        ),
        base.mark_rule(yOffset=drop, color=LIGHT["ink"]).encode(
            x=alt.X("low:Q", scale=scale), x2="high:Q", y=y
        ),
        *_texts(base, y, width, compact=False),
    ]
    return layered(layers, width, ROW_HEIGHT * max(len(rows), 1))


def _is_compact(rows: list[Row]) -> bool:
    """Short names fit on the line of their mark."""
    return all(len(row.name) <= SHORT_NAME for row in rows)


def _height(rows: list[Row]) -> int:
    return (COMPACT_HEIGHT if _is_compact(rows) else ROW_HEIGHT) * max(len(rows), 1)


def _colour() -> Any:
    import altair as alt

    return alt.condition("datum.strong", alt.value(LIGHT["accent"]), alt.value(LIGHT["series2"]))


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


def _texts(base: "alt.Chart", y: "alt.Y", width: int, *, compact: bool) -> list[Any]:
    """The name above its mark; beside it, outside the plane, where names are short."""
    import altair as alt

    if compact:
        name = base.mark_text(align="right", baseline="middle", dx=-10)
        note = base.mark_text(align="left", baseline="middle", dx=10, color=LIGHT["soft"])
    else:
        name = base.mark_text(align="left", baseline="bottom", dy=NAME_RISE, limit=width - 100)
        note = base.mark_text(align="right", baseline="bottom", dy=NAME_RISE, color=LIGHT["soft"])
    return [
        name.encode(x=alt.value(0), y=y, text="name:N"),
        note.encode(x=alt.value(alt.expr("width")), y=y, text="note:N"),
    ]
