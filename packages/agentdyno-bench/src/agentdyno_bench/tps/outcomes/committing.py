"""How surely an answer commits to a value: features of its own words in, a decision out.

`committing.json` is made by `bench/fit_commitment.py` from wordings of many authors that commit to
a value or only mention it. A feature without a weight counts nothing, and a line without words of
its own commits. Between the two thresholds an answer is unclear.
"""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from agentdyno.matching.commitments import Answer
from agentdyno.matching.values import fold
from agentdyno_bench.tps.outcomes.goals import stem

Classes = Mapping[str, tuple[str, ...]]
"""Stem -> the classes that its word belongs to, each with an @ before it."""


class Fitted(NamedTuple):
    """What was fitted."""

    no: float
    """The sum below which a text does not commit."""
    yes: float
    """The sum from which on it does."""
    weights: dict[str, float]
    """Weight of each feature; `bias` stands in every sum."""


@cache
def load_fitted() -> Fitted:
    """The fitted weights."""
    return Fitted(**json.loads((files(__package__) / "committing.json").read_text("utf-8")))


@cache
def load_classes() -> Classes:
    """Classes of words."""
    found: dict[str, tuple[str, ...]] = {}
    listed = tomllib.loads((files(__package__) / "word_classes.toml").read_text("utf-8"))
    for name, words in listed.items():
        for key in {stem(fold(word)) for word in words.split()}:
            found[key] = (*found.get(key, ()), f"@{name}")
    return found


def weigh(features: Mapping[str, float]) -> float:
    """The sum of the weights; the logarithm of the odds that the text commits."""
    weights = load_fitted().weights
    found = [weights[name] * value for name, value in features.items() if name in weights]
    return weights["bias"] + sum(found)


def answer_for(total: float) -> Answer:
    """What a sum says."""
    fitted = load_fitted()
    return "no" if total < fitted.no else "unclear" if total < fitted.yes else "yes"
