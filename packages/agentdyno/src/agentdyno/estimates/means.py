"""Mean clustered by task: values and the task of each in, the mean with an honest interval out.

Trials of one task resemble each other, so tasks are resampled and not trials: three trials of 60
tasks are 60 units, not 180. The mean is over all trajectories (a task with more trials weighs
more), its error by linearisation: with S and N the sum and count of a task and r = S - mean * N,
`error² = C / (C - 1) * sum r² / (sum N)²`, C tasks. Interval: bootstrap-t, see `studentised`; wider
where tasks are few and skewed, see `few_skewed`.

Worked: values 1, 3 | 5 | 7, 9 of tasks a, b, c -> mean 5; r = -6, 0, 6; error² = 1.5 * 72 / 25,
error = 2.078.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, check_confidence, undefined_estimate
from agentdyno.estimates.few_skewed import widen
from agentdyno.estimates.resampling import RESAMPLES, SEED, resample_sums
from agentdyno.estimates.studentised import LARGE, Reach, large_reach, reach

Vector = npt.NDArray[np.float64]
ByTask = Mapping[str, Sequence[float]]
"""The values of each task's trials, by task."""

METHOD = "mean clustered by task"
SPREAD_FLOOR = 1e-12
"""Relative spread under which tasks count as equal: rounding is not information."""

FEWEST_SHARED = 30
"""Tasks with trials that a column needs to share the draw of others."""
EQUAL = "every task has the same mean, so there is no spread to build an interval from"


class TaskSums(Struct, frozen=True):
    """Sums of trials by task, as a table gives them faster than lists of values."""

    tasks: Sequence[str]
    """Names, sorted, each once."""
    sums: Vector
    counts: Vector
    """How many those are; 0 for a task that is left out."""

    def present(self) -> "TaskSums":
        """Without the tasks that have no trial."""
        has_trials = self.counts > 0
        if has_trials.all():
            return self
        names = [name for name, is_there in zip(self.tasks, has_trials, strict=True) if is_there]
        return TaskSums(names, self.sums[has_trials], self.counts[has_trials])


Trials = ByTask | TaskSums


def clustered_mean(
    trials: Trials, confidence: float = 0.95, *, resamples: int = RESAMPLES, seed: int = SEED
) -> Estimate:
    """Mean over all trials with an interval that resamples tasks; n counts tasks."""
    check_confidence(confidence)
    sums, counts = task_sums(trials)
    n = len(sums)
    if n == 0:
        return undefined_estimate("no observations", n=0, method=METHOD, confidence=confidence)
    mean = float(sums.sum() / counts.sum())
    residual = sums - mean * counts
    error = linear_error(residual, float(counts.sum()), scale=abs(mean))
    if error is None:
        reason = "one task gives no spread between tasks" if n == 1 else EQUAL
        return Estimate(value=mean, n=n, method=METHOD, confidence=confidence, reason=reason)
    # An error bar asks nothing about zero, so the distance from no effect is of no interest.
    interval = large_reach(error, residual, confidence=confidence, distance=0.0, symmetric=False)
    if interval is None:
        moved, errors = resample_mean(residual, counts, resamples, seed)
        interval = _reach_of(error, moved, errors, n, confidence)
    return _answer(mean, interval, sums / counts, confidence)


def clustered_means(
    columns: Sequence[TaskSums],
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Estimate]:
    """Means of several columns over one list of tasks, from one draw of tasks for all of them.

    A column without trials for most of the tasks is drawn for itself: of the others' draws too few
    would hold any of its tasks.
    """
    check_confidence(confidence)
    means: list[Estimate | None] = [None] * len(columns)
    shared: dict[int, tuple[float, float, Vector]] = {}
    for number, column in enumerate(columns):
        n, total = int((column.counts > 0).sum()), float(column.counts.sum())
        if LARGE > n >= max(FEWEST_SHARED, len(column.counts) / 2):
            mean = float(column.sums.sum()) / total
            residual = column.sums - mean * column.counts
            error = linear_error(residual[column.counts > 0], total, scale=abs(mean))
            if error is not None:
                shared[number] = mean, error, residual
                continue
        with_trials = column.present()
        means[number] = clustered_mean(with_trials, confidence, resamples=resamples, seed=seed)
    if shared:
        tables = [
            _columns(residual, columns[number].counts) for number, (*_, residual) in shared.items()
        ]
        sums = resample_sums(np.concatenate(tables, axis=1), resamples, seed)
        for index, (number, (mean, error, _)) in enumerate(shared.items()):
            n = int((columns[number].counts > 0).sum())
            moved, errors = _moves(sums[:, 5 * index : 5 * index + 5], n)
            with_trials = columns[number].present()
            reached = _reach_of(error, moved, errors, n, confidence)
            means[number] = _answer(
                mean, reached, with_trials.sums / with_trials.counts, confidence
            )
    return [estimate for estimate in means if estimate is not None]


def _reach_of(error: float, moved: Vector, errors: Vector, n: int, confidence: float) -> Reach:
    return reach(
        error, moved, errors, freedom=n - 1, confidence=confidence, distance=0.0, symmetric=False
    )


def _answer(mean: float, narrow: Reach, task_means: Vector, confidence: float) -> Estimate:
    narrow = widen(narrow, task_means, mean, confidence)
    low = mean - narrow.below
    return Estimate(
        value=mean,
        # What is never negative has no negative mean.
        low=low if task_means.min() < 0 else max(low, 0.0),
        high=mean + narrow.above,
        confidence=confidence,
        n=len(task_means),
        method=f"{METHOD}, {narrow.method}",
    )


def task_sums(trials: Trials) -> tuple[Vector, Vector]:
    """Sum and count of each task's trials, tasks in sorted order; tasks without trials left out."""
    if isinstance(trials, TaskSums):
        with_trials = trials.present()
        _refuse_infinite(with_trials.sums)
        return with_trials.sums, with_trials.counts
    tasks = [task for task in sorted(trials) if len(trials[task])]
    sums = np.asarray([float(np.sum(trials[task])) for task in tasks], dtype=np.float64)
    _refuse_infinite(sums)
    return sums, np.asarray([len(trials[task]) for task in tasks], dtype=np.float64)


def _refuse_infinite(values: Vector) -> None:
    if not np.isfinite(values).all():
        raise ValueError("expected finite numbers; leave unknown values out")


def linear_error(residual: Vector, weight: float, *, scale: float) -> float | None:
    """Standard error from per-task residuals; None when they are rounding beside `scale`."""
    n = len(residual)
    if n < 2:
        return None
    error = float(np.sqrt(n / (n - 1) * (residual @ residual)) / weight)
    return error if error > SPREAD_FLOOR * scale else None


def resample_mean(
    residual: Vector, counts: Vector, resamples: int, seed: int
) -> tuple[Vector, Vector]:
    """How far each resample of tasks moves the mean, and the standard error there."""
    sums = resample_sums(_columns(residual, counts), resamples, seed)
    return _moves(sums, len(residual))


def _columns(residual: Vector, counts: Vector) -> Vector:
    columns = [residual, counts, residual * residual, residual * counts, counts * counts]
    return np.column_stack(columns)


def _moves(sums: Vector, n: int) -> tuple[Vector, Vector]:
    r, c, rr, rc, cc = sums.T
    moved = r / c
    squares = np.maximum(rr - 2 * moved * rc + moved * moved * cc, 0.0)
    return moved, np.sqrt(n / max(n - 1, 1) * squares) / c
