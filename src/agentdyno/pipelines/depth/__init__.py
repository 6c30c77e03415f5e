"""Depth of responses: texts in, ratios, baselines, profiles and pictures out.

Read `measure.py` first.

    texts      lines of prompts and responses                          texts
    measure    the model over them: labels, or whole profiles          probes, metrics.depth
    analyse    what goes with being right, thresholds swept            analyses
    keep       profiles as Parquet, pictures                           files, reports.charts
    turns      a ledger's turns read again                             windows, turns, thought
    add        their rows, kept in the ledger as they come             adding
    tell       readings, settings, turns; charts, tables and topics    frames, by_setting, topic
"""

from agentdyno.pipelines.depth.measure import measure_depth, replay_depth
from agentdyno.studies.depth.results import DepthOptions, DepthResult, SequenceDepth

__all__ = ["DepthOptions", "DepthResult", "SequenceDepth", "measure_depth", "replay_depth"]
