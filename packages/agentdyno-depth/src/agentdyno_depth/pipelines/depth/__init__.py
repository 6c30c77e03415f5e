"""Depth of responses, and of a ledger's turns: texts in, ratios, baselines and profiles out.

text_depth     texts in a file, read by the model                  studies.depth.response_depth
journal        what is measured, written as it comes
ledger_turns   a ledger's turns read again, their rows added to it
turns          how hard the model thinks at each of them           probes.windows
layer_rows     one turn for each setting, layer by layer
"""

from agentdyno_depth.pipelines.depth.text_depth import measure_depth
from agentdyno_depth.studies.depth.response_depth import replay_depth
from agentdyno_depth.studies.depth.results import DepthOptions, DepthResult, SequenceDepth

__all__ = ["DepthOptions", "DepthResult", "SequenceDepth", "measure_depth", "replay_depth"]
