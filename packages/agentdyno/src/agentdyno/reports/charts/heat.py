"""Heat maps: layers by tokens in, a chart out. Texts of tokens are shown, never run."""

from typing import TYPE_CHECKING, Any

from agentdyno.records import printable
from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import LIGHT
from agentdyno.reports.topic import HeatChart

if TYPE_CHECKING:
    import altair as alt

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
LEGEND = [0, 0.25, 0.5, 0.75, 1]


def heat(
    chart: HeatChart, width: int, distance: str = "jsd", titled: bool = False
) -> "alt.LayerChart":
    """Layers by tokens: dark where a layer's prediction is still far from the last one's.

    A dot marks the layer at which a token settles, a line the first deep layer: dots on or above
    it are deep-thinking tokens. All tokens are shown, in narrower columns when there are many.
    """
    import altair as alt

    room = max(1, width - MARGIN)
    count = min(len(chart.tokens), max(1, room // NARROW))
    base = over(_cells(chart.distances[:count]))
    scheme: Any = {"scheme": "yelloworangebrown"}
    if distance == "jsd":
        scheme["domain"] = [0, 1]  # The same colours mean the same in every picture.
    # A gradient would need a reference, which no page of ours lets in; symbols do not.
    legend = alt.Legend(
        title=distance, type="symbol", symbolType="square", values=LEGEND, format=".2f"
    )
    x = alt.X("token:O", axis=_across(chart.tokens[:count], room // COLUMN))
    y = alt.Y("layer:O", sort="descending", axis=alt.Axis(title="layer", labelOverlap=True))
    cells = base.mark_rect().encode(
        x=x, y=y, color=alt.Color("distance:Q", scale=alt.Scale(**scheme), legend=legend)
    )
    layers = max((len(row) for row in chart.distances[:count]), default=1)
    marks = _marks(chart, count, x, y)
    # Few tokens get wide columns: the title and the legend need the width.
    across = min(room, max(COLUMN * count, LEAST_WIDTH)) + MARGIN
    drawn = layered([cells, *marks], across, ROW * layers)
    return drawn.properties(title=alt.Title(_title(chart), fontSize=12)) if titled else drawn


def _title(chart: HeatChart) -> list[str]:
    """What is shown, and what the marks mean."""
    if chart.g is None or chart.cut is None:
        return [chart.title]
    meaning = f"dot: settled within {chart.g:g}; deep from layer {chart.cut} (line)"
    return [chart.title, meaning]


def _marks(chart: HeatChart, count: int, x: Any, y: Any) -> list[Any]:
    """A dot where each token settles, and a line below the first deep layer."""
    if chart.g is None or chart.cut is None or not count:
        return []
    g = chart.g
    settled = [
        {"token": token, "layer": next((n for n, d in enumerate(row, 1) if d <= g), len(row))}
        for token, row in enumerate(chart.distances[:count])
    ]
    dots = over(settled).mark_point(filled=True, size=9, color=LIGHT["ink"], opacity=1)
    line = over([{"token": token, "layer": chart.cut} for token in range(count)])
    # A tick at the lower edge of the cut's row, one in each column: they join to a line.
    ticks = line.mark_tick(
        color=LIGHT["accent"], thickness=1.5, orient="horizontal", yOffset=ROW / 2, bandSize=COLUMN
    )
    return [ticks.encode(x=x, y=y), dots.encode(x=x, y=y)]


def _across(tokens: list[str], names: int) -> Any:
    """Whole names, of as many tokens as there is room for: all, or every second, third…"""
    import altair as alt

    step = -(-len(tokens) // max(1, names))
    texts = [_token_label(text) for text in tokens]
    return alt.Axis(
        title=None,
        labelAngle=-90,
        labelLimit=120,
        labelOverlap=False,
        labelExpr=_names(texts),
        values=list(range(0, len(tokens), step)),
        ticks=step == 1,
    )


def _cells(distances: list[list[float]]) -> list[dict[str, Any]]:
    return [
        {"token": token, "layer": layer + 1, "distance": round(value, 4)}
        for token, row in enumerate(distances)
        for layer, value in enumerate(row)
    ]


def _names(texts: list[str]) -> str:
    """An expression that names each place; texts become string literals by JSON."""
    import msgspec

    return f"{msgspec.json.encode(texts).decode()}[datum.value]"


def _token_label(text: str) -> str:
    """A token's text in whole characters; bytes that are no character alone say so."""
    marked = text.replace("\n", "↵").replace("\t", "⇥").replace(" ", "·")
    return printable(marked.replace("\ufffd", "▯"), 14)
