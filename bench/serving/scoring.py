"""Scores the rivals: each predicts held-out makespans, its scale fitted to the others.

A rival that is no number of seconds gets its scale from the half that is not held out, by relative
least squares, once per shape (`one scale`) and, to be fair to it, once per shape and concurrency
(`a scale for each concurrency`). Inputs are what had to be prefilled: a kept cache is not charged.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.stats import pearsonr, spearmanr
from workloads import Workload, trajectories

DRAWS = 4000


class Sums(NamedTuple):
    """What rivals count in a workload."""

    turns: float
    prefill: float
    decode: float
    pairs: float
    """Context tokens times decoded tokens, the context as decoding starts."""
    numbers: float
    """Cached numbers read, token by token, windows capped."""


def count(workload: Workload, numbers: Callable[[float, float], float]) -> Sums:
    """The sums of a workload; `numbers` gives the cached numbers that a turn reads."""
    turns = [turn for item in trajectories(workload) for turn in item]
    return Sums(
        turns=len(turns),
        prefill=sum(t.context - t.cached for t in turns),
        decode=sum(t.decode for t in turns),
        pairs=sum(t.context * t.decode for t in turns),
        numbers=sum(numbers(t.context, t.decode) for t in turns),
    )


def rivals(gamma: float, per_number: float) -> dict[str, Callable[[Sums], list[float]]]:
    """By name: the columns that a rival's prediction is linear in."""
    prices = {f"price 1:{r:g}": lambda s, r=r: [s.prefill + r * s.decode] for r in (1.5, 3, 4, 8)}
    return {
        "output tokens": lambda s: [s.decode],
        "turns": lambda s: [s.turns],
        "tokens 1:1": lambda s: [s.prefill + s.decode],
        **prices,
        "a*in + b*out": lambda s: [s.prefill, s.decode],
        "four terms": lambda s: [s.turns, s.prefill, s.decode, s.numbers],
        "PTE": lambda s: [s.prefill + gamma * s.pairs],
        "PTE with growth": lambda s: [s.prefill + per_number * s.numbers],
    }


def fitted(
    columns: Mapping[str, list[float]],
    seconds: Mapping[str, float],
    group: Callable[[str], str],
    train: Sequence[str],
    test: Sequence[str],
) -> dict[str, float]:
    """Predictions for the test half from a relative fit to the training half of the same group."""
    found: dict[str, float] = {}
    for name in test:
        own = [other for other in train if group(other) == group(name)]
        rows = np.array([[c / seconds[o] for c in columns[o]] for o in own])
        weights = nnls(rows, np.ones(len(rows)))[0]
        found[name] = float(np.dot(weights, columns[name]))
    return found


def describe(predicted: Mapping[str, float], seconds: Mapping[str, float]) -> dict[str, float]:
    """Pearson, Spearman, mean and largest absolute percentage error."""
    names = sorted(predicted)
    said, true = np.array([predicted[n] for n in names]), np.array([seconds[n] for n in names])
    errors = np.abs(said / true - 1)
    return {
        "n": len(names),
        "pearson": float(pearsonr(said, true).statistic),
        "spearman": float(spearmanr(said, true).statistic),
        "mean_error": float(errors.mean()),
        "worst_error": float(errors.max()),
    }


def difference(
    ours: Mapping[str, float], theirs: Mapping[str, float], seconds: Mapping[str, float]
) -> tuple[float, float, float]:
    """How much larger a rival's mean error is, with a 95 % interval: workloads drawn again."""
    names = sorted(ours)
    gaps = np.array(
        [abs(theirs[n] / seconds[n] - 1) - abs(ours[n] / seconds[n] - 1) for n in names]
    )
    chance = np.random.default_rng(1)
    means = chance.choice(gaps, (DRAWS, len(gaps))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return float(gaps.mean()), float(low), float(high)
