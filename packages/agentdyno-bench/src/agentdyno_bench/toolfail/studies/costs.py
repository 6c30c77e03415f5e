"""Cost of each failure mode: the attempts with a label, and their calls.

An attempt that the ledger could not price is counted and left out of the means. Worked: skips of
1,200 and 1,800 PTE beside one clean use of 6,000 -> a skip costs 1,500, a third of the total.
"""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

from agentdyno_bench.toolfail.studies.rated_attempts import RatedTrajectory

UNLABELLED = "unlabelled"


class LabelCost(Struct, frozen=True):
    """The cost of all attempts of one model with one label."""

    model: str
    kind: str
    """`required` or `control`."""
    label: str
    """What became of the loop."""
    trajectories: int
    unpriced: int
    """How many of them the ledger has no cost for."""
    cost_mean: float | None
    """Mean cost of the priced ones, in the unit of the report; None without any."""
    share: float | None
    """Their share of the model's whole cost."""
    calls: int
    """Calls that were executed in them."""
    calls_cost: float | None
    """What these calls cost together; None without any whose cost is known."""


def cost_by_label(rated: Sequence[RatedTrajectory], rater: str) -> list[LabelCost]:
    """Cost per model, kind of task and label."""
    groups: dict[tuple[str, str, str], list[RatedTrajectory]] = defaultdict(list)
    totals: dict[str, float] = defaultdict(float)
    for attempt in rated:
        groups[attempt.model, attempt.kind, attempt.labels.get(rater) or UNLABELLED].append(attempt)
        totals[attempt.model] += attempt.cost or 0.0
    return [
        _cost(model, kind, label, rows, totals[model])
        for (model, kind, label), rows in sorted(groups.items())
    ]


def _cost(
    model: str, kind: str, label: str, rows: Sequence[RatedTrajectory], total: float
) -> LabelCost:
    priced = [attempt.cost for attempt in rows if attempt.cost is not None]
    calls = [attempt.calls_cost for attempt in rows if attempt.calls_cost is not None]
    return LabelCost(
        model=model,
        kind=kind,
        label=label,
        trajectories=len(rows),
        unpriced=len(rows) - len(priced),
        cost_mean=fmean(priced) if priced else None,
        share=sum(priced) / total if priced and total else None,
        calls=sum(attempt.calls for attempt in rows),
        calls_cost=sum(calls) if calls else None,
    )
