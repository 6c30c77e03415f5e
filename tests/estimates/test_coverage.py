"""Intervals hold what they promise, in small samples and in large ones."""

import math

import numpy as np
import pytest

from agentdyno.estimates import resampling
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.limits import judge_limit
from agentdyno.estimates.means import TaskSums, clustered_mean, clustered_means
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.resampling import resample_sums
from agentdyno.estimates.studentised import LARGE
from agentdyno.estimates.unpaired import unpaired_ratio

TASKS, TRIALS = 60, 3
BETWEEN, WITHIN = 0.8, 0.5
TRUE_MEAN = math.exp((BETWEEN**2 + WITHIN**2) / 2)
RESAMPLES = 799
ByTask = dict[str, list[float]]
NAMES = [f"{task:03}" for task in range(TASKS)]


def draw_sides(rng: np.random.Generator, *factors: float) -> list[ByTask]:
    """One cost table per factor; tasks are as hard on every side."""
    hardness = rng.normal(0.0, BETWEEN, (TASKS, 1))
    return [
        dict(zip(NAMES, (factor * np.exp(hardness + noise)).tolist(), strict=True))
        for factor in factors
        for noise in [rng.normal(0.0, WITHIN, (TASKS, TRIALS))]
    ]


@pytest.fixture(scope="module", params=[400, pytest.param(2000, marks=pytest.mark.slow)])
def repeats(request: pytest.FixtureRequest) -> int:
    """How often everything is drawn."""
    count: int = request.param
    return count


def is_near(share: float, found: list[bool]) -> bool:
    """Whether the share of what was found is off by no more than chance explains."""
    return abs(float(np.mean(found)) - share) <= (0.02 if len(found) >= 2000 else 0.03)


def holds(found: Estimate, truth: float) -> bool:
    return found.low <= truth <= found.high


def test_wilson_covers() -> None:
    rng = np.random.default_rng(11)
    rates = rng.uniform(0.05, 0.95, 20_000)
    solved = rng.binomial(100, rates)
    intervals = [wilson(count, 100) for count in range(101)]
    covered = [holds(intervals[count], rate) for count, rate in zip(solved, rates, strict=True)]
    assert is_near(0.95, covered)


def test_clustered_mean_of_skewed_costs_covers(repeats: int) -> None:
    rng = np.random.default_rng(12)
    covered = [
        holds(clustered_mean(draw_sides(rng, 1.0)[0], resamples=RESAMPLES), TRUE_MEAN)
        for _ in range(repeats)
    ]
    assert is_near(0.95, covered)


@pytest.fixture(scope="module")
def without_difference(repeats: int) -> list[Estimate]:
    """Paired ratios of two sides that cost the same."""
    rng = np.random.default_rng(13)
    return [paired_ratio(*draw_sides(rng, 1.0, 1.0), resamples=RESAMPLES) for _ in range(repeats)]


def test_paired_ratio_covers(without_difference: list[Estimate]) -> None:
    covered = [holds(found, 1.0) for found in without_difference]
    assert is_near(0.95, covered)


@pytest.mark.parametrize("limit", [1.0, 1.05])
def test_a_gate_seldom_fails_without_a_real_difference(
    without_difference: list[Estimate], limit: float
) -> None:
    # A limit of 1.0 ("no dearer at all") is the hardest case: the truth sits on it.
    alarms = [judge_limit(found, limit, "above").state == "broken" for found in without_difference]
    assert np.mean(alarms) < 0.05


def test_a_difference_seldom_looks_significant_without_one(
    without_difference: list[Estimate],
) -> None:
    significant = [found.p is not None and found.p <= 0.05 for found in without_difference]
    assert is_near(0.05, significant)


@pytest.mark.slow
def test_paired_difference_of_costs_covers(repeats: int) -> None:
    rng = np.random.default_rng(14)
    covered = [
        holds(paired_difference(*draw_sides(rng, 1.0, 1.1), resamples=RESAMPLES), 0.1 * TRUE_MEAN)
        for _ in range(repeats)
    ]
    # Intervals over few skewed costs are wide on purpose.
    assert np.mean(covered) >= 0.93


@pytest.mark.slow
def test_paired_difference_of_solved_shares_covers(repeats: int) -> None:
    rng = np.random.default_rng(15)
    covered = []
    for _ in range(repeats):
        chance = rng.beta(0.6, 0.4, TASKS)
        sides = [
            dict(zip(NAMES, (rng.random((TASKS, TRIALS)) < chance[:, None]).tolist(), strict=True))
            for _ in range(2)
        ]
        covered.append(holds(paired_difference(*sides, resamples=RESAMPLES), 0.0))
    assert is_near(0.95, covered)


@pytest.mark.slow
def test_unpaired_ratio_covers(repeats: int) -> None:
    rng = np.random.default_rng(16)
    covered = []
    for _ in range(repeats // 2):
        first, second = draw_sides(rng, 1.0)[0], draw_sides(rng, 1.3)[0]
        covered.append(holds(unpaired_ratio(first, second, resamples=RESAMPLES), 1.3))
    assert is_near(0.95, covered)


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
