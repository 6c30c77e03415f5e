"""Wholes cut by kind of part: one as boxes over what is inside its pieces, several as bars."""

from typing import TYPE_CHECKING, Any

from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import KINDS, LIGHT
from agentdyno.reports.numbers import label, percent
from agentdyno.reports.topic import Share, SharesBar

if TYPE_CHECKING:
    import altair as alt

LETTER = 6.8
"""Width of a letter, to know what fits into a box."""
BAND = 54
DEEP_BAND = 96
UPRIGHT = 15
"""Pixels of width that a name needs when it is written upright."""
NARROWEST = 500
"""Under this width names no longer fit into boxes, and notes are cut to their figure."""
INSIDE = 12
SMALLEST = 0.004
"""A smaller share gets no box of its own."""
BAR_ROW = 42


def icicle(bar: SharesBar, width: int) -> "alt.LayerChart":
    """Kinds above, what makes them up below.

    Where the page is narrow, plain bars by kind.
    """
    import altair as alt

    if width < NARROWEST:
        return _kind_bars(bar, width)
    height = BAND + DEEP_BAND
    scale = alt.Scale(domain=[0, 1], nice=False)
    base = over(_boxes(bar, width))
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


def _kind_bars(bar: SharesBar, width: int) -> "alt.LayerChart":
    import altair as alt

    pieces = sorted(bar.pieces, key=lambda piece: -piece.share)
    base = over([{"kind": p.kind, "value": p.share, "note": percent(p.share)} for p in pieces])
    y = alt.Y("kind:N", sort=None, axis=alt.Axis(title=None, labelColor=LIGHT["ink"]))
    most = max((p.share for p in pieces), default=1.0)
    x = alt.X("value:Q", axis=None, scale=alt.Scale(domain=[0, most * 1.3], nice=False))
    bars = base.mark_bar(size=16).encode(x=x, y=y, color=kind_colour(legend=False))
    notes = base.mark_text(align="left", dx=6, color=LIGHT["soft"]).encode(x=x, y=y, text="note:N")
    return layered([bars, notes], width, 28 * len(pieces))


def kind_colour(*, legend: bool) -> Any:
    """The same colour for a kind in every chart."""
    import altair as alt

    scale = alt.Scale(domain=list(KINDS), range=[LIGHT[kind] for kind in KINDS])
    shown = alt.Legend(columns=4, symbolType="square") if legend else None
    return alt.Color("kind:N", scale=scale, legend=shown)


def _boxes(bar: SharesBar, width: int) -> list[dict[str, Any]]:
    boxes, start = [], 0.0
    for piece in bar.pieces:
        boxes.append(_box(piece.kind, piece.kind, start, piece.share, 0, width))
        boxes += _inside(piece, start, width)
        start += piece.share
    return boxes


def _inside(piece: Share, start: float, width: int) -> list[dict[str, Any]]:
    boxes: list[dict[str, Any]] = []
    for name, share in piece.inside[:INSIDE]:
        if share < SMALLEST:
            break
        boxes.append(_box(piece.kind, label(name), start, share, 1, width))
        start += share
    rest = [share for _, share in piece.inside[len(boxes) :] if share]
    if sum(rest) >= SMALLEST:
        boxes.append(_box(piece.kind, f"{len(rest)} more", start, sum(rest), 1, width))
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


def stacked(bars: list[SharesBar], width: int) -> "alt.LayerChart":
    """One bar each, its name above it and its note beside the name."""
    import altair as alt

    rank = {kind: place for place, kind in enumerate(KINDS)}
    pieces = [
        {"row": row, "kind": p.kind, "share": p.share, "rank": rank.get(p.kind, len(rank))}
        for row, bar in enumerate(bars)
        for p in bar.pieces
    ]
    heads = over([{"row": row, **_head(bar, width)} for row, bar in enumerate(bars)])
    y = alt.Y("row:N", axis=None, sort=None)
    name = heads.mark_text(align="left", baseline="bottom", dy=-2, limit=width - 90)
    note = heads.mark_text(align="right", baseline="bottom", dy=-2, color=LIGHT["soft"])
    whole = alt.Scale(domain=[0, 1], nice=False)
    layers = [
        over(pieces)
        .mark_bar(size=13, yOffset=7)
        .encode(
            x=alt.X("share:Q", axis=None, stack="zero", scale=whole),
            y=y,
            color=kind_colour(legend=True),
            order=alt.Order("rank:Q"),
        ),
        name.encode(x=alt.value(0), y=y, text="name:N"),
        note.encode(x=alt.value(alt.expr("width")), y=y, text="note:N"),
    ]
    return layered(layers, width, BAR_ROW * len(bars))


def _head(bar: SharesBar, width: int) -> dict[str, str]:
    note = bar.note if width > NARROWEST else bar.note.partition(" ")[0]
    return {"name": label(bar.name, limit=110), "note": note}
