"""Correlates depth and its baselines with accuracy, over swept thresholds.

Takes measured responses with known correctness, returns the paper's five quantile bins, and Pearson
over their means with a bootstrap interval over responses; over tasks where they have several.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.depth import BINS, correlate_bins, find_bins
from agentdyno.studies.readings import share_of
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.studies.depth.results import SequenceDepth

MEASURES = (
    "dtr",
    "length",
    "reverse_length",
    "mean_log_prob",
    "negative_perplexity",
    "negative_entropy",
    "self_certainty",
)
REDRAWS = 1000
FEWEST_REDRAWS = 200
DRAWS = 4_000_000
"""Draws a bootstrap may take: with many responses fewer redraws say as much."""

Vector = npt.NDArray[np.float64]


class Bin(Struct, frozen=True):
    """Responses with about the same score."""

    score: float
    """Mean score of the bin's responses."""
    right: Estimate
    """Share of them that are right."""
    responses: int


class Correlation(Struct, frozen=True):
    """How one measure goes with being right."""

    measure: str
    level: str | None
    """The reasoning level; None for all responses together."""
    binned: Estimate
    """Pearson over the means of five quantile bins, with the interval of five points."""
    low: float | None
    """Lower end of the 95 % bootstrap interval over responses."""
    high: float | None
    """Upper end of the interval."""
    responses: int
    """Responses whose correctness is known."""

    @property
    def reading(self) -> Estimate:
        """The correlation with the interval of the redraws."""
        method = f"{self.binned.method}, bootstrap interval"
        r, n, reason = self.binned.value, self.responses, self.binned.reason
        return Estimate(r, self.low, self.high, n, reason=reason, method=method)


def correlations(sequences: Sequence[SequenceDepth], seed: int = 0) -> list[Correlation]:
    """Every measure against correctness: all responses, then each reasoning level.

    Empty when fewer responses than bins are known to be right or wrong.
    """
    graded = [s for s in sequences if s.correct is not None and s.dtr is not None]
    levels = sorted({s.level for s in graded if s.level is not None})
    if len(graded) < BINS:
        return []
    results = [_correlation(name, None, graded, seed) for name in MEASURES]
    for level in levels if len(levels) > 1 else []:
        at_level = [s for s in graded if s.level == level]
        results += [_correlation(name, level, at_level, seed) for name in MEASURES]
    return results


def threshold_correlations(
    sequences: Sequence[SequenceDepth],
    find_task: Callable[[SequenceDepth], str] | None = None,
    seed: int = 0,
) -> dict[Thresholds, Correlation]:
    """The ratio against correctness, for each pair of thresholds that was measured."""
    graded = [s for s in sequences if s.correct is not None and s.dtr is not None]
    if len(graded) < BINS:
        return {}
    tasks = None if find_task is None else [find_task(s) for s in graded]
    results = {}
    for index, (pair, _) in enumerate(graded[0].sweep):
        scores = [s.sweep[index][1] for s in graded]
        name = f"dtr g={pair.g} rho={pair.rho}"
        right = [bool(s.correct) for s in graded]
        results[pair] = correlate(scores, right, name, tasks=tasks, seed=seed)
    return results


def quantile_bins(
    scores: Sequence[float], right: Sequence[bool], tasks: Sequence[str] | None = None
) -> list[Bin]:
    """The bins that correlations are taken over; equal scores share one. Empty with too few."""
    if len(scores) < BINS:
        return []
    values = np.array(scores, dtype=np.float64)
    bin_index = find_bins(values, BINS)
    names = tasks or [str(number) for number in range(len(scores))]
    table = pl.DataFrame({"bin": bin_index, "score": values, "right": right, "task": names})
    return [
        Bin(float(rows["score"].to_numpy().mean()), share_of(rows, "right"), len(rows))
        for rows in table.sort("bin").partition_by("bin", maintain_order=True)
    ]


def correlate(
    scores: Sequence[float | None],
    right: Sequence[bool],
    measure: str = "dtr",
    level: str | None = None,
    tasks: Sequence[str] | None = None,
    seed: int = 0,
) -> Correlation:
    """A measure against correctness; responses of one task are drawn again together."""
    outcomes = [float(is_right) for is_right in right]
    binned = correlate_bins(list(scores), outcomes, BINS)
    low, high = None, None
    if binned.value is not None:
        low, high = _bootstrap(scores, outcomes, tasks, seed)
    return Correlation(measure, level, binned, low, high, len(outcomes))


def score(sequence: SequenceDepth, measure: str) -> float | None:
    """One measure of a response."""
    if measure == "dtr":
        return sequence.dtr
    value: float | None = getattr(sequence.baselines, measure)
    return value


def _correlation(
    measure: str, level: str | None, graded: list[SequenceDepth], seed: int
) -> Correlation:
    scores = [score(s, measure) for s in graded]
    return correlate(scores, [bool(s.correct) for s in graded], measure, level, seed=seed)


def _bootstrap(
    scores: Sequence[float | None], right: list[float], tasks: Sequence[str] | None, seed: int
) -> tuple[float | None, float | None]:
    """Responses are drawn again, and binned again each time."""
    random = np.random.default_rng(seed)
    values, outcomes = np.array(scores, dtype=np.float64), np.array(right)
    redraws = max(FEWEST_REDRAWS, min(REDRAWS, DRAWS // len(values)))
    groups = _Groups(tasks or [str(number) for number in range(len(values))])
    estimates = []
    for _ in range(redraws):
        indices = groups.draw(random)
        if (correlation := _correlate_bins(values[indices], outcomes[indices])) is not None:
            estimates.append(correlation)
    if len(estimates) < redraws // 2:
        return None, None
    low, high = np.quantile(estimates, [0.025, 0.975])
    return float(low), float(high)


class _Groups:
    """Responses by task, drawn again task by task."""

    def __init__(self, tasks: Sequence[str]) -> None:
        _, number, self._counts = np.unique(tasks, return_inverse=True, return_counts=True)
        self._order = np.argsort(number, kind="stable")
        self._starts = np.cumsum(self._counts) - self._counts
        self._alone = len(self._counts) == len(tasks)

    def draw(self, random: np.random.Generator) -> npt.NDArray[np.int64]:
        """The places of all responses of as many tasks as there are, with replacement."""
        some = random.integers(0, len(self._counts), len(self._counts))
        if self._alone:
            return some
        counts = self._counts[some]
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        indices: npt.NDArray[np.int64] = self._order[np.repeat(self._starts[some], counts) + steps]
        return indices


def _correlate_bins(score: Vector, right: Vector) -> float | None:
    bin_index = find_bins(score, BINS)
    count = np.bincount(bin_index, minlength=BINS)
    filled = count > 0
    means = [np.bincount(bin_index, x, BINS)[filled] / count[filled] for x in (score, right)]
    if filled.sum() < 3 or np.ptp(means[0]) == 0 or np.ptp(means[1]) == 0:
        return None
    return float(np.corrcoef(means[0], means[1])[0, 1])
