"""Depth measures of recorded probes: settling depths, deep-thinking ratios, confidence."""

from agentdyno_depth.metrics.baselines import Baselines, baselines
from agentdyno_depth.metrics.settling import (
    deep_thinking_ratio,
    find_settling_depths,
    sweep,
)
from agentdyno_depth.records.depth import deep_tokens

__all__ = [
    "Baselines",
    "baselines",
    "deep_thinking_ratio",
    "deep_tokens",
    "find_settling_depths",
    "sweep",
]
