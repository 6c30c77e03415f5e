"""Usefulness as numbers: efficiency, tools, thirds, streaks and advice.

Costs are in the unit of the judged calls; `usd` is dollars whatever that is.
"""

from typing import Literal

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate

Action = Literal["keep", "watch", "drop"]
"""What to do with a tool."""


class Eta(Struct, frozen=True, kw_only=True):
    """Tool efficiency of a set of trajectories."""

    trajectories: int
    undefined: int
    """Those without a judged call: their efficiency does not exist and is not 0."""
    calls: int
    useful: int
    """Calls of these that helped."""
    unjudged: int
    """Calls without a label; they count nowhere."""
    mean: Estimate
    """Mean of the trajectories' efficiencies, where it exists."""
    pooled: Estimate
    """Useful calls over calls, all trajectories together: long ones weigh more."""


class ToolUtility(Struct, frozen=True, kw_only=True):
    """Utility of one tool."""

    tool: str
    calls: int
    useful: int
    not_useful: int
    unjudged: int
    """Calls without a label."""
    aggregate: int
    share: Estimate
    """Useful calls over judged calls, clustered by task."""
    trajectories: int
    """Trajectories with a judged call of it."""
    helped: int
    """Trajectories of these in which at least one call of it helped."""
    confidence_useful: float | None
    """Mean confidence of the judge on calls that helped."""
    confidence_not_useful: float | None
    """Mean confidence of the judge on calls that did not."""
    cost: float | None
    """Cost of its judged calls; None when any is unknown."""
    wasted_cost: float | None
    """Cost of calls that did not help; None when any is unknown."""
    usd: float | None
    """Money of its judged calls; None when any is unknown."""
    wasted_usd: float | None
    """Money of calls that did not help; None when any is unknown."""
    utility_per_1000_cost: float | None
    """Aggregate utility for every 1,000 of that cost; None when it is unknown or 0."""


class ThirdUtility(Struct, frozen=True, kw_only=True):
    """Calls at the beginning, in the middle or near the end of their trajectories."""

    third: Literal["first", "middle", "last"]
    calls: int
    useful: int
    share: Estimate
    """Useful over judged, clustered by task."""


class Streak(Struct, frozen=True):
    """Consecutive calls of one trajectory that did not help: the sign to turn back."""

    trajectory_id: str
    turn: int
    """The turn of its first call."""
    call: int
    """The first call within that turn."""
    length: int
    cost: float | None
    """What they cost; None when any is unknown."""


class Streaks(Struct, frozen=True, kw_only=True):
    """Streaks of a set of trajectories."""

    alarm: int
    """Length from which a streak is counted."""
    trajectories: int
    """Trajectories with such a streak."""
    longest: list[Streak]
    """The longest ones, at most ten."""
    cost: float | None
    """Cost of the calls in all streaks that are counted; None when any is unknown."""


class Saving(Struct, frozen=True, kw_only=True):
    """What a tool cost, which a ledger without it would save if the agent acted the same."""

    cost: float | None
    """Over all trajectories; None where any of it is unknown."""
    share: float | None
    """The same as a share of the ledger's cost."""
    usd: float | None
    """Money saved; None when a price is unknown."""
    method: str
    """What was added up, and what must hold."""


class Advice(Struct, frozen=True, kw_only=True):
    """Advice on one tool, with reasons."""

    tool: str
    action: Action
    """`keep`, `watch` or `drop`."""
    reason: str
    confidence: float | None
    """Probability that the tool's calls mostly do (keep) or do not (drop) help; None without
    data."""
    saving: Saving | None = None
    """What dropping it would save; None when that was not computed."""
    more_trajectories: int | None = None
    """How many more trajectories would settle it at the same rates; None when it is settled, or
    when no number would."""
    same_work: tuple[str, ...] = ()
    """Other tools that brought the same information in the same trajectories."""
    may_write: bool = False
    """Whether it would be dropped, were it proven that it only reads."""
