"""Many tasks: one draw for all, and closed forms that say what resampling would."""

import numpy as np
import pytest

from agentdyno.estimates import resampling
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import TaskSums, clustered_mean, clustered_means
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.resampling import resample_sums
from agentdyno.estimates.studentised import LARGE
from agentdyno.estimates.unpaired import unpaired_ratio

NOISE = 0.06
"""Monte-Carlo error of a 97.5 % quantile from 1,999 resamples is 3 % of the reach; twice that."""


def _costs(seed: int, tasks: int, sigma: float = 0.8) -> TaskSums:
    """Log-normal costs, one to three trials of each task."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, tasks).astype(float)
    sums = counts * rng.lognormal(8, sigma, tasks)
    return TaskSums([f"{i:06}" for i in range(tasks)], sums, counts)


def _lists(side: TaskSums) -> dict[str, list[float]]:
    trials = zip(side.tasks, side.sums, side.counts, strict=True)
    return {name: [total / n] * int(n) for name, total, n in trials}


def _resampled(monkeypatch: pytest.MonkeyPatch, estimate) -> Estimate:  # type: ignore[no-untyped-def]
    """What the same function says when no number of tasks is large."""
    with monkeypatch.context() as small:
        for module in ("studentised", "means", "unpaired"):
            small.setattr(f"agentdyno.estimates.{module}.LARGE", 10**9)
        return estimate()


def _assert_alike(closed: Estimate, drawn: Estimate) -> None:
    assert closed.value == pytest.approx(drawn.value)
    assert closed.value is not None
    assert drawn.low is not None
    assert drawn.high is not None
    assert closed.low == pytest.approx(drawn.low, abs=NOISE * (closed.value - drawn.low))
    assert closed.high == pytest.approx(drawn.high, abs=NOISE * (drawn.high - closed.value))


def test_the_same_rows_and_seed_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    resampling._KEPT.clear()
    table = np.random.default_rng(1).random((40, 3))
    first = resample_sums(table, 99, 5)
    monkeypatch.setattr(resampling, "_draw_counts", lambda *_: pytest.fail("drawn again"))
    np.testing.assert_allclose(resample_sums(table, 99, 5), first)
    np.testing.assert_allclose(resample_sums(table[:, :1], 99, 5)[:, 0], first[:, 0])


def test_a_draw_that_is_kept_equals_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(1).random((30, 2))
    resampling._KEPT.clear()
    resample_sums(table, 50, 5)
    kept = resample_sums(table, 50, 5)
    monkeypatch.setattr(resampling, "CELLS_AT_ONCE", 100)  # Blocks of three, and nothing kept.
    resampling._KEPT.clear()
    np.testing.assert_allclose(resample_sums(table, 50, 5), kept)
    assert not resampling._KEPT


def test_sums_by_task_say_what_lists_of_trials_say() -> None:
    a, b = _costs(1, 60), _costs(2, 60)
    for function in (paired_difference, paired_ratio, unpaired_ratio):
        found, expected = function(a, b), function(_lists(a), _lists(b))
        assert found.value == pytest.approx(expected.value)
        assert found.low == pytest.approx(expected.low)
        assert found.n == expected.n == (120 if function is unpaired_ratio else 60)


def test_tasks_of_one_side_alone_are_not_paired() -> None:
    a, b = _costs(1, 60), _costs(2, 60)
    fewer = TaskSums(b.tasks[10:], b.sums[10:], b.counts[10:])
    found, expected = paired_ratio(a, fewer), paired_ratio(_lists(a), _lists(fewer))
    assert found.n == expected.n == 50
    assert (found.value, found.low) == pytest.approx((expected.value, expected.low))


def test_a_mean_of_many_skewed_costs_reaches_as_far_as_resampling_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    costs = _costs(3, 3000)
    closed = clustered_mean(costs)
    assert "large-sample" in closed.method
    _assert_alike(closed, _resampled(monkeypatch, lambda: clustered_mean(costs)))
    assert closed.value is not None
    assert closed.low is not None
    assert closed.high is not None
    # The upper end reaches further, as costs are skewed.
    assert closed.high - closed.value > 1.02 * (closed.value - closed.low)


def test_comparisons_of_many_tasks_reach_as_far_as_resampling_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = _costs(4, 3000), _costs(5, 3000)
    for function in (paired_difference, paired_ratio, unpaired_ratio):
        drawn = _resampled(monkeypatch, lambda: function(a, b))  # noqa: B023
        _assert_alike(function(a, b), drawn)


def test_costs_too_skewed_for_the_closed_form_are_resampled() -> None:
    tasks = LARGE + 1
    sums = np.ones(tasks)
    sums[0] = 1e6
    found = clustered_mean(TaskSums([f"{i:05}" for i in range(tasks)], sums, np.ones(tasks)))
    assert "large-sample" not in found.method


def test_columns_of_one_draw_say_what_each_says_alone() -> None:
    whole = _costs(6, 400)
    thinned = whole.counts * (np.random.default_rng(7).random(400) < 0.8)
    rare = whole.counts * (np.arange(400) < 10)
    columns = [
        TaskSums(whole.tasks, whole.sums * (c > 0), c) for c in (whole.counts, thinned, rare)
    ]
    together = clustered_means(columns)
    alone = [clustered_mean(column) for column in columns]
    # All tasks are the same draw; ten of 400 are too few to share one, and have their own.
    for place in (0, 2):
        ends = together[place].low, together[place].high
        assert ends == pytest.approx((alone[place].low, alone[place].high))
    assert [each.n for each in together] == [each.n for each in alone]
    _assert_alike(together[1], alone[1])
