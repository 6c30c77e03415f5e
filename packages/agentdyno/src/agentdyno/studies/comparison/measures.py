"""Every metric of a comparison: values by task in, effect, interval, p and corrected p out.

Accuracy is compared by its difference, amounts by the ratio of their means and, task by task, by
the typical ratio. Where every task changed by exactly the same factor no interval can be resampled;
from six tasks on the factor is then taken as certain: a sign test on six like changes is below 5 %
(2 / 2^6 = 0.03). Tasks that cost exactly the same on both sides are the same, however few.
"""

from math import comb

import numpy as np
from msgspec import structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import ByTask
from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.paired import average_shared_tasks, paired_difference, paired_ratio
from agentdyno.estimates.typical import typical_ratio
from agentdyno.estimates.unpaired import unpaired_difference, unpaired_ratio
from agentdyno.studies.comparison.call_shares import call_shares, is_share
from agentdyno.studies.comparison.pairing import PTE, Pairing
from agentdyno.studies.comparison.results import EffectKind, MetricComparison, TypicalChange
from agentdyno.studies.comparison.shares import paired_share_difference, unpaired_share_difference
from agentdyno.studies.comparison.sides import AMOUNTS

SURE_FROM = 6
"""Tasks that all changed alike before the change counts as certain."""
SAME_FROM = 20
"""Paired tasks with the same share on both sides, before the sides count as equal on them."""


def compare_metrics(pairing: Pairing, confidence: float) -> list[MetricComparison]:
    """Accuracy and every amount, with p corrected over all of them; shares of calls without a p,
    for they are many and belong together."""
    rows = [compare_metric(pairing, metric, confidence) for metric in ("accuracy", *AMOUNTS)]
    shares = [
        structs.replace(compare_metric(pairing, name, confidence), p=None)
        for name in call_shares()
        if pairing.a[name] and pairing.b[name]
    ]
    return [*apply_holm(rows), *compare_repeated(pairing, confidence), *shares]


def compare_repeated(pairing: Pairing, confidence: float) -> list[MetricComparison]:
    """pass^k, where every graded task has at least k attempts on both sides and k is at least 2. It
    says again what accuracy says, so that it is no test of its own: it has no p."""
    sides = (pairing.a["accuracy"], pairing.b["accuracy"])
    counts = [len(trials) for side in sides for trials in side.values()]
    k = min(counts, default=0)
    if k < 2 or not all(sides):
        return []
    first, second = (
        {task: [pass_power(len(t), round(sum(t)), k)] for task, t in side.items()} for side in sides
    )
    of = paired_difference if pairing.paired else unpaired_difference
    estimate = structs.replace(of(first, second, confidence), p=None)
    return [compare_means(f"pass^{k}", "difference", (_mean(first), _mean(second)), estimate)]


def apply_holm(rows: list[MetricComparison]) -> list[MetricComparison]:
    """Holm's correction over what is shown together."""
    after = holm([row.p for row in rows])
    return [structs.replace(row, p_holm=p) for row, p in zip(rows, after, strict=True)]


def compare_means(
    metric: str,
    kind: EffectKind,
    means: tuple[float | None, float | None],
    estimate: Estimate,
    reason: str | None = None,
) -> MetricComparison:
    """An estimated effect between two means; a reason given goes before the estimate's own."""
    return MetricComparison(
        metric=metric,
        kind=kind,
        a_mean=means[0],
        b_mean=means[1],
        effect=estimate.value,
        low=estimate.low,
        high=estimate.high,
        p=estimate.p,
        p_holm=None,
        n=estimate.n,
        method=estimate.method,
        reason=reason or estimate.reason,
    )


def estimate_ratio(pairing: Pairing, metric: str, confidence: float) -> Estimate:
    """Mean of B over mean of A."""
    first, second = pairing.a[metric], pairing.b[metric]
    if _all_zero(first) and _all_zero(second) and first and second:
        n = len(_tasks(pairing, metric))
        estimate = Estimate(value=1.0, n=n, method="none on either side", confidence=confidence)
    else:
        of = paired_ratio if pairing.paired else unpaired_ratio
        estimate = of(first, second, confidence)
    return _without_spread(estimate, pairing.is_same(metric), unchanged=1.0)


def estimate_typical(pairing: Pairing, metric: str, confidence: float) -> Estimate:
    """Geometric mean of B over A by task; a task with an unknown amount has no ratio."""
    unknown = pairing.unknown.get(metric, set())
    first = {task: trials for task, trials in pairing.a[metric].items() if task not in unknown}
    estimate = typical_ratio(first, pairing.b[metric], confidence)
    return _without_spread(estimate, estimate.n > 0 and pairing.is_same(metric), unchanged=1.0)


def count_without_ratio(pairing: Pairing, metric: str, used: int) -> int:
    """How many paired tasks have an amount that is zero or unknown on a side."""
    tasks = pairing.a[metric].keys() | pairing.b[metric].keys() | pairing.unknown.get(metric, set())
    return len(tasks) - used


def estimate_difference(pairing: Pairing, metric: str, confidence: float) -> Estimate:
    """Mean of B minus mean of A."""
    first, second = pairing.a[metric], pairing.b[metric]
    if metric == "accuracy" and pairing.is_same(metric) and pairing.has_same_runs():
        n = len(first)
        return Estimate(0.0, 0.0, 0.0, n, 1.0, None, "the same runs on both sides", confidence)
    unchanged = is_share(metric) and pairing.has_same_shares(metric)
    if unchanged and len(first) >= SAME_FROM:
        return Estimate(0.0, 0.0, 0.0, len(first), 1.0, None, "no task changed", confidence)
    if metric == "accuracy":
        share = paired_share_difference if pairing.paired else unpaired_share_difference
        return share(first, second, confidence)
    of = paired_difference if pairing.paired else unpaired_difference
    estimate = of(first, second, confidence)
    if unchanged:
        return estimate
    return _without_spread(estimate, pairing.is_same(metric), unchanged=0.0)


def compare_metric(
    pairing: Pairing, metric: str, confidence: float, subtract: bool = False
) -> MetricComparison:
    """One metric on both sides, its p not corrected: shares, and what to `subtract`, by their
    difference, amounts by their ratio."""
    subtract = subtract or is_share(metric)
    estimate = estimate_difference if subtract else estimate_ratio
    result = estimate(pairing, metric, confidence)
    kind: EffectKind = "difference" if subtract else "ratio"
    compared = compare_means(
        metric, kind, _means(pairing, metric), result, find_missing(pairing, metric)
    )
    if subtract or not pairing.paired:
        return compared
    return structs.replace(compared, typical=_describe_typical(pairing, metric, confidence))


def _describe_typical(pairing: Pairing, metric: str, confidence: float) -> TypicalChange:
    estimate = estimate_typical(pairing, metric, confidence)
    return TypicalChange(
        ratio=estimate.value,
        low=estimate.low,
        high=estimate.high,
        p=estimate.p,
        n=estimate.n,
        left_out_tasks=count_without_ratio(pairing, metric, estimate.n),
        method=estimate.method,
        reason=estimate.reason,
    )


def _without_spread(estimate: Estimate, is_same: bool, unchanged: float) -> Estimate:
    """An effect without any spread is its own interval where nothing changed, or over enough
    tasks."""
    if (
        estimate.value is None
        or estimate.low is not None
        or (estimate.n < SURE_FROM and not is_same)
    ):
        return estimate
    p = 1.0 if np.isclose(estimate.value, unchanged) else 2.0 ** (1 - estimate.n)
    method = f"{estimate.method}; every task changed alike, p by sign test"
    end = estimate.value
    return structs.replace(estimate, low=end, high=end, p=p, method=method, reason=None)


def _means(pairing: Pairing, metric: str) -> tuple[float | None, float | None]:
    """The means that the effect is made of: of shared tasks, or over all attempts."""
    first, second = pairing.a[metric], pairing.b[metric]
    if pairing.paired:
        a, b = average_shared_tasks(first, second)
        return (float(a.mean()), float(b.mean())) if len(a) else (_mean(first), _mean(second))
    return _mean(first), _mean(second)


def _mean(side: ByTask) -> float | None:
    values = [value for trials in side.values() for value in trials]
    return float(np.mean(values)) if values else None


def _tasks(pairing: Pairing, metric: str) -> list[str]:
    first, second = pairing.a[metric], pairing.b[metric]
    return [t for t in first if t in second] if pairing.paired else [*first, *second]


def _all_zero(side: ByTask) -> bool:
    return all(value == 0 for trials in side.values() for value in trials)


def find_missing(pairing: Pairing, metric: str) -> str | None:
    """Why the metric cannot be compared, or which side lacks it; None when both have it."""
    if pairing.apart and metric in PTE:
        return pairing.apart
    sides = [name for name, side in (("A", pairing.a), ("B", pairing.b)) if not side[metric]]
    if not sides:
        return None
    return reason_missing(metric) + (f" in {sides[0]}" if len(sides) == 1 else "")


def reason_missing(metric: str) -> str:
    """What a side has none of, in words."""
    if metric in (shares := call_shares()):
        return shares[metric].missing
    return _MISSING.get(metric, "not known")


_MISSING = {
    "accuracy": "no run is graded",
    "usd": "no model is priced",
    "latency_seconds": "no latencies",
    "pte": "the cache assumption cannot be applied",
    "pte_growth": "the cache assumption cannot be applied",
    "gpu_seconds": "the cache assumption cannot be applied",
}


def pass_power(attempts: int, solved: int, k: int) -> float:
    """The share of draws of k attempts that are all solved: pass^k of one task (Yao et al. 2024,
    section 5.2). Worked: of 4 attempts 3 solved, C(3, 2) / C(4, 2) = 1/2 for k = 2."""
    return comb(solved, k) / comb(attempts, k)
