"""The label that the features of an answer speak for, and how surely: weights fitted once.

`fitted.json` is made by `bench/fit_failure_rule.py` from answers labelled by hand. Each feature has
a weight for each of three labels; a new word that other answers use too has one for an invention.
The label with the largest sum wins, and its chance is the softmax of the sums.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from math import exp
from typing import NamedTuple

from agentdyno.records.failures import Label

LABELS: tuple[Label, ...] = ("correct", "result_ignore", "output_fabrication")
"""What an answer can be whose calls were executed; an invention is the last."""


class Fitted(NamedTuple):
    """What was fitted."""

    threshold: float
    """The chance below which an answer is unclear."""
    features: dict[str, list[float]]
    """Weights of each feature, in the order of the labels."""
    words: dict[str, float]
    """Weights of stems of new words for an invention."""
    counts: dict[str, int]
    """How many tasks have right answers that add a stem to those of their sources."""


@cache
def load_fitted() -> Fitted:
    """The fitted weights."""
    return Fitted(**json.loads((files(__package__) / "fitted.json").read_text("utf-8")))


def weigh(
    fitted: Fitted, features: Mapping[str, float], words: Mapping[str, float]
) -> tuple[Label, float]:
    """The likeliest label, and its chance."""
    sums = [0.0] * len(LABELS)
    for name, value in features.items():
        for number, weight in enumerate(fitted.features.get(name, ())):
            sums[number] += weight * value
    sums[-1] += sum(fitted.words.get(stem, 0.0) * value for stem, value in words.items())
    best = max(range(len(LABELS)), key=sums.__getitem__)
    return LABELS[best], 1 / sum(exp(each - sums[best]) for each in sums)
