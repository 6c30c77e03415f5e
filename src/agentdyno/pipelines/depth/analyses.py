"""What goes with being right: depth and its baselines against accuracy, thresholds swept.

Enter measured responses with known correctness, leave correlations by the paper's protocol (five
quantile bins, Pearson over the bins' means) with bootstrap intervals over responses.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from agentdyno.estimates.binned import binned_correlation
from agentdyno.estimates.values import Estimate
from agentdyno.pipelines.depth.measure import SequenceDepth
from agentdyno.records.depth import Thresholds

MEASURES = (
    "dtr",
    "length",
    "reverse_length",
    "mean_log_prob",
    "negative_perplexity",
    "negative_entropy",
    "self_certainty",
)
BINS = 5
REDRAWS = 1000


class Correlation(Struct, frozen=True):
    """How one measure goes with being right."""

    measure: str
    """Its name."""
    level: str | None
    """The reasoning level; None for all responses together."""
    binned: Estimate
    """Pearson over the means of five quantile bins, with the interval of five points."""
    low: float | None
    """Lower end of the 95 % bootstrap interval over responses."""
    high: float | None
    """Upper end."""
    responses: int
    """Responses whose correctness is known."""


def correlations(sequences: Sequence[SequenceDepth], seed: int = 0) -> list[Correlation]:
    """Every measure against correctness: all responses, then each reasoning level.

    Empty when fewer responses than bins are known to be right or wrong.
    """
    known = [s for s in sequences if s.correct is not None and s.dtr is not None]
    levels = sorted({s.level for s in known if s.level is not None})
    if len(known) < BINS:
        return []
    found = [_correlation(name, None, known, seed) for name in MEASURES]
    for level in levels if len(levels) > 1 else []:
        own = [s for s in known if s.level == level]
        found += [_correlation(name, level, own, seed) for name in MEASURES]
    return found


def threshold_correlations(
    sequences: Sequence[SequenceDepth], seed: int = 0
) -> dict[Thresholds, Correlation]:
    """The ratio against correctness, for each pair of thresholds that was measured."""
    known = [s for s in sequences if s.correct is not None and s.dtr is not None]
    if len(known) < BINS:
        return {}
    found = {}
    for place, (pair, _) in enumerate(known[0].sweep):
        scores = [s.sweep[place][1] for s in known]
        found[pair] = _of(f"dtr g={pair.g} rho={pair.rho}", None, scores, known, seed)
    return found


def score(sequence: SequenceDepth, measure: str) -> float | None:
    """One measure of a response."""
    if measure == "dtr":
        return sequence.dtr
    value: float | None = getattr(sequence.baselines, measure)
    return value


def _correlation(
    measure: str, level: str | None, known: list[SequenceDepth], seed: int
) -> Correlation:
    return _of(measure, level, [score(s, measure) for s in known], known, seed)


def _of(
    measure: str,
    level: str | None,
    scores: list[float | None],
    known: list[SequenceDepth],
    seed: int,
) -> Correlation:
    right = [float(bool(s.correct)) for s in known]
    binned = binned_correlation(scores, right, BINS)
    low, high = _bootstrap(scores, right, seed) if binned.estimate is not None else (None, None)
    return Correlation(measure, level, binned, low, high, len(known))


def _bootstrap(
    scores: list[float | None], right: list[float], seed: int
) -> tuple[float | None, float | None]:
    """Responses are drawn again, and binned again each time."""
    random = np.random.default_rng(seed)
    values = np.array(scores, dtype=np.float64)
    outcomes = np.array(right)
    found = [
        correlation
        for _ in range(REDRAWS)
        if (correlation := _binned_r(values, outcomes, random)) is not None
    ]
    if len(found) < REDRAWS // 2:
        return None, None
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def _binned_r(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
    outcomes: np.ndarray[tuple[int], np.dtype[np.float64]],
    random: np.random.Generator,
) -> float | None:
    drawn = random.integers(0, len(values), len(values))
    score, right = values[drawn], outcomes[drawn]
    edges = np.quantile(score, np.linspace(0, 1, BINS + 1)[1:-1])
    place = np.searchsorted(edges, score, side="left")
    count = np.bincount(place, minlength=BINS)
    filled = count > 0
    means = [np.bincount(place, x, BINS)[filled] / count[filled] for x in (score, right)]
    if filled.sum() < 3 or np.ptp(means[0]) == 0 or np.ptp(means[1]) == 0:
        return None
    return float(np.corrcoef(means[0], means[1])[0, 1])
