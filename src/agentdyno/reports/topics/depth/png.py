"""Pictures of depth as files: the heat map of thought, accuracy over depth."""

from collections.abc import Sequence
from pathlib import Path

from agentdyno.records import InputError
from agentdyno.records.depth import PAPER, DepthProfile, Distance, Thresholds
from agentdyno.studies.depth.accuracy import BINS, quantile_bins, score
from agentdyno.studies.depth.results import SequenceDepth


def draw_heat_map(
    profile: DepthProfile,
    path: Path,
    distance: Distance = "jsd",
    thresholds: Thresholds = PAPER,
) -> None:
    """Layers by tokens of one response with the cut and where tokens settle, as PNG or SVG."""
    from agentdyno.reports.charts.depth import heat_map

    _write(heat_map(profile, distance, thresholds), path)


def draw_accuracy(sequences: Sequence[SequenceDepth], path: Path, measure: str = "dtr") -> None:
    """Accuracy over a measure in quantile bins, as PNG or SVG."""
    from agentdyno.reports.charts.depth import accuracy_bins

    known = [
        (value, bool(s.correct))
        for s in sequences
        if s.correct is not None and (value := score(s, measure)) is not None
    ]
    if len(known) < BINS:
        raise InputError(f"expected at least {BINS} responses with correctness, got {len(known)}.")
    bins = quantile_bins([value for value, _ in known], [right for _, right in known])
    accuracies = [each.right.value or 0.0 for each in bins]
    _write(accuracy_bins([each.score for each in bins], accuracies, measure), path)


def _write(chart: object, path: Path) -> None:
    from agentdyno.reports.charts.render import as_png, as_svg

    if path.suffix not in (".png", ".svg"):
        raise InputError(f"{path}: expected a name that ends in .png or .svg.")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".png":
        path.write_bytes(as_png(chart))  # type: ignore[arg-type]
    else:
        path.write_text(as_svg(chart), encoding="utf-8")  # type: ignore[arg-type]
