"""A world in which the worth of every call is known: for checking whatever claims to measure it.

A task is solved by collecting facts. Some tools give facts, one only talks, one misleads, one takes
notes. The agent is a fixed lottery, so the chance of success from any state can be computed exactly
and with it the true delta of every call. No model is needed and nothing is random but the seed.
"""

from agentdyno_bench.utility.facts.attempting import Attempt, AttemptCall, attempt, continue_from
from agentdyno_bench.utility.facts.world import (
    DISTRACTORS,
    FACT_TOOLS,
    TOOLS,
    Progress,
    World,
    true_delta,
    value,
)

__all__ = [
    "DISTRACTORS",
    "FACT_TOOLS",
    "TOOLS",
    "Attempt",
    "AttemptCall",
    "Progress",
    "World",
    "attempt",
    "continue_from",
    "true_delta",
    "value",
]
