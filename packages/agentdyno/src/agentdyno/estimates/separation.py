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
    won, pairs = _pairs(kept)
    if within:
        won, pairs = np.diag(np.diag(won)), np.diag(np.diag(pairs))
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


def _pairs(tasks: Sequence[Marked]) -> tuple[Vector, Vector]:
    """Pairs won and pairs, right ones of a task (row) against wrong ones of a task (column)."""
    size = len(tasks)
    won, pairs = np.zeros((size, size)), np.zeros((size, size))
    right = [np.array([score for score, good in marked if good]) for marked in tasks]
    wrong = [np.array([score for score, good in marked if not good]) for marked in tasks]
    for row in range(size):
        for column in range(size):
            one, other = right[row][:, None], wrong[column][None, :]
            won[row, column] = float((one > other).sum() + (one == other).sum() / 2)
            pairs[row, column] = one.size * other.size
    return won, pairs


def _ends(won: Vector, pairs: Vector, confidence: float) -> tuple[float, float]:
    counts = resample_sums(np.eye(len(won)))
    top = ((counts @ won) * counts).sum(1)
    bottom = ((counts @ pairs) * counts).sum(1)
    values = top[bottom > 0] / bottom[bottom > 0]
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)
