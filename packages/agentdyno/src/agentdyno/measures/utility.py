"""Marginal tool utility and tool efficiency: which calls helped, and what share of them.

    delta(i)  = P(solved | calls up to and with i) - P(solved | calls before i)    section 3.2
    utility   = useful calls of a tool - its other calls                           equation 5
    eta       = useful calls / calls of a trajectory                               equation 6
    mean eta  = mean of eta over trajectories                                      equation 7

Source: Eta Given Delta: Defining LLM Tool Efficiency With Marginal Tool Utility. Only the sign of
delta is judged: a call is useful (True) where delta > 0 and not (False) where it is 0 or less;
None is a call that nobody could judge, and counts nowhere. Eta does not exist without a judged
call: it is None, and the trajectory is left out of the mean.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

Useful = bool | None
"""The sign of delta of one call; None where it is not known."""
Third = Literal["first", "middle", "last"]
THIRDS: tuple[Third, ...] = ("first", "middle", "last")
POSITIVE = "positive"
"""The paper's label for delta > 0; `non_positive` is every other sign."""


def is_useful(label: str | None) -> Useful:
    """The sign that a judge's label stands for (equation 4).

    >>> [is_useful(label) for label in ("positive", "non_positive", None)]
    [True, False, None]
    """
    return None if label is None else label == POSITIVE


def delta(solved_before: int, solved_after: int, rollouts: int) -> float:
    """Marginal tool utility from rollouts: continuations from just before and just after the call,
    as many of each.

    >>> delta(10, 40, 64)
    0.46875
    """
    return (solved_after - solved_before) / rollouts


class Calls(NamedTuple):
    """Judged calls by the sign of delta."""

    useful: int
    not_useful: int

    @property
    def judged(self) -> int:
        """Calls that have a sign."""
        return self.useful + self.not_useful

    @property
    def utility(self) -> int:
        """Useful calls minus the others: the tool is useful where this is above 0 (equation 5).

        >>> Calls(52, 27).utility, Calls(7, 42).utility, Calls(23, 53).utility  # Table 3
        (25, -35, -30)
        """
        return self.useful - self.not_useful

    @property
    def share(self) -> float | None:
        """Useful over judged calls; None without any."""
        return self.useful / self.judged if self.judged else None


def count(calls: Iterable[Useful]) -> Calls:
    """Calls by their sign, those without one left out.

    >>> count([True, False, False, None])
    Calls(useful=1, not_useful=2)
    """
    signs = Counter(calls)
    return Calls(signs[True], signs[False])


def eta(calls: Iterable[Useful]) -> float | None:
    """Tool efficiency of a trajectory (equation 6); None without a judged call, never 0.

    >>> eta([True, False, False, False]), eta([]), eta([None])
    (0.25, None, None)
    """
    return count(calls).share


def mean_eta(trajectories: Iterable[Iterable[Useful]]) -> float | None:
    """Mean over the trajectories where eta exists (equation 7).

    >>> mean_eta([[True], [True, False, False, False], []])  # (1 + 0.25) / 2
    0.625
    """
    known = [value for value in map(eta, trajectories) if value is not None]
    return fmean(known) if known else None


def pooled_eta(trajectories: Iterable[Iterable[Useful]]) -> float | None:
    """Useful calls over calls of all trajectories together: long ones weigh more, so that it is not
    the mean (the caption of Table 5: 82 of 204 is 0.402, the mean 0.359).

    >>> pooled_eta([[True], [True, False, False, False], []])  # 2 of 5
    0.4
    """
    return count(call for calls in trajectories for call in calls).share


def mean_confidence(verdicts: Iterable[tuple[Useful, float | None]], useful: bool) -> float | None:
    """How sure the judge was of the calls with one sign (Tables 3 and 4); None without any.

    >>> mean_confidence([(True, 0.7), (True, 0.8), (False, 0.95), (True, None)], useful=True)
    0.75
    """
    known = [sure for sign, sure in verdicts if sign is useful and sure is not None]
    return fmean(known) if known else None


def third(place: int, calls: int) -> Third:
    """Where call `place` of so many stands: third floor(3 * place / calls).

    >>> [third(place, 4) for place in range(4)]  # 0, 0.75, 1.5, 2.25
    ['first', 'first', 'middle', 'last']
    """
    return THIRDS[3 * place // calls]


def by_third(trajectories: Iterable[Sequence[Useful]]) -> dict[Third, Calls]:
    """Signs by where the judged calls stand in their trajectory. The paper finds the middle worst
    and prints no numbers (section 4.2).

    >>> by_third([[True, True, False, True]])["middle"].share
    0.0
    """
    groups: dict[Third, list[bool]] = {name: [] for name in THIRDS}
    for calls in trajectories:
        judged = [call for call in calls if call is not None]
        for place, call in enumerate(judged):
            groups[third(place, len(judged))].append(call)
    return {name: count(group) for name, group in groups.items()}
