"""Heat maps: layers by tokens in, a picture out. Texts of tokens are shown, never run.

Dark where a layer's prediction is still far from the last one's. A dot marks the layer at which a
token settles, a line the first deep layer: dots on or above it are deep-thinking tokens. All tokens
are shown: in several rows when there are many, and in narrower columns when the rows are full too.
"""

from agentdyno.records import printable
from agentdyno.reports.charts.drawing import LETTER, Drawing, cut, text_width
from agentdyno.reports.topic import HeatChart

COLUMN = 14
"""Pixels per token, where there is room for its text…"""
NARROW = 3
"""…and at least, where there is none."""
MOST_ROWS = 8
"""Rows of tokens before columns become narrower."""
LABEL = 14
"""Letters of a token's text; a wide character counts for two."""
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


def heat(chart: HeatChart, width: int) -> Drawing:
    """The picture. The same colours mean the same in every one."""
    room = max(1, width - MARGIN)
    rows = _break_rows(len(chart.tokens), room)
    tokens = len(rows[0])
    distances = chart.distances[: rows[-1].stop]
    layers = max((len(row) for row in distances), default=1)
    step = -(-tokens // max(1, room // COLUMN))
    names = [_token_label(text) for text in chart.tokens[: rows[-1].stop]]
    top, below = 26.0, text_width(*names[::step]) + 14
    # Few tokens get wide columns: the title and the legend need the width.
    across = min(room, max(COLUMN * tokens, LEAST_WIDTH)) + MARGIN
    strip = ROW * layers + below
    drawing = Drawing(across, strip * len(rows) - below, 44, 16, top, below)
    _draw_legend(drawing)
    column = drawing.plane / max(tokens, 1)
    for number, row in enumerate(rows):
        down = number * strip
        _draw_cells(drawing, chart, row, (down, column, layers))
        _draw_marks(drawing, chart, row, (down, column, layers))
        for index in range(0, len(row), step):
            x = (index + 0.5) * column
            name = names[row.start + index]
            drawing.text(x, down + ROW * layers + 6, name, "soft", "right", turned=-90)
        _draw_layers(drawing, layers, down)
    return drawing


def _break_rows(count: int, room: float) -> list[range]:
    """Which tokens stand in which row; at least one row, which may be empty."""
    wide, narrow = max(1, int(room // COLUMN)), max(1, int(room // NARROW))
    size = min(narrow, max(wide, -(-count // MOST_ROWS)))
    most = min(count, size * MOST_ROWS)
    return [range(start, min(start + size, most)) for start in range(0, max(most, 1), size)]


def _draw_cells(
    drawing: Drawing, chart: HeatChart, row: range, at: tuple[float, float, int]
) -> None:
    down, column, layers = at
    for index, token in enumerate(row):
        for layer, value in enumerate(chart.distances[token], 1):
            colour = _colour(value)
            drawing.rect(index * column, down + ROW * (layers - layer), column, ROW, colour)


def _draw_legend(drawing: Drawing) -> None:
    drawing.text(0, -14, "jsd", "soft")
    x = LETTER * 3 + 12
    step = min(58.0, (drawing.plane - x) / len(LEGEND))
    for share in LEGEND:
        drawing.rect(x, -19, 10, 10, _colour(share))
        drawing.text(x + 14, -14, f"{share:.2f}")
        x += step


def _draw_marks(
    drawing: Drawing, chart: HeatChart, row: range, at: tuple[float, float, int]
) -> None:
    """A dot where each token settles, and a line below the first deep layer."""
    if chart.g is None or chart.cut is None or not row:
        return
    down, column, layers = at
    below = down + ROW * (layers - chart.cut + 1)
    drawing.line(0, below, column * len(row), below, "accent", 1.5)
    for index, token in enumerate(row):
        distances = chart.distances[token]
        depth = next((n for n, value in enumerate(distances, 1) if value <= chart.g), layers)
        drawing.circle((index + 0.5) * column, down + ROW * (layers - depth + 0.5), 1.7, "ink")


def _draw_layers(drawing: Drawing, layers: int, down: float) -> None:
    """As many numbers as there is room for, and what they count."""
    step = -(-LAYER_GAP // ROW)
    for layer in range(1, layers + 1, step):
        drawing.text(-6, down + ROW * (layers - layer + 0.5), str(layer), "soft", "right")
    drawing.text(-34, down + ROW * layers / 2, "layer", "soft", "center", turned=-90)


def _colour(share: float) -> str:
    position = min(max(share, 0.0), 1.0) * (len(COLOURS) - 1)
    first = min(int(position), len(COLOURS) - 2)
    pair = (bytes.fromhex(COLOURS[first][1:]), bytes.fromhex(COLOURS[first + 1][1:]))
    mixed = (round(a + (b - a) * (position - first)) for a, b in zip(*pair, strict=True))
    return "#" + bytes(mixed).hex()


def _token_label(text: str) -> str:
    """A token's text in whole characters; bytes that are no character alone say so."""
    marked = text.replace("\n", "↵").replace("\t", "⇥").replace(" ", "·")
    # What joins emoji has no picture of its own.
    joined = marked.replace("\u200d", "").replace("\ufe0f", "").replace("\ufffd", "▯")
    return cut(printable(joined, LABEL), LABEL * LETTER)
