"""Charts of depth: the heat map of thought, accuracy over a measure in bins.

Enter recorded profiles or binned values, leave charts. Texts of tokens are shown, never run.
"""

from typing import TYPE_CHECKING, Any

from agentdyno.records import printable
from agentdyno.records.depth import DepthProfile, Distance
from agentdyno.reports.charts.drawing import layered, over
from agentdyno.reports.charts.palette import LIGHT
from agentdyno.reports.topic import HeatChart

if TYPE_CHECKING:
    import altair as alt

COLUMN = 14
"""Pixels per token."""
ROW = 8
"""Pixels per layer."""
MARGIN = 60
"""Pixels beside the columns."""
LEGEND = [0, 0.25, 0.5, 0.75, 1]
MOST_TOKENS = 120
"""Tokens that a heat map shows, from the start."""


def heat_map(profile: DepthProfile, distance: Distance = "jsd") -> "alt.LayerChart":
    """The first tokens of a recorded profile, as many columns as they need."""
    count = min(len(profile.token_ids), MOST_TOKENS)
    texts = list((profile.tokens or ("",) * count)[:count])
    rows = [[float(value) for value in row] for row in profile.distances[distance][:count]]
    chart = HeatChart("thought", "thought", texts, rows)
    return heat(chart, max(160, COLUMN * count + MARGIN), distance)


def heat(chart: HeatChart, width: int, distance: Distance = "jsd") -> "alt.LayerChart":
    """Layers by tokens: dark where a layer's prediction is still far from the last one's."""
    import altair as alt

    count = min(len(chart.tokens), max(1, (width - MARGIN) // COLUMN))
    base = over(_cells(chart.distances[:count]))
    texts = [_shown(text) for text in chart.tokens[:count]]
    scheme: Any = {"scheme": "yelloworangebrown"}
    if distance == "jsd":
        scheme["domain"] = [0, 1]  # The same colours mean the same in every picture.
    across = alt.Axis(
        title=None, labelAngle=-90, labelLimit=90, labelOverlap=False, labelExpr=_names(texts)
    )
    # A gradient would need a reference, which no page of ours lets in; symbols do not.
    legend = alt.Legend(
        title=distance, type="symbol", symbolType="square", values=LEGEND, format=".2f"
    )
    cells = base.mark_rect().encode(
        x=alt.X("token:O", axis=across),
        y=alt.Y("layer:O", sort="descending", axis=alt.Axis(title="layer", labelOverlap=True)),
        color=alt.Color("distance:Q", scale=alt.Scale(**scheme), legend=legend),
    )
    layers = max((len(row) for row in chart.distances[:count]), default=1)
    return layered([cells], min(width, COLUMN * count + MARGIN), ROW * layers)


def accuracy_bins(
    scores: list[float], accuracies: list[float], name: str, width: int = 420
) -> "alt.LayerChart":
    """Accuracy over the mean score of each bin."""
    import altair as alt

    values = [{"score": s, "accuracy": a} for s, a in zip(scores, accuracies, strict=True)]
    base = over(values)
    x = alt.X("score:Q", scale=alt.Scale(zero=False), axis=alt.Axis(title=name, tickCount=5))
    y = alt.Y(
        "accuracy:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(title="accuracy", format=".0%", tickCount=5),
    )
    line = base.mark_line(color=LIGHT["accent"], strokeWidth=1.5).encode(x=x, y=y)
    points = base.mark_point(filled=True, size=80, color=LIGHT["accent"], opacity=1).encode(
        x=x, y=y
    )
    return layered([line, points], width, 260)


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


def _shown(text: str) -> str:
    marked = text.replace("\n", "↵").replace("\t", "⇥").replace(" ", "·")
    return printable(marked, 14)
