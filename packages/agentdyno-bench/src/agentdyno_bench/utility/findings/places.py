"""Where in a trajectory calls help (`measures.utility.third`): judged calls in, thirds out.

Calls of one trajectory are numbered from 0 in order, unjudged and left-out ones not counted.
"""

from collections import defaultdict
from collections.abc import Iterable

from agentdyno.measures.utility import THIRDS, Third, third
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.utility.findings.eta import is_useful, useful_share
from agentdyno_bench.utility.findings.results import ThirdUtility


def measure_thirds(calls: Iterable[JudgedCall]) -> list[ThirdUtility]:
    """Shares of useful calls by third."""
    groups: dict[Third, list[JudgedCall]] = {name: [] for name in THIRDS}
    for inside in in_order(calls).values():
        for index, call in enumerate(inside):
            groups[third(index, len(inside))].append(call)
    return [_row(name, group) for name, group in groups.items()]


def in_order(calls: Iterable[JudgedCall]) -> dict[str, list[JudgedCall]]:
    """The judged calls of every trajectory, in the order in which they were made."""
    groups: dict[str, list[JudgedCall]] = defaultdict(list)
    for call in calls:
        if call.label is not None:
            groups[call.trajectory_id].append(call)
    for group in groups.values():
        group.sort(key=lambda call: (call.turn, call.call))
    return groups


def _row(name: Third, calls: list[JudgedCall]) -> ThirdUtility:
    return ThirdUtility(
        third=name,
        calls=len(calls),
        useful=sum(map(is_useful, calls)),
        share=useful_share(calls),
    )
