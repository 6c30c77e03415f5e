"""What the data say about a gate: kept, broken, or how many tasks are missing to tell.

A gate is broken only when the whole interval lies beyond its limit, and kept only when the whole
interval lies within. The rest is inconclusive, and says about how many more tasks would decide it.
"""

import math

from msgspec import structs

from agentdyno.cost.serving_evidence import Evidence
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.limits import LimitVerdict, judge_limit
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.proportions import wilson
from agentdyno.records import InputError, plural
from agentdyno.studies.comparison.call_shares import is_share
from agentdyno.studies.comparison.gates import Gate
from agentdyno.studies.comparison.measures import (
    SAME_FROM,
    SURE_FROM,
    count_without_ratio,
    estimate_difference,
    estimate_ratio,
    estimate_typical,
    find_missing,
    reason_missing,
)
from agentdyno.studies.comparison.pairing import PTE, ByTask, Pairing
from agentdyno.studies.comparison.results import GateVerdict

HOPELESS = 1_000_000
"""Nobody runs so many tasks; beyond, no number is given."""


def judge_gate(gate: Gate, pairing: Pairing, confidence: float) -> GateVerdict:
    """Holds a gate against the data."""
    _refuse_without_unit(gate, pairing)
    _refuse_without_data(gate, pairing)
    estimate = _in_gate_unit(gate, _estimate(gate, pairing, confidence))
    verdict = _judge(gate, estimate)
    more, least, most = _more_tasks(gate, estimate, verdict)
    is_typical = gate.statistic == "typical"
    left_out = count_without_ratio(pairing, gate.metric, estimate.n) if is_typical else 0
    return GateVerdict(
        gate=gate.text,
        metric=gate.metric,
        statistic=gate.statistic,
        state=verdict.state,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        limit=gate.limit,
        unit=gate.unit,
        n=estimate.n,
        left_out_tasks=left_out,
        more_tasks_needed=more,
        more_tasks_low=least,
        more_tasks_high=most,
        sentence=_sentence(gate, estimate, verdict.state, (more, least, most), pairing)
        + _describe_left_out(left_out),
    )


def _refuse_without_unit(gate: Gate, pairing: Pairing) -> None:
    """A limit that nothing can be held against would pass unseen."""
    if pairing.apart and gate.metric in PTE:
        raise InputError(
            f"--gate {gate.text!r}: expected attempts on one architecture, found {pairing.apart}. "
            f"Write {gate.text.replace(gate.metric, 'gpu_seconds', 1)!r}, or pass --arch NAME to "
            "see all attempts as the same."
        )


def _refuse_without_data(gate: Gate, pairing: Pairing) -> None:
    """No number of tasks decides a limit on what nobody recorded."""
    if missing := _find_missing(gate, pairing):
        raise InputError(
            f"--gate {gate.text!r}: {missing}, so {gate.metric} cannot be gated. "
            f"{_HINTS.get(gate.metric, 'Leave the gate out')}."
        )


def _find_missing(gate: Gate, pairing: Pairing) -> str | None:
    if gate.against == "mean":
        return None if pairing.b_all[gate.metric] else f"{reason_missing(gate.metric)} in B"
    if missing := find_missing(pairing, gate.metric):
        return missing
    shared = pairing.a[gate.metric].keys() & pairing.b[gate.metric].keys()
    if pairing.paired and not shared:
        return f"no task has {gate.metric} on both sides"
    if gate.statistic == "mean":
        return None
    if not pairing.paired:
        return f"a typical task needs pairs, and the tasks are {pairing.sentence}"
    typical = estimate_typical(pairing, gate.metric, 0.95)
    return typical.reason if typical.value is None else None


_HINTS = {
    "usd": "Pass --prices FILE with a price for each model, or gate pte or gpu_seconds",
    "accuracy": "Grade the attempts first, for example with agentdyno judge",
    "eta": "Judge the calls first: agentdyno judge LEDGER --model M",
    "latency_seconds": "Measure traces with timestamps, or leave the gate out",
}


def doubt_seconds(verdict: GateVerdict, evidence: Evidence | None) -> GateVerdict:
    """A gate on GPU-seconds is undecided where such numbers were further off than the value is
    from the limit: more tasks do not help against that."""
    if verdict.metric != "gpu_seconds" or verdict.unit != "%" or verdict.value is None:
        return verdict
    gap = abs(verdict.value - verdict.limit)
    if verdict.state == "inconclusive" or (evidence and 100 * evidence.mean_error < gap):
        return verdict
    error_note = "nothing is known of their error" if evidence is None else evidence.describe()
    return structs.replace(
        verdict,
        state="inconclusive",
        sentence=f"{gap:.1f} points from the limit, and GPU-seconds are computed. {error_note}",
    )


def _estimate(gate: Gate, pairing: Pairing, confidence: float) -> Estimate:
    if gate.against == "mean":
        return _alone(pairing.b_all[gate.metric], gate.metric, confidence)
    if gate.statistic == "typical":
        return estimate_typical(pairing, gate.metric, confidence)
    of = estimate_ratio if gate.against == "ratio" else estimate_difference
    return of(pairing, gate.metric, confidence)


def _alone(side: ByTask, metric: str, confidence: float) -> Estimate:
    """B's own mean. Without spread, a share is still bounded by the number of tasks."""
    single = all(len(trials) == 1 for trials in side.values())
    if metric == "accuracy" and single and side:
        return wilson(sum(trials[0] for trials in side.values()), len(side), confidence)
    estimate = clustered_mean(side, confidence)
    if estimate.low is not None or estimate.value is None:
        return estimate
    if is_share(metric):
        return wilson(estimate.value * len(side), len(side), confidence)
    if estimate.n >= SURE_FROM:
        return structs.replace(estimate, low=estimate.value, high=estimate.value, reason=None)
    return estimate


def _in_gate_unit(gate: Gate, estimate: Estimate) -> Estimate:
    def convert(value: float | None) -> float | None:
        if value is None:
            return None
        if gate.against == "ratio":
            return 100 * (value - 1)
        return 100 * value if gate.unit in ("%", "pt") else value

    return structs.replace(
        estimate,
        value=convert(estimate.value),
        low=convert(estimate.low),
        high=convert(estimate.high),
    )


def _judge(gate: Gate, estimate: Estimate) -> LimitVerdict:
    """A ratio's interval is even around its logarithm, so that is where distances are taken."""
    if gate.against != "ratio":
        return judge_limit(estimate, gate.limit, gate.worse)
    logs = structs.replace(
        estimate, value=_log(estimate.value), low=_log(estimate.low), high=_log(estimate.high)
    )
    limit = _log(gate.limit)
    assert limit is not None
    return judge_limit(logs, limit, gate.worse)


def _log(percent: float | None) -> float | None:
    return None if percent is None else math.log1p(percent / 100)


Needed = tuple[int | None, int | None, int | None]
"""More tasks: if the true value is the estimate, if it lies further from the limit, if nearer."""


def _more_tasks(gate: Gate, estimate: Estimate, verdict: LimitVerdict) -> Needed:
    if estimate.low is None:
        fewest = SAME_FROM if is_share(gate.metric) else SURE_FROM
        return (fewest - estimate.n if estimate.n < fewest else None), None, None
    numbers = (verdict.more_tasks_needed, verdict.more_tasks_low, verdict.more_tasks_high)
    about, least, most = (None if n is None or n > HOPELESS else n for n in numbers)
    return about, least, most


def _sentence(gate: Gate, estimate: Estimate, state: str, more: Needed, pairing: Pairing) -> str:
    if state == "inconclusive":
        return _explain_undecidable(gate, estimate, more, pairing)
    if gate.against != "mean" and _is_unchanged(gate, pairing):
        return f"{_describe_same(gate, pairing, estimate)}; {state}"
    where = "within" if state == "kept" else ("above" if gate.worse == "above" else "below")
    return f"{_with_interval(gate, estimate)} is {where} the limit (n={estimate.n:,})"


def _is_unchanged(gate: Gate, pairing: Pairing) -> bool:
    if is_share(gate.metric):
        return pairing.has_same_shares(gate.metric)
    return pairing.is_same(gate.metric)


def _describe_same(gate: Gate, pairing: Pairing, estimate: Estimate) -> str:
    metric, tasks = gate.metric, estimate.n
    if is_share(metric) and pairing.has_same_runs():
        return "Both sides are the same runs"
    if is_share(metric):
        unseen = 100 * (1 - ((1 - estimate.confidence) / 2) ** (1 / tasks))
        return (
            f"{metric} is the same in all {tasks:,} tasks (a change in {unseen:.0f} % of such "
            "tasks could still go unseen: more tasks would show it)"
        )
    many = f"All {tasks:,} tasks" if tasks > 1 else "The one task"
    what = "cost the same" if metric in ("usd", "pte", "gpu_seconds") else f"have the same {metric}"
    return f"{many} {what} in both"


def _describe_left_out(tasks: int) -> str:
    if not tasks:
        return ""
    return f"; {plural(tasks, 'task')} left out, zero or unknown on a side"


def _explain_undecidable(gate: Gate, estimate: Estimate, more: Needed, pairing: Pairing) -> str:
    sentence = f"cannot tell with n={estimate.n:,}"
    both = "" if pairing.paired or gate.against == "mean" else ", both sides together"
    about = more[0]
    if estimate.low is None:
        needed = "no number of tasks would decide it"
        if about is not None:
            needed = f"at least {about:,} more tasks needed{both}"
        return f"{sentence}, {needed}: {estimate.reason or 'no interval'}"
    run = f"run more than {HOPELESS:,} more tasks" if about is None else f"run {about:,} more tasks"
    safe = _format_limit(gate, estimate)
    return f"{sentence}: {_with_interval(gate, estimate)}. Either {run}{both}, or write {safe}"


def _format_limit(gate: Gate, estimate: Estimate) -> str:
    """The gate with a limit that these data would keep."""
    end = estimate.high if gate.worse == "above" else estimate.low
    assert end is not None
    step = 10 ** -_digits(abs(end)) if gate.unit == "" else 1
    away = math.ceil(end / step) if gate.worse == "above" else math.floor(end / step)
    sign = "" if gate.against == "mean" else "+"
    kind = ":typical" if gate.statistic == "typical" else ""
    comparison = "<=" if gate.worse == "above" else ">="
    return f"{gate.metric}{kind}{comparison}{away * step:{sign}g}{gate.unit}"


def _with_interval(gate: Gate, estimate: Estimate) -> str:
    sign = "" if gate.against == "mean" else "+"
    unit = f" {gate.unit}" if gate.unit else ""
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    values = (estimate.value, estimate.low, estimate.high)
    digits = _digits(max(map(abs, values)))
    value, low, high = (f"{v:{sign},.{digits}f}" for v in values)
    whose = "typical task " if gate.statistic == "typical" else ""
    return f"{whose}{value}{unit} [{low}, {high}]"


def _digits(size: float) -> int:
    """Two significant digits at least, no more decimals than that needs."""
    if size >= 1000 or size == 0:
        return 0
    return max(1, 1 - math.floor(math.log10(size)))
