"""Where the fuel went, as a picture: kinds of part over the tools inside them."""

from typing import TYPE_CHECKING, Any

from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import KINDS, LIGHT
from agentdyno.reports.numbers import label, percent
from agentdyno.studies.cost.summary_results import Summary

if TYPE_CHECKING:
    import altair as alt

LETTER = 6.8
"""Width of a letter, to know what fits into a box."""
BAND = 54
DEEP_BAND = 96
UPRIGHT = 15
"""Pixels of width that a name needs when it is written upright."""
NARROWEST = 500
"""Under this width names no longer fit into boxes."""
TOOLS = 12
SMALLEST = 0.004
"""A smaller share gets no box of its own."""


def icicle(summary: Summary, width: int) -> "alt.LayerChart":
    """Kinds above, the tools that make up schemas, requests and results below.

    Where the page is narrow, plain bars by kind.
    """
    import altair as alt

    if width < NARROWEST:
        return _kind_bars(summary, width)
    height = BAND + DEEP_BAND
    scale = alt.Scale(domain=[0, 1], nice=False)
    base = over(_boxes(summary, width))
    x = alt.X("start:Q", scale=scale, axis=None)
    y = alt.Y("top:Q", axis=None, scale=alt.Scale(domain=[height, 0], nice=False))
    deep = "datum.top > 0"
    ink = alt.condition(deep, alt.value(LIGHT["ink"]), alt.value(LIGHT["onfill"]))
    rects = base.mark_rect(stroke=LIGHT["paper"], strokeWidth=1.5).encode(
        x=x,
        x2=alt.X2("stop:Q"),
        y=y,
        y2="bottom:Q",
        color=kind_colour(legend=False),
        opacity=alt.condition(deep, alt.value(0.35), alt.value(1.0)),
    )
    lying = base.transform_filter("!datum.upright")
    names = lying.mark_text(align="left", baseline="top", dx=7, dy=9, fontWeight="bold")
    shares = lying.mark_text(align="left", baseline="top", dx=7, dy=27)
    upright = base.transform_filter("datum.upright").mark_text(
        align="left", baseline="middle", angle=90, dx=7
    )
    middle = alt.X("middle:Q", scale=scale, axis=None)
    texts = [
        names.encode(x=x, y=y, text="name:N", color=ink),
        shares.encode(x=x, y=y, text="share:N", color=ink),
        upright.encode(x=middle, y=y, text="name:N", color=ink),
    ]
    return layered([rects, *texts], width, height)


def _kind_bars(summary: Summary, width: int) -> "alt.LayerChart":
    import altair as alt

    kinds = [k for k in summary.kinds if (k.pte_share or 0.0) >= SMALLEST]
    base = over(
        [{"kind": k.kind, "value": k.pte_share, "note": percent(k.pte_share)} for k in kinds]
    )
    y = alt.Y("kind:N", sort=None, axis=alt.Axis(title=None, labelColor=LIGHT["ink"]))
    most = max((k.pte_share or 0.0 for k in kinds), default=1.0)
    x = alt.X("value:Q", axis=None, scale=alt.Scale(domain=[0, most * 1.3], nice=False))
    bars = base.mark_bar(size=16).encode(x=x, y=y, color=kind_colour(legend=False))
    notes = base.mark_text(align="left", dx=6, color=LIGHT["soft"]).encode(x=x, y=y, text="note:N")
    return layered([bars, notes], width, 28 * len(kinds))


def kind_colour(*, legend: bool) -> Any:
    """The same colour for a kind in every chart."""
    import altair as alt

    scale = alt.Scale(domain=list(KINDS), range=[LIGHT[kind] for kind in KINDS])
    shown = alt.Legend(columns=4, symbolType="square") if legend else None
    return alt.Color("kind:N", scale=scale, legend=shown)


def _boxes(summary: Summary, width: int) -> list[dict[str, Any]]:
    shares = {k.kind: k.pte_share or 0.0 for k in summary.kinds}
    boxes, start = [], 0.0
    for kind in KINDS:
        share = shares.get(kind, 0.0)
        if share < SMALLEST:
            continue
        boxes.append(_box(kind, kind, start, share, 0, width))
        boxes += _tool_boxes(summary, kind, start, width)
        start += share
    return boxes


def _tool_boxes(summary: Summary, kind: str, start: float, width: int) -> list[dict[str, Any]]:
    field = {"schema": "schema_pte", "request": "request_pte", "result": "result_pte"}.get(kind)
    if field is None or not summary.pte:
        return []
    pairs = [(t.tool, (getattr(t, field) or 0.0) / summary.pte) for t in summary.tools]
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    boxes: list[dict[str, Any]] = []
    for tool, share in pairs[:TOOLS]:
        if share < SMALLEST:
            break
        boxes.append(_box(kind, label(tool), start, share, 1, width))
        start += share
    rest = [share for _, share in pairs[len(boxes) :] if share]
    if sum(rest) >= SMALLEST:
        boxes.append(_box(kind, f"{len(rest)} more", start, sum(rest), 1, width))
    return boxes


def _box(
    kind: str, name: str, start: float, share: float, depth: int, width: int
) -> dict[str, Any]:
    room = int((share * width - 12) / LETTER)
    upright = depth > 0 and len(name) > room and share * width >= UPRIGHT
    room = int((DEEP_BAND - 12) / LETTER) if upright else room
    figure = percent(share, 0 if share >= 0.1 else 1)
    return {
        "kind": kind,
        "name": name if len(name) <= room else (name[: room - 1] + "…" if room >= 5 else ""),
        "share": figure if len(figure) <= room else "",
        "upright": upright,
        "start": start,
        "middle": start + share / 2,
        "stop": start + share,
        "top": depth * BAND,
        "bottom": BAND + depth * DEEP_BAND,
    }
