"""Streaks of calls that did not help: judged calls in, the runs of them out.

A streak is a longest possible sequence of consecutive judged calls of one trajectory that are all
`non_positive`. From `alarm` calls on it is a sign that the agent should turn back (Eta Given Delta,
section 5).

Worked: - - + - - - with an alarm of 3 has one streak, of length 3, from the fourth call.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.utility.findings.eta import is_useful
from agentdyno_bench.utility.findings.places import in_order
from agentdyno_bench.utility.findings.results import Streak, Streaks
from agentdyno_bench.utility.findings.tools import total

ALARM = 3
"""Calls without effect after which an agent would do well to try something else."""
DISPLAYED = 10


def measure_streaks(calls: Iterable[JudgedCall], alarm: int = ALARM) -> Streaks:
    """Streaks of at least `alarm` calls."""
    streaks = [streak for streak in find_streaks(calls) if streak.length >= alarm]
    streaks.sort(key=lambda s: (-s.length, s.trajectory_id, s.turn, s.call))
    return Streaks(
        alarm=alarm,
        trajectories=len({streak.trajectory_id for streak in streaks}),
        longest=streaks[:DISPLAYED],
        cost=total(streak.cost for streak in streaks),
    )


def find_streaks(calls: Iterable[JudgedCall]) -> Iterator[Streak]:
    """Every streak, of whatever length."""
    for trajectory, inside in in_order(calls).items():
        for useful, group in groupby(inside, is_useful):
            if not useful:
                streak = list(group)
                cost = total(call.cost for call in streak)
                start = streak[0]
                yield Streak(trajectory, start.turn, start.call, len(streak), cost)
