"""Where in a trajectory calls help: judged calls in, thirds out.

Calls of one trajectory are numbered from 0 in order, unjudged and left-out ones not counted; call i
of n lies in third floor(3 i / n). Source: Eta Given Delta, section 4.2, which finds the middle
worst and prints no numbers.

Worked: of four calls, 0 and 1 are first, 2 is middle, 3 is last (0, 0.75, 1.5, 2.25).
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

from agentdyno_bench.findings.utility.eta import is_useful, useful_share
from agentdyno_bench.findings.utility.results import ThirdUtility
from agentdyno_bench.records.utility import JudgedCall

Third = Literal["first", "middle", "last"]
THIRDS: tuple[Third, ...] = ("first", "middle", "last")


def measure_thirds(calls: Iterable[JudgedCall]) -> list[ThirdUtility]:
    """Shares of useful calls by third."""
    groups: dict[Third, list[JudgedCall]] = {third: [] for third in THIRDS}
    for inside in in_order(calls).values():
        for place, call in enumerate(inside):
            groups[THIRDS[3 * place // len(inside)]].append(call)
    return [_row(third, group) for third, group in groups.items()]


def in_order(calls: Iterable[JudgedCall]) -> dict[str, list[JudgedCall]]:
    """The judged calls of every trajectory, in the order in which they were made."""
    groups: dict[str, list[JudgedCall]] = defaultdict(list)
    for call in calls:
        if call.label is not None:
            groups[call.trajectory_id].append(call)
    for group in groups.values():
        group.sort(key=lambda call: (call.turn, call.call))
    return groups


def _row(third: Third, calls: list[JudgedCall]) -> ThirdUtility:
    return ThirdUtility(
        third=third,
        calls=len(calls),
        useful=sum(map(is_useful, calls)),
        share=useful_share(calls),
    )
