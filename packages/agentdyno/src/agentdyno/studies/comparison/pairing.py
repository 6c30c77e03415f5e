"""Which tasks stand on both sides. Two sides in, values by task out, paired or not, and why.

A task is known by its benchmark and its id, or else by the attempt's first response, so that two
ledgers of the same traces pair every attempt. Attempts at one task are a cluster. Pairs are used
when they cover at least half of the smaller side; with fewer, pairing would throw most of the data
away. Sides that share no task at all are an error.
"""

from collections.abc import Sequence
from math import isclose

import polars as pl
from msgspec import Struct

from agentdyno.estimates.paired import average_shared_tasks
from agentdyno.records import InputError, plural, printable, shortened
from agentdyno.studies.comparison.call_shares import call_shares
from agentdyno.studies.comparison.sides import AMOUNTS, Side

LEAST_COVER = 0.5
"""Share of the smaller side's tasks that must be on both sides for pairing."""

PTE = ("pte", "pte_growth")
"""What is counted in prefilled tokens of the attempt's own model."""
ByTask = dict[str, list[float]]


class Pairing(Struct, frozen=True):
    """Both sides by task."""

    a: dict[str, ByTask]
    """By metric: the values of A's attempts by task."""
    b: dict[str, ByTask]
    b_all: dict[str, ByTask]
    """The same of B, tasks that were left out of the pairs included."""
    paired: bool
    """Whether tasks are compared with themselves."""
    sentence: str
    """What was paired and left out, or why not."""
    apart: str | None = None
    """Why PTE are not compared; None where all attempts ran on one architecture."""
    unknown: dict[str, set[str]] = {}
    """By metric: the tasks that have an attempt, on either side, whose value is unknown."""

    def is_same(self, metric: str) -> bool:
        """Whether every attempt at every task has the same value on both sides."""
        first, second = self.a[metric], self.b[metric]
        return (
            self.paired
            and bool(first)
            and first.keys() == second.keys()
            and all(_is_equal(first[task], second[task]) for task in first)
        )

    def has_same_shares(self, metric: str) -> bool:
        """Whether every task has the same share on both sides, its attempts taken together."""
        first, second = average_shared_tasks(self.a[metric], self.b[metric])
        return self.paired and len(first) > 0 and bool((first == second).all())

    def has_same_runs(self) -> bool:
        """Whether both sides are the same runs, as far as anything is known of them."""
        metrics = [metric for metric in self.a if self.a[metric] or self.b[metric]]
        return bool(metrics) and all(self.is_same(metric) for metric in metrics)


def _is_equal(first: list[float], second: list[float]) -> bool:
    """The same values in any order, sums of the same costs in another order included."""
    pairs = zip(sorted(first), sorted(second), strict=False)
    return len(first) == len(second) and all(isclose(a, b, rel_tol=1e-9) for a, b in pairs)


def pair(a: Side, b: Side, more: Sequence[str] = ()) -> Pairing:
    """Pairs the sides by task where that keeps enough of them. `more` names further columns of
    their attempts."""
    first, second, apart = _with_task(a), _with_task(b), _apart(a, b)
    if apart:
        first, second = _without_pte(first), _without_pte(second)
    tasks_a = set(first["task"].drop_nulls())
    tasks_b = set(second["task"].drop_nulls())
    shared = tasks_a & tasks_b
    if not shared:
        raise InputError(_disjoint(a, b, tasks_a, tasks_b))
    smaller = min(a.summary.tasks, b.summary.tasks)
    if len(shared) >= min(2, smaller) and len(shared) >= LEAST_COVER * smaller:
        sides = [side.filter(pl.col("task").is_in(list(shared))) for side in (first, second)]
        return Pairing(
            _by_task(sides[0], more),
            _by_task(sides[1], more),
            _by_task(second, more),
            True,
            _describe_pairing(a, b, len(shared)),
            apart,
            {metric: _unknown_tasks(sides, metric) for metric in AMOUNTS},
        )
    fewer = min(len(tasks_a), len(tasks_b))
    why = f"not paired: only {len(shared):,} of {fewer:,} tasks are on both sides"
    everything = _by_task(second, more)
    return Pairing(_by_task(first, more), everything, everything, False, why, apart)


def _apart(a: Side, b: Side) -> str | None:
    many = len(a.architectures | b.architectures)
    return f"{many} architectures, each with a PTE of its own" if many > 1 else None


def _without_pte(attempts: pl.DataFrame) -> pl.DataFrame:
    return attempts.with_columns(pl.lit(None, pl.Float64).alias(name) for name in PTE)


def _with_task(side: Side) -> pl.DataFrame:
    """`task` names a task across ledgers; the unit separator cannot occur in an id by accident.

    An attempt without a task id is known by its first response: the same traces in two ledgers.
    """
    name = pl.concat_str([pl.col("benchmark").fill_null(""), pl.col("task_id")], separator="\x1f")
    response = pl.concat_str([pl.lit("\x1f"), pl.col("first_response")])
    return side.attempts.with_columns(task=pl.coalesce(name, response))


def _by_task(attempts: pl.DataFrame, more: Sequence[str]) -> dict[str, ByTask]:
    """Attempts without a task id are tasks of their own."""
    alone = pl.concat_str([pl.lit("\x1f\x1f"), pl.col("trajectory_id")])
    rows = attempts.with_columns(
        task=pl.coalesce("task", alone), accuracy=pl.col("correct").cast(pl.Float64)
    )
    metrics = ("accuracy", *AMOUNTS, *call_shares(), *more)
    return {metric: _group(rows, metric) for metric in metrics}


def _group(rows: pl.DataFrame, metric: str) -> ByTask:
    if metric not in rows.columns:
        return {}
    measured = rows.filter(pl.col(metric).is_not_null())
    grouped = measured.group_by("task").agg(pl.col(metric).cast(pl.Float64))
    return dict(grouped.iter_rows())


def _unknown_tasks(sides: list[pl.DataFrame], metric: str) -> set[str]:
    return {task for side in sides for task in side.filter(pl.col(metric).is_null())["task"]}


def _describe_pairing(a: Side, b: Side, shared: int) -> str:
    left_a, left_b = a.summary.tasks - shared, b.summary.tasks - shared
    sentence = f"paired on {shared:,} tasks"
    if left_a or left_b:
        sentence += f"; left out: {left_a:,} only in A, {left_b:,} only in B"
    return sentence


def _disjoint(a: Side, b: Side, tasks_a: set[str], tasks_b: set[str]) -> str:
    """A difference between other tasks says nothing about the agents."""
    sides = f"{shortened(a.summary.ledger)} and {shortened(b.summary.ledger)}"
    return (
        f"{sides}: expected tasks that both sides attempted, found none: A has "
        f"{_examples(tasks_a)}, B has {_examples(tasks_b)}. "
        "Run both on the same tasks, with the same benchmark and task_id."
    )


def _examples(tasks: set[str]) -> str:
    if not tasks:
        return "no task ids"
    # Without a benchmark, and without a task id, the name begins with separators.
    names = [task.strip("\x1f").replace("\x1f", "/") for task in sorted(tasks)[:2]]
    listed = ", ".join(repr(printable(name, 40)) for name in names)
    return f"{plural(len(tasks), 'task')} ({listed}{', …' if len(tasks) > 2 else ''})"
