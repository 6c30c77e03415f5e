"""The heat map of one response as a file."""

from pathlib import Path

from agentdyno.records import InputError, printable
from agentdyno.reports.charts.drawing import Drawing
from agentdyno.reports.charts.heat import COLUMN, LEAST_WIDTH, MARGIN, heat
from agentdyno.reports.topic import HeatChart
from agentdyno_depth.records.depth import PAPER, DepthProfile, Distance, Thresholds, cut_layer

MOST_TOKENS = 500
"""Tokens that a heat map shows, from the start."""


def draw_heat_map(
    profile: DepthProfile,
    path: Path,
    distance: Distance = "jsd",
    thresholds: Thresholds = PAPER,
) -> None:
    """Layers by tokens of one response with the cut and where tokens settle, as PNG or SVG."""
    _write(heat_map(profile, distance, thresholds), path)


def heat_map(
    profile: DepthProfile, distance: Distance = "jsd", thresholds: Thresholds = PAPER
) -> Drawing:
    """The first tokens of a recorded profile, as many columns as they need."""
    count = min(len(profile.token_ids), MOST_TOKENS)
    texts = list((profile.tokens or ("",) * count)[:count])
    rows = [[float(value) for value in row] for row in profile.distances[distance][:count]]
    cut = cut_layer(profile.layers, thresholds.rho)
    title = (
        f"{printable(profile.model, 40)}, response {printable(profile.sequence_id, 30)}: "
        f"{distance} of each layer from the last"
    )
    chart = HeatChart("thought", title, texts, rows, thresholds.g, cut)
    return heat(chart, MARGIN + max(LEAST_WIDTH, COLUMN * min(count, 120)), distance, titled=True)


def _write(chart: Drawing, path: Path) -> None:
    from agentdyno.reports.charts.render import as_png

    if path.suffix not in (".png", ".svg"):
        raise InputError(f"{path}: expected a name that ends in .png or .svg.")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png":
        path.write_bytes(as_png(chart))
    else:
        path.write_text(chart.svg(), encoding="utf-8")
