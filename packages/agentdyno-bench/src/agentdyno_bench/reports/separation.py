"""Pairs of models in a sentence each: takes `Separation`s, returns lines."""

from agentdyno.records import plural
from agentdyno.reports.numbers import label
from agentdyno_bench.studies.separation import Separation


def describe_separations(found: list[Separation]) -> list[str]:
    """A sentence for each pair that shares a task."""
    return [_describe(pair) for pair in found if pair.difference.value is not None]


def _describe(pair: Separation) -> str:
    found = pair.difference
    where = " ".join(label(name) for name in (pair.benchmark, pair.variant) if name)
    first, second = label(pair.first), label(pair.second)
    on = f"on {plural(found.n, 'task')} of {where}"
    if found.value is None or found.low is None or found.high is None:
        return f"{first} and {second} have no interval {on}."
    points, low, high = (100 * value for value in (found.value, found.low, found.high))
    interval = f"{points:+.1f} points [{low:+.1f}, {high:+.1f}]"
    if pair.is_decided:
        return f"{second} solves {'more' if points > 0 else 'fewer'} than {first} {on}: {interval}."
    more = "no number of tasks would"
    if pair.more_tasks_needed is not None:
        more = f"about {pair.more_tasks_needed:,} more tasks would, with a chance of 80 %"
    return f"{first} and {second} cannot be told apart {on}: {interval}; {more}."
