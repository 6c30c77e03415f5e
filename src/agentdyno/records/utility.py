"""Whether calls helped, as values: judged calls, and the numbers by tool and setting.

A call is `positive` when it raised the odds that the task is solved, `non_positive` when it left
them as they were or lowered them. Values only: how they are judged or summed is no matter here.
"""

from typing import Literal, get_args

from msgspec import Struct

from agentdyno.estimates.values import Estimate
from agentdyno.records.analyses import SettingName
from agentdyno.records.columns import Column

UtilityLabel = Literal["positive", "non_positive"]
UTILITY_LABELS: tuple[UtilityLabel, ...] = get_args(UtilityLabel)

Action = Literal["keep", "watch", "drop"]
"""What to do with a tool."""


class JudgedCall(Struct, frozen=True, kw_only=True, gc=False):
    """One call with what is known of it."""

    trajectory_id: str
    """The trajectory."""
    task_id: str
    """The task, the unit that intervals resample; the trajectory's id where it has none."""
    turn: int
    """The turn that made it."""
    call: int
    """Its place among the calls of that turn."""
    tool: str
    """The logical tool: what a person would name."""
    native: str = ""
    """The function's own name, as the model wrote it."""
    label: UtilityLabel | None
    """Whether it helped; None when nobody could say."""
    confidence: float | None = None
    """How sure the judge says it is; None when it does not say."""
    pte: float | None = None
    """Its share of the trajectory's PTE."""
    usd: float | None = None
    """Its share of the trajectory's money, in proportion to PTE."""


class Eta(Struct, frozen=True, kw_only=True):
    """Tool efficiency of a set of trajectories."""

    trajectories: int
    """Trajectories in the set."""
    undefined: int
    """Those without a judged call: their efficiency does not exist and is not 0."""
    calls: int
    """Judged calls."""
    useful: int
    """Calls of these that helped."""
    unjudged: int
    """Calls without a label; they count nowhere."""
    mean: Estimate
    """Mean of the trajectories' efficiencies, where it exists."""
    pooled: Estimate
    """Useful calls over calls, all trajectories together: long ones weigh more."""


class ToolUtility(Struct, frozen=True, kw_only=True):
    """What one tool gave and took."""

    tool: str
    """The logical tool."""
    calls: int
    """Judged calls."""
    useful: int
    """Calls that helped."""
    not_useful: int
    """Calls that did not."""
    unjudged: int
    """Calls without a label."""
    aggregate: int
    """Useful minus not useful."""
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
    pte: float | None
    """PTE of its judged calls; None when any is unknown."""
    wasted_pte: float | None
    """PTE of calls that did not help; None when any is unknown."""
    usd: float | None
    """Money of its judged calls; None when any is unknown."""
    wasted_usd: float | None
    """Money of calls that did not help; None when any is unknown."""
    utility_per_1000_pte: float | None
    """Aggregate utility for every 1,000 PTE; None when PTE is unknown or 0."""


class ThirdUtility(Struct, frozen=True, kw_only=True):
    """Calls at the beginning, in the middle or near the end of their trajectories."""

    third: Literal["first", "middle", "last"]
    """Where."""
    calls: int
    """Judged calls there."""
    useful: int
    """Calls that helped."""
    share: Estimate
    """Useful over judged, clustered by task."""


class Streak(Struct, frozen=True):
    """Consecutive calls of one trajectory that did not help: the sign to turn back."""

    trajectory_id: str
    """The trajectory."""
    turn: int
    """The turn of its first call."""
    call: int
    """The first call within that turn."""
    length: int
    """Calls in it."""
    pte: float | None
    """What they cost; None when any is unknown."""


class Streaks(Struct, frozen=True, kw_only=True):
    """Streaks of a set of trajectories."""

    alarm: int
    """Length from which a streak is counted."""
    trajectories: int
    """Trajectories with such a streak."""
    longest: list[Streak]
    """The longest ones, at most ten."""
    pte: float | None
    """PTE of the calls in all streaks that are counted; None when any is unknown."""


class SettingUtility(Struct, frozen=True, kw_only=True):
    """All numbers of one setting."""

    setting: SettingName
    """Model, benchmark and variant."""
    eta: Eta
    """Tool efficiency."""
    tools: list[ToolUtility]
    """By tool, the one with the most calls first."""
    thirds: list[ThirdUtility]
    """By place in the trajectory."""
    streaks: Streaks
    """Streaks of calls that did not help."""


class Saving(Struct, frozen=True, kw_only=True):
    """What a ledger would have cost without a tool."""

    pte: float | None
    """PTE saved over all trajectories; negative never comes out. None when it cannot be said."""
    pte_share: float | None
    """The same as a share of the ledger's PTE."""
    usd: float | None
    """Money saved; None when a price is unknown."""
    method: str
    """What was computed, and what must hold."""


class Advice(Struct, frozen=True, kw_only=True):
    """What to do with one tool, and why."""

    tool: str
    """The logical tool."""
    action: Action
    """`keep`, `watch` or `drop`."""
    reason: str
    """Why, in a sentence."""
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


class Agreement(Struct, frozen=True, kw_only=True):
    """How far several judges say the same."""

    judges: list[str]
    """Who judged."""
    calls: int
    """Calls that at least two of them labelled."""
    alpha: Estimate
    """Krippendorff's alpha."""
    split: int
    """Calls on which they are evenly divided: these have no label."""


class JudgeValidation(Struct, frozen=True, kw_only=True):
    """One judge against rollouts, on the calls whose sign the rollouts settled."""

    judge: str
    """Name and model."""
    calls: int
    """Calls that both labelled."""
    agreement: Estimate
    """Share on which they say the same."""
    kappa: Estimate
    """Cohen's kappa."""
    missed: int
    """Useful by rollouts, not by the judge."""
    invented: int
    """Useful by the judge, not by rollouts."""


class UtilityReport(Struct, frozen=True, kw_only=True):
    """What a ledger's verdicts say."""

    ledger: str
    """Where the ledger is."""
    judges: list[str]
    """Who judged: names and models."""
    eta: Eta
    """Tool efficiency over all settings."""
    tools: list[ToolUtility]
    """By tool over all settings, the one with the most calls first."""
    thirds: list[ThirdUtility]
    """By place in the trajectory over all settings."""
    settings: list[SettingUtility]
    """Every setting."""
    advice: list[Advice]
    """By tool, over all settings."""
    agreement: Agreement | None
    """Between judges; None with only one."""
    validation: list[JudgeValidation]
    """Judges against rollouts, where there are any."""
    notes: list[str]
    """What to know besides."""


class RolloutEstimate(Struct, frozen=True, kw_only=True):
    """Delta of one call by continuing from before and after it."""

    trajectory_id: str
    """The trajectory."""
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
    """Upper end."""
    label: UtilityLabel | None
    """`positive` when the interval lies above 0; None when nothing was settled."""
    settled: bool
    """Whether the sign, or that it is below the smallest effect, was settled."""


ROLLOUTS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn of the call."),
    Column("call", "whole", "The call within that turn."),
    Column("before_solved", "whole", "Continuations from before the call that solved the task."),
    Column("after_solved", "whole", "Continuations from after the call that solved the task."),
    Column("both_solved", "whole", "Seeds with which both solved it."),
    Column("continuations", "whole", "Continuations on each side."),
    Column("delta", "number", "Difference of the success rates."),
    Column("low", "number", "Lower end of its interval."),
    Column("high", "number", "Upper end of its interval."),
    Column("label", "text", "`positive`, `non_positive`, or null when nothing was settled."),
    Column("settled", "truth", "Whether the sign was settled."),
)
"""A row per call that was estimated by rollouts."""
