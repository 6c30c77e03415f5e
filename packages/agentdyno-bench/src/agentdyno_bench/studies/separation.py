"""Can two models be told apart on these tasks, and how many tasks would it take?

Takes the attempts of a ledger, returns a row for each pair of models that attempted the same tasks:
the difference of their shares of solved tasks, paired by task, repeated attempts averaged first.

Worked: 20 tasks, of which 4 are solved by the first alone: -20 points [-39.9, +3.5], so the two are
not told apart; `judge_limit` says how many more tasks decide it with a chance of 80 %.
"""

from collections import defaultdict
from itertools import combinations

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.limits import Worse, judge_limit
from agentdyno.studies.comparison.shares import paired_share_difference
from agentdyno.studies.tables import Tables

COLUMNS = ("benchmark", "variant", "model", "task_id", "correct")
CONFIDENCE = 0.95
Solved = dict[str, list[float]]
"""By task, 1 for each attempt that solved it and 0 for each that did not."""


class Separation(Struct, frozen=True, kw_only=True):
    """Two models on the same tasks."""

    benchmark: str | None
    variant: str | None
    first: str
    second: str
    difference: Estimate
    """Share solved by the second less that of the first."""
    more_tasks_needed: int | None
    """Further tasks that would tell them apart with a chance of 80 %; None where they are told
    apart, or where no number would do."""

    @property
    def is_decided(self) -> bool:
        """Whether the interval leaves zero out."""
        low, high = self.difference.low, self.difference.high
        return low is not None and high is not None and (low > 0 or high < 0)


def separate_models(ledger: Tables) -> list[Separation]:
    """Every pair of models of one task set and tool suite."""
    rows = ledger.read("trajectories").select(COLUMNS)
    solved: dict[tuple[str | None, str | None], dict[str, Solved]] = defaultdict(dict)
    graded = rows.filter(pl.col("correct").is_not_null() & pl.col("task_id").is_not_null())
    for benchmark, variant, model, task, correct in graded.sort(COLUMNS).iter_rows():
        by_task = solved[benchmark, variant].setdefault(str(model), {})
        by_task.setdefault(task, []).append(float(correct))
    return [
        _separate(*setting, first, second, models)
        for setting, models in solved.items()
        for first, second in combinations(models, 2)
    ]


def _separate(
    benchmark: str | None, variant: str | None, first: str, second: str, models: dict[str, Solved]
) -> Separation:
    found = paired_share_difference(models[first], models[second], CONFIDENCE)
    worse: Worse = "below" if (found.value or 0) < 0 else "above"
    return Separation(
        benchmark=benchmark,
        variant=variant,
        first=first,
        second=second,
        difference=found,
        more_tasks_needed=judge_limit(found, 0.0, worse).more_tasks_needed,
    )
