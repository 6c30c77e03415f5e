"""Reward of an attempt: parts, each from 0 to 1, and one number.

Takes plain numbers about an attempt, returns its parts and their sum. Knows nothing of tasks,
models and files but its own weights.
"""

from agentdyno_bench.shared.rewards.parts import Parts, cost_part, parallelism_part, validity_part
from agentdyno_bench.shared.rewards.weights import Weights, read_weights, reward

__all__ = [
    "Parts",
    "Weights",
    "cost_part",
    "parallelism_part",
    "read_weights",
    "reward",
    "validity_part",
]
