"""What people ask for, each a function that adds subtasks and a sentence to a draft."""

from agentdyno_bench.tps.tasks.scenes.chains import CHAINS
from agentdyno_bench.tps.tasks.scenes.closing import CLOSINGS
from agentdyno_bench.tps.tasks.scenes.small import SMALL as FUNCTIONS
from agentdyno_bench.tps.tasks.scenes.small import Scene
from agentdyno_bench.tps.tasks.scenes.written import WRITTEN

SMALL: dict[str, Scene] = {**FUNCTIONS, **WRITTEN}
OPEN_TO_ANYBODY = frozenset({"loan", "measure"})
"""Wishes that need no service at all: not used, because a guess could not be told from work."""
HELD_OUT_CHAINS = frozenset(
    {"trip", "shares", "cinema", "budget", "invoice", "memo", "call_abroad",
     "drop_in", "escape", "dry_day", "overspent"}
)  # fmt: skip
"""Chains of the tests; the others are for training."""
HELD_OUT_CLOSINGS = frozenset({"report", "letter"})


def small_for(test: bool) -> list[str]:
    """Small scenes of the tests, or of the training: every other one by name, none in both."""
    names = sorted(name for name in SMALL if name not in OPEN_TO_ANYBODY)
    return names[0::2] if test else names[1::2]


def chains_for(test: bool) -> list[str]:
    """Chains of the tests, or of the training."""
    return [name for name in CHAINS if (name in HELD_OUT_CHAINS) == test]


def closings_for(test: bool) -> list[str]:
    """Closings of the tests, or of the training."""
    return [name for name in CLOSINGS if (name in HELD_OUT_CLOSINGS) == test]


__all__ = ["CHAINS", "CLOSINGS", "SMALL", "chains_for", "closings_for", "small_for"]
