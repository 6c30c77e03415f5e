"""Depths of responses as one JSON object, flat enough for a data frame."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentdyno_depth.pipelines.depth import DepthOptions, DepthResult


def result_json(result: "DepthResult", options: "DepthOptions") -> dict[str, Any]:
    """The object."""
    import msgspec

    from agentdyno_depth.studies.depth.accuracy import correlations

    pair = options.thresholds[0]
    return {
        "model": result.model,
        "layers": result.layers,
        "deep_from_layer": result.cut,
        "distance": result.distance,
        "g": pair.g,
        "rho": pair.rho,
        "sequences": [_sequence_json(row, len(options.thresholds) > 1) for row in result.sequences],
        "correlations": msgspec.to_builtins(correlations(result.sequences)),
        "work": msgspec.to_builtins(result.work),
        "bad": [str(bad) for bad in result.bad],
    }


def _sequence_json(row: Any, several: bool) -> dict[str, Any]:
    import msgspec

    flat: dict[str, Any] = {"id": row.id, "dtr": row.dtr, **msgspec.to_builtins(row.baselines)}
    if several:
        flat["sweep"] = [{"g": p.g, "rho": p.rho, "dtr": ratio} for p, ratio in row.sweep]
    names = ("correct", "level", "response", "ended", "tokens", "record")
    optional = {name: getattr(row, name) for name in names}
    flat.update({k: msgspec.to_builtins(v) for k, v in optional.items() if v is not None})
    return flat
