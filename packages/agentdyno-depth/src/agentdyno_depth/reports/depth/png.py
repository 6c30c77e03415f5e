"""The heat map of one response as a file."""

from pathlib import Path

from agentdyno.records import InputError
from agentdyno_depth.records.depth import PAPER, DepthProfile, Distance, Thresholds


def draw_heat_map(
    profile: DepthProfile,
    path: Path,
    distance: Distance = "jsd",
    thresholds: Thresholds = PAPER,
) -> None:
    """Layers by tokens of one response with the cut and where tokens settle, as PNG or SVG."""
    from agentdyno.reports.charts.depth import heat_map

    _write(heat_map(profile, distance, thresholds), path)


def _write(chart: object, path: Path) -> None:
    from agentdyno.reports.charts.render import as_png, as_svg

    if path.suffix not in (".png", ".svg"):
        raise InputError(f"{path}: expected a name that ends in .png or .svg.")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png":
        path.write_bytes(as_png(chart))  # type: ignore[arg-type]
    else:
        path.write_text(as_svg(chart), encoding="utf-8")  # type: ignore[arg-type]
