"""What a turn costs by the formula, a token after the other: the product is compared with it."""

import numpy as np

from agentdyno.cost.gamma import Gamma, turn_gammas
from agentdyno.measures import pte


def decode_cost(gamma: Gamma, context_tokens: int) -> float:
    """What one token decoded over this context costs, in prefilled tokens, windows included."""
    return gamma.value * context_tokens + cost_windowed_layers(gamma, context_tokens)


def cost_windowed_layers(gamma: Gamma, context_tokens: int) -> float:
    """The part that the layers with a window cause: constant once the context fills the window."""
    if gamma.chunked and gamma.window_tokens:
        return gamma.window_value * (context_tokens % gamma.window_tokens)
    return gamma.window_value * min(context_tokens, gamma.window_tokens)


def turn_pte_growth(prefill: float, context: float, decode: float, gamma: Gamma) -> float:
    """PTE of one turn with the cache entries that the turn itself adds, by the product."""
    gammas, at, produced = turn_gammas([gamma]), np.array([context]), np.array([decode])
    effective = float(gammas.effective(at)[0])
    return pte.turn(prefill, context, decode, effective) + float(gammas.growth(at, produced)[0])
