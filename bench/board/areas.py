"""Does a score tell two kinds apart? The area under the ROC curve, with tasks as the units.

AUC = P(score of a right one > score of a wrong one) + P(equal) / 2; 0.5 tells nothing. Pooled, it
compares attempts at different tasks as well and so also sees how hard tasks are; `within` compares
attempts at the same task alone. Interval: percentile bootstrap over tasks.

Worked: task a right 0.9, wrong 0.1; task b right 0.4, wrong 0.6. Pooled 3 of 4 pairs, 0.75; within
tasks 1 of 2, 0.5.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, check_confidence, undefined_estimate
from agentdyno.estimates.resampling import resample_sums

Vector = npt.NDArray[np.float64]
Marked = Sequence[tuple[float, bool]]
"""Scores with whether each is of the first kind."""
FEWEST = 5
"""Tasks with right ones, and tasks with wrong ones, that an interval needs."""


def clustered_auc(
    tasks: Mapping[str, Marked], within: bool = False, confidence: float = 0.95
) -> Estimate:
    """The area, with an interval over tasks."""
    check_confidence(confidence)
    method = "AUC within tasks" if within else "AUC"
    method += ", percentile bootstrap over tasks"
    kept = [marked for marked in tasks.values() if marked]
    won, pairs = _pairs(kept, within)
    right, wrong = pairs.sum(1) > 0, pairs.sum(0) > 0
    useful = int((right | wrong).sum())
    if not useful:
        return undefined_estimate("no pair of a right and a wrong one", n=0, method=method)
    value = float(won.sum() / pairs.sum())
    if min(right.sum(), wrong.sum()) < FEWEST:
        # Resampled tasks would only say how the many scatter around the few.
        return Estimate(value, n=useful, method=method, confidence=confidence,
                        reason=f"fewer than {FEWEST} tasks of either kind")  # fmt: skip
    low, high = _ends(won, pairs, confidence)
    return Estimate(value, low, high, useful, method=method, confidence=confidence)


def _pairs(tasks: Sequence[Marked], within: bool) -> tuple[Vector, Vector]:
    """Pairs won and pairs, right ones of a task (row) against wrong ones of a task (column), or of
    its own alone."""
    size = len(tasks)
    won = np.zeros((size, size))
    right = [np.array([score for score, good in marked if good]) for marked in tasks]
    wrong = [np.array([score for score, good in marked if not good]) for marked in tasks]
    every, owner = np.concatenate(wrong), np.repeat(np.arange(size), [len(w) for w in wrong])
    for row, scores in enumerate(right):
        others, whose = (wrong[row], np.full(len(wrong[row]), row)) if within else (every, owner)
        one, other = scores[:, None], others[None, :]
        wins = (one > other).sum(0) + (one == other).sum(0) / 2
        won[row] = np.bincount(whose, wins, size)
    pairs = np.outer([len(r) for r in right], [len(w) for w in wrong]).astype(np.float64)
    return won, np.diag(np.diag(pairs)) if within else pairs


def _ends(won: Vector, pairs: Vector, confidence: float) -> tuple[float, float]:
    counts = resample_sums(np.eye(len(won)))
    top = ((counts @ won) * counts).sum(1)
    bottom = ((counts @ pairs) * counts).sum(1)
    values = top[bottom > 0] / bottom[bottom > 0]
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
