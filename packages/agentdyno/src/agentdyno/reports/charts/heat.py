"""Heat maps: layers by tokens in, a picture out. Texts of tokens are shown, never run.

Dark where a layer's prediction is still far from the last one's. A dot marks the layer at which a
token settles, a line the first deep layer: dots on or above it are deep-thinking tokens. All tokens
are shown, in narrower columns when there are many.
"""

from agentdyno.records import printable
from agentdyno.reports.charts.drawing import LETTER, Drawing, text_width
from agentdyno.reports.topic import HeatChart

COLUMN = 14
"""Pixels per token, where there is room for its text…"""
NARROW = 3
"""…and at least, where there is none."""
ROW = 8
"""Pixels per layer."""
MARGIN = 60
"""Pixels beside the columns."""
LEAST_WIDTH = 420
"""Pixels a picture of few tokens has, so that its title fits."""
LEGEND = (0.0, 0.25, 0.5, 0.75, 1.0)
COLOURS = (
    "#fff7bc", "#fee391", "#fec44f", "#fe9929", "#ec7014", "#cc4c02", "#993404", "#662506",
)  # fmt: skip
"""From settled to far away: ColorBrewer's YlOrBr."""
LAYER_GAP = 14
"""Pixels between two numbers of layers."""


def heat(chart: HeatChart, width: int, distance: str = "jsd", titled: bool = False) -> Drawing:
    """The picture; distances other than `jsd` have no largest value and are coloured to their
    own."""
    room = max(1, width - MARGIN)
    count = min(len(chart.tokens), max(1, room // NARROW))
    rows = chart.distances[:count]
    layers = max((len(row) for row in rows), default=1)
    step = -(-count // max(1, room // COLUMN))
    names = [_token_label(text) for text in chart.tokens[:count]][::step]
    titles = _titles(chart) if titled else []
    top = 20.0 * len(titles) + 26
    # Few tokens get wide columns: the title and the legend need the width.
    across = min(room, max(COLUMN * count, LEAST_WIDTH)) + MARGIN
    drawing = Drawing(across, ROW * layers, 44, 16, top, text_width(*names) + 14)
    for number, title in enumerate(titles):
        drawing.text(-40, number * 20 - top + 10, title, "soft")
    # The same colours mean the same in every picture.
    most = 1.0 if distance == "jsd" else max((max(row, default=0.0) for row in rows), default=1.0)
    _draw_legend(drawing, distance, most or 1.0)
    column = drawing.plane / max(count, 1)
    for token, row in enumerate(rows):
        for layer, value in enumerate(row, 1):
            colour = _colour(value / (most or 1.0))
            drawing.rect(token * column, ROW * (layers - layer), column, ROW, colour)
    _draw_marks(drawing, chart, count, layers)
    for number, name in enumerate(names):
        x = (number * step + 0.5) * column
        drawing.text(x, drawing.height + 6, name, "soft", "right", turned=-90)
    _draw_layers(drawing, layers)
    return drawing


def _titles(chart: HeatChart) -> list[str]:
    """What is shown, and what the marks mean."""
    if chart.g is None or chart.cut is None:
        return [chart.title]
    meaning = f"dot: settled within {chart.g:g}; deep from layer {chart.cut} (line)"
    return [chart.title, meaning]


def _draw_legend(drawing: Drawing, distance: str, most: float) -> None:
    drawing.text(0, -14, distance, "soft")
    x = LETTER * len(distance) + 12
    step = min(58.0, (drawing.plane - x) / len(LEGEND))
    for share in LEGEND:
        drawing.rect(x, -19, 10, 10, _colour(share))
        drawing.text(x + 14, -14, f"{share * most:.2f}")
        x += step


def _draw_marks(drawing: Drawing, chart: HeatChart, count: int, layers: int) -> None:
    """A dot where each token settles, and a line below the first deep layer."""
    if chart.g is None or chart.cut is None or not count:
        return
    below = ROW * (layers - chart.cut + 1)
    drawing.line(0, below, drawing.plane, below, "accent", 1.5)
    column = drawing.plane / count
    for token, row in enumerate(chart.distances[:count]):
        depth = next((n for n, value in enumerate(row, 1) if value <= chart.g), len(row))
        drawing.circle((token + 0.5) * column, ROW * (layers - depth + 0.5), 1.7, "ink")


def _draw_layers(drawing: Drawing, layers: int) -> None:
    """As many numbers as there is room for, and what they count."""
    step = -(-LAYER_GAP // ROW)
    for layer in range(1, layers + 1, step):
        drawing.text(-6, ROW * (layers - layer + 0.5), str(layer), "soft", "right")
    drawing.text(-34, drawing.height / 2, "layer", "soft", "center", turned=-90)


def _colour(share: float) -> str:
    place = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    first = min(int(place), len(COLOURS) - 2)
    pair = (bytes.fromhex(COLOURS[first][1:]), bytes.fromhex(COLOURS[first + 1][1:]))
    mixed = (round(a + (b - a) * (place - first)) for a, b in zip(*pair, strict=True))
    return "#" + bytes(mixed).hex()


def _token_label(text: str) -> str:
    """A token's text in whole characters; bytes that are no character alone say so."""
    marked = text.replace("\n", "↵").replace("\t", "⇥").replace(" ", "·")
    return printable(marked.replace("\ufffd", "▯"), 14)
