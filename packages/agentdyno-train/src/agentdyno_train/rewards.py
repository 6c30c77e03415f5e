"""Rewards of attempts at our own tasks: plain functions of an attempt, by the parts of `metrics`.

Takes a scored attempt, weights and what the reference plan costs, returns the reward with its
parts. Cost is counted as in the ledger: every turn prefills its whole context (`evicted`), in
prefill-token equivalents or in GPU-seconds of a named model on named hardware.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
from msgspec import Struct

from agentdyno.cost.physical import gpu_seconds
from agentdyno.cost.servings import Servings
from agentdyno.measures import pte
from agentdyno.measures.planning import measure_schedule
from agentdyno_bench.shared.rewards import (
    Parts,
    Weights,
    cost_part,
    parallelism_part,
    reward,
    validity_part,
)
from agentdyno_bench.tps.tasks.placing import graph_of, place_calls
from agentdyno_train.attempts import TurnTokens
from agentdyno_train.environment import Scored

HARDWARE = "h100-pcie"


class Meter(Struct, frozen=True):
    """Prices tokens in GPU-seconds."""

    unit: str = "pte"
    """Either `pte` or `gpu_seconds`."""
    model: str = "smollm2-135m"
    """The architecture, by name or by its config.json."""
    hardware: str = HARDWARE

    def cost(self, tokens: Sequence[TurnTokens]) -> float:
        """Cost of the model calls of one attempt."""
        if self.unit == "pte":
            rate = pte.find_gamma(self.model, self.hardware)
            return sum(pte.turn(t.context, t.context, t.generated, rate) for t in tokens)
        context = np.array([float(t.context) for t in tokens])
        decode = np.array([float(t.generated) for t in tokens])
        cost = gpu_seconds(_servings(self.hardware).of(self.model), context, context, decode)
        return float(cost.total.sum())


class Rewarded(Struct, frozen=True):
    """An attempt's reward."""

    reward: float
    parts: Parts
    """The parts that it is computed from."""
    cost: float | None
    """What the attempt cost; None when tokens were not counted."""


def compute_reward(
    scored: Scored, weights: Weights, meter: Meter | None = None, reference: float | None = None
) -> Rewarded:
    """The reward of a scored attempt; `reference` is what the reference plan costs."""
    attempt = scored.attempt
    placed = place_calls(attempt.task, attempt.calls)
    measured = measure_schedule(graph_of(attempt.task), placed)
    useful = sum(call.seconds for call in placed if call.did)
    nodes = len({node for call in placed for node in call.did})
    tokens = attempt.tokens
    cost = None if meter is None or tokens is None else meter.cost(tokens)
    parts = Parts(
        outcome=scored.marks.score,
        parallelism=parallelism_part(useful, measured.makespan_seconds, measured.speedup_available),
        validity=validity_part(len(attempt.calls), measured.failed_calls, attempt.malformed),
        cost=cost_part(cost, reference),
        progress=nodes / len(attempt.task.subtasks) * scored.marks.harm_factor,
    )
    return Rewarded(reward(parts, weights), parts, cost)


@cache
def _servings(hardware: str) -> Servings:
    return Servings(hardware)
