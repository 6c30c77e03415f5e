"""The answer of a comparison in one line: what B costs against A, and whether it is as good."""

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.pairing import Pairing
from agentdyno.studies.comparison.results import MetricComparison

WORDS = {
    "usd": ("money", "as much money", "less"),
    "pte": ("PTE", "as much PTE", "less"),
    "gpu_seconds": ("GPU-seconds", "as many GPU-seconds", "fewer"),
}
"""What costs are compared in, as a sentence has it."""


def say_verdict(metrics: list[MetricComparison], pairing: Pairing, unit: CostUnit) -> str:
    """One sentence, cost first."""
    by_name = {row.metric: row for row in metrics}
    cost = _cost(by_name[unit])
    return f"{cost}; {_accuracy(by_name['accuracy'])} ({pairing.sentence})."


def _cost(row: MetricComparison) -> str:
    unit, as_much, less = WORDS[row.metric]
    if row.effect is None:
        return f"{_capital(unit)} cannot be compared ({row.reason})"
    change = 100 * (row.effect - 1)
    if row.low is None or row.high is None:
        return f"{_capital(unit)} of B against A: {change:+.1f} %, too few tasks to say more"
    interval = f"[{100 * (row.low - 1):+.1f}, {100 * (row.high - 1):+.1f}]"
    if row.low > 1 or row.high < 1:
        return f"B costs {abs(change):.1f} % {'more' if change > 0 else less} {unit} {interval}"
    if row.low == row.high:
        return f"B costs exactly {as_much} as A"
    return f"no clear difference in {unit}: {change:+.1f} % {interval}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _accuracy(row: MetricComparison) -> str:
    if row.effect is None or row.low is None or row.high is None:
        return f"accuracy cannot be compared ({row.reason})"
    if row.low == row.high == 0:
        return "accuracy is the same"
    displayed = f"{100 * row.effect:+.1f} pt [{100 * row.low:+.1f}, {100 * row.high:+.1f}]"
    if row.low > 0 or row.high < 0:
        return f"accuracy is {'higher' if row.effect > 0 else 'lower'}: {displayed}"
    return f"no clear difference in accuracy: {displayed}"
