"""Depth of responses: texts in, ratios, baselines, profiles and pictures out.

Read `measure.py` first.

    texts      lines of prompts and responses, or a ledger's turns     texts, turns
    measure    the model over them: labels, or whole profiles          probes, metrics.depth
    analyse    what goes with being right, thresholds swept            analyses
    keep       profiles as Parquet, pictures                           files, reports.charts
"""

from agentdyno.pipelines.depth.measure import (
    DepthOptions,
    DepthResult,
    SequenceDepth,
    measure_depth,
    replay_depth,
)

__all__ = ["DepthOptions", "DepthResult", "SequenceDepth", "measure_depth", "replay_depth"]
