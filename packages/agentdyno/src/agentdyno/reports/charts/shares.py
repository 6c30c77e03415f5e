"""Wholes cut by kind of part: one as boxes over what is inside its pieces, several as bars."""

from agentdyno.reports.charts.axes import draw_legend, legend_height
from agentdyno.reports.charts.drawing import Drawing, cut, text_width
from agentdyno.reports.charts.palette import KINDS
from agentdyno.reports.numbers import label, name_kind, percent
from agentdyno.reports.topic import Share, SharesBar

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
KIND_ROW = 28


def icicle(bar: SharesBar, width: int) -> Drawing:
    """Kinds above, what makes them up below.

    Where the page is narrow, plain bars by kind.
    """
    if width < NARROWEST:
        return _kind_bars(bar, width)
    drawing = Drawing(width, BAND + DEEP_BAND)
    start = 0.0
    for piece in bar.pieces:
        _draw_box(drawing, piece.kind, name_kind(piece.kind), start, piece.share, is_deep=False)
        _draw_inside(drawing, piece, start)
        start += piece.share
    return drawing


def _draw_inside(drawing: Drawing, piece: Share, start: float) -> None:
    large = [(name, share) for name, share in piece.inside[:INSIDE] if share >= SMALLEST]
    for name, share in large:
        _draw_box(drawing, piece.kind, label(name), start, share, is_deep=True)
        start += share
    smaller = [share for _, share in piece.inside[len(large) :] if share]
    if sum(smaller) >= SMALLEST:
        _draw_box(drawing, piece.kind, f"{len(smaller)} more", start, sum(smaller), is_deep=True)


def _draw_box(
    drawing: Drawing, kind: str, name: str, start: float, share: float, is_deep: bool
) -> None:
    x, width = start * drawing.plane, share * drawing.plane
    top, height = (BAND, DEEP_BAND) if is_deep else (0, BAND)
    ink = "ink" if is_deep else "onfill"
    drawing.rect(x, top, width, height, _colour(kind), 0.35 if is_deep else 1.0, "paper")
    room = int((width - 12) / LETTER)
    if is_deep and len(name) > room and width >= UPRIGHT:
        room = int((DEEP_BAND - 12) / LETTER)
        drawing.text(x + width / 2, top + 7, _shorten(name, room), ink, turned=90)
        return
    figure = percent(share, 0 if share >= 0.1 else 1)
    drawing.text(x + 7, top + 9, _shorten(name, room), ink, baseline="top", bold=True)
    if len(figure) <= room:
        drawing.text(x + 7, top + 27, figure, ink, baseline="top")


def _shorten(name: str, room: int) -> str:
    return name if len(name) <= room else (name[: room - 1] + "…" if room >= 5 else "")


def _kind_bars(bar: SharesBar, width: int) -> Drawing:
    pieces = sorted(bar.pieces, key=lambda piece: -piece.share)
    left = text_width(*(name_kind(piece.kind) for piece in pieces)) + 12
    drawing = Drawing(width, KIND_ROW * len(pieces), left)
    most = max((piece.share for piece in pieces), default=1.0) or 1.0
    for number, piece in enumerate(pieces):
        y = (number + 0.5) * KIND_ROW
        reach = piece.share / (most * 1.3) * drawing.plane
        drawing.rect(0, y - 8, reach, 16, _colour(piece.kind))
        drawing.text(-8, y, name_kind(piece.kind), align="right")
        drawing.text(reach + 6, y, percent(piece.share), "soft")
    return drawing


def draw_stacked(bars: list[SharesBar], width: int) -> Drawing:
    """One bar each, its name above it and its note beside the name."""
    kinds = {piece.kind for bar in bars for piece in bar.pieces}
    ordered = [*(kind for kind in KINDS if kind in kinds), *sorted(kinds.difference(KINDS))]
    names = {kind: _colour(kind) for kind in ordered}
    words = {name_kind(kind): colour for kind, colour in names.items()}
    top = legend_height(words, width) + 4
    drawing = Drawing(width, BAR_ROW * len(bars), top=top)
    draw_legend(drawing, words, top, square=True)
    for number, bar in enumerate(bars):
        y, x = (number + 0.5) * BAR_ROW, 0.0
        for piece in sorted(bar.pieces, key=lambda piece: ordered.index(piece.kind)):
            reach = piece.share * drawing.plane
            drawing.rect(x, y + 0.5, reach, 13, names[piece.kind])
            x += reach
        note = bar.note if width > NARROWEST else bar.note.partition(" ")[0]
        name = cut(label(bar.name, limit=110), drawing.plane - 90)
        drawing.text(0, y - 2, name, baseline="bottom")
        drawing.text(drawing.plane, y - 2, note, "soft", "right", "bottom")
    return drawing


def _colour(kind: str) -> str:
    """The same colour for a kind in every chart."""
    return kind if kind in KINDS else "muted"
