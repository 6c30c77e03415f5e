"""Depth measures of recorded probes: settling depths, deep-thinking ratios, confidence."""

from agentdyno.metrics.depth.baselines import Baselines, baselines
from agentdyno.metrics.depth.settling import (
    deep_thinking_ratio,
    deep_tokens,
    settling_depths,
    sweep,
)

__all__ = [
    "Baselines",
    "baselines",
    "deep_thinking_ratio",
    "deep_tokens",
    "settling_depths",
    "sweep",
]
