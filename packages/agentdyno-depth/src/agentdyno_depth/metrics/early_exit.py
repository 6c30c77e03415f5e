"""Early exit: where a causal rule would stop a token, and whether it then chooses as the model.

Takes what every layer would choose (`LayerChoices`) and a rule, returns exit depths. A rule sees a
token's layers from below and only up to where it stops; it knows neither the layers above nor the
token that was written. Worked: layers choose b, a, a, a with probabilities .2, .5, .95, .99. The
rule "0.9 sure" stops at layer 3 and agrees; the oracle stops at layer 2, from which on nothing
changes.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from agentdyno_depth.records.layer_choices import Floats, Ints, LayerChoices

Signal = Literal["probability", "margin", "agreement", "oracle"]


class ExitRule(Struct, frozen=True):
    """When a token leaves."""

    signal: Signal
    """`probability` or `margin` of the likeliest token, `agreement` of checks in a row, or the
    `oracle`: the first check above which no layer changes the choice. No engine can know it."""
    least: float
    """The least value that lets a token go; for agreement, checks in a row."""
    every: int
    """Layers between two checks; a check costs one product with the output head."""

    def checks(self, layers: int) -> list[int]:
        """The layers after which predictions are looked at, from 1; the last needs no check."""
        return [layer for layer in range(self.every, layers) if layer % self.every == 0]


def exit_depths(found: LayerChoices, rule: ExitRule) -> Ints:
    """The layer after which each token leaves, from 1; all layers where the rule never holds."""
    depths = np.full(found.tokens.shape[1], found.layers, dtype=np.int64)
    for layer in reversed(rule.checks(found.layers)):
        depths[_holds(found, rule, layer)] = layer
    return depths


def agreement(found: LayerChoices, depths: Ints) -> float:
    """Share of tokens whose choice at their exit is that of the whole model."""
    chosen = np.take_along_axis(found.tokens, depths[None] - 1, axis=0)[0]
    return float((chosen == found.tokens[-1]).mean())


def largest_depths(depths: Ints, layers: int, batch: float) -> Floats:
    """By layer, the chance that the deepest of a batch of tokens drawn at random leaves there.

    A step lasts as long as its deepest token: F(l)^n - F(l-1)^n.
    """
    reached = np.cumsum(np.bincount(depths, minlength=layers + 1)[1:]) / len(depths)
    powers = reached**batch
    return np.diff(powers, prepend=0.0)


def count_readouts(layers: int, checks: Sequence[int], largest: Floats) -> float:
    """Products with the output head in one step, on average; without exits there is one."""
    passed = [sum(check <= layer for check in checks) for layer in range(1, layers + 1)]
    passed[-1] += 1
    return float(np.dot(passed, largest))


def _holds(found: LayerChoices, rule: ExitRule, layer: int) -> npt.NDArray[np.bool_]:
    holds: npt.NDArray[np.bool_]
    rows = [layer - 1 - rule.every * back for back in range(int(rule.least))]
    if rule.signal == "probability":
        holds = found.probability[layer - 1] >= rule.least
    elif rule.signal == "margin":
        holds = found.margin[layer - 1] >= rule.least
    elif rule.signal == "oracle":
        holds = (found.tokens[layer - 1 :] == found.tokens[-1]).all(axis=0)
    elif rows[-1] < 0:  # Too few checks so far.
        holds = np.zeros(found.tokens.shape[1], dtype=bool)
    else:
        holds = (found.tokens[rows] == found.tokens[layer - 1]).all(axis=0)
    return holds
