"""Records of judged calls and their continuations.

A call is `positive` when it raised the odds that the task is solved, `non_positive` when it left
them as they were or lowered them. Values only: nothing here knows how they are judged or summed.
"""

from typing import Literal, get_args

from msgspec import Struct

UtilityLabel = Literal["positive", "non_positive"]
UTILITY_LABELS: tuple[UtilityLabel, ...] = get_args(UtilityLabel)


class JudgedCall(Struct, frozen=True, kw_only=True, gc=False):
    """One call with what is known of it."""

    trajectory_id: str
    task_id: str
    """The task, the unit that intervals resample; the trajectory's id where it has none."""
    turn: int
    """The turn that made it."""
    call: int
    """Its place among the calls of that turn."""
    tool: str
    """The logical tool: what a person would name; the first of several."""
    also: tuple[str, ...] = ()
    """Further logical tools of the same call: a shell line may run several programs."""
    native: str = ""
    """The function's own name, as the model wrote it."""
    label: UtilityLabel | None
    """Whether it helped; None when nobody could say."""
    confidence: float | None = None
    """How sure the judge says it is; None when it does not say."""
    cost: float | None = None
    """Its share of the trajectory's cost, in the unit that its list was made in."""
    usd: float | None = None
    """Its share of the trajectory's money, in proportion to PTE."""


class RolloutEstimate(Struct, frozen=True, kw_only=True):
    """Delta of one call by continuing from before and after it."""

    trajectory_id: str
    turn: int
    """The turn of the call."""
    call: int
    """The call within that turn."""
    before_solved: int
    """Continuations from just before the call that solved the task."""
    after_solved: int
    """Continuations from just after it that did."""
    both_solved: int
    """Seeds with which both did."""
    continuations: int
    """Continuations on each side."""
    delta: float
    """Difference of the success rates."""
    low: float
    """Lower end of its interval, valid for having looked several times."""
    high: float
    label: UtilityLabel | None
    """`positive` when the interval lies above 0; None when nothing was settled."""
    settled: bool
    """Whether the sign, or that it is below the smallest effect, was settled."""
