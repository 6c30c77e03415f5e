"""Keep, watch or drop: what was measured of a tool in, advice with its reason out.

A tool is dropped when its calls mostly do not help (the sign of aggregate utility, Eta Given Delta
section 4.2) and that is sure; kept when they mostly do and that is sure; watched otherwise.

    P(share < 1/2) with share ~ Beta(1 + u n, 1 + (1 - u) n)

u is the share of useful calls and n the effective number of calls: calls of one task resemble each
other, so n = u (1 - u) / error², at most the number of calls; without spread, the number of tasks.

Calls without a label are taken as useful when a tool is to be dropped, and as useless when it is to
be kept: what nobody could judge is no evidence for either.

Over several tools the chances of being wrong are corrected after Holm, so that all drops of a
report together are wrong at most 5 times in 100.

Never dropped: a tool that may write, one seen in fewer than `MIN_TRAJECTORIES`, and one that helped
in at least half of the trajectories that called it (there, fewer calls are needed, not fewer
tools). Every tool may write that is not proven to read: by an MCP hint, by what its calls ran, or
by the user's word.

Worked: 0 of 20 calls useful in 20 tasks: Beta(1, 21), P = 1 - 2^-21: drop. 1 of 3: watch.
"""

import math
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.quantiles import beta_share
from agentdyno_bench.utility.findings.results import Action, Advice, Saving, ToolUtility

SURE = 0.95
MAY_WRITE: Literal["may write"] = "may write"
"""Useless for sure, and watched all the same."""
MIN_TRAJECTORIES = 5
MOST_MORE = 10_000
"""A tool that needs more trajectories than this stands too near the middle to be settled."""


class ToolFacts(Struct, frozen=True, kw_only=True):
    """Measurements behind the advice on one tool."""

    utility: ToolUtility
    """What it gave and took."""
    writes: bool
    """Whether it may change the world."""
    writes_because: str = ""
    same_work: tuple[str, ...] = ()
    """Tools that brought the same information."""
    saving: Saving | None = None
    """What a ledger would have cost without it."""


def advise_together(facts: Sequence[ToolFacts], sure: float = SURE) -> list[Advice]:
    """Advice on several tools, so that over all of them one is dropped wrongly 5 times in 100."""
    chances = [chance_mostly_useless(t.utility, unjudged_useful=True) for t in facts]
    wrong = holm([None if chance is None else 1 - chance for chance in chances])
    return [
        advise(t, sure, None if p is None else 1 - p) for t, p in zip(facts, wrong, strict=True)
    ]


def advise(facts: ToolFacts, sure: float = SURE, together: float | None = None) -> Advice:
    """Advise on the tool; `together` is the confidence, among several tools, that it is useless."""
    tool = facts.utility
    alone = chance_mostly_useless(tool, unjudged_useful=True)
    useless = alone if together is None else together
    useful = chance_mostly_useless(tool, unjudged_useful=False)
    useful = None if useful is None else 1 - useful
    action, reason = _decide(facts, useless or 0.0, useful or 0.0, sure)
    likely = None if useless is None or useful is None else max(useless, useful)
    is_decided = likely is not None and likely >= sure and tool.trajectories >= MIN_TRAJECTORIES
    return Advice(
        tool=tool.tool,
        action="watch" if action == MAY_WRITE else action,
        reason=_with_same_work(reason, facts.same_work),
        confidence=likely,
        saving=facts.saving,
        more_trajectories=None if is_decided else more_needed(tool, sure) or None,
        same_work=facts.same_work,
        may_write=action == MAY_WRITE,
    )


def chance_mostly_useless(tool: ToolUtility, *, unjudged_useful: bool = False) -> float | None:
    """Probability that fewer than half of the tool's calls help; None without a judged call."""
    if tool.calls == 0:
        return None
    every = tool.calls + tool.unjudged
    useful = tool.useful + (tool.unjudged if unjudged_useful else 0)
    return _chance_below_half(useful / every, effective_calls(tool) * every / tool.calls)


def effective_calls(tool: ToolUtility) -> float:
    """How many independent calls the interval of the share amounts to."""
    share = tool.useful / tool.calls
    low, high = tool.share.low, tool.share.high
    if low is None or high is None or high <= low or share in (0.0, 1.0):
        return float(tool.share.n)
    # The half-width of a normal interval with the same variance.
    error = (high - low) / 2 / 1.96
    return max(1.0, min(float(tool.calls), share * (1 - share) / (error * error)))


def more_needed(tool: ToolUtility, sure: float = SURE) -> int | None:
    """Trajectories still to be judged, if the rates stay; None when no reasonable number would."""
    if tool.calls == 0 or tool.trajectories == 0:
        return MIN_TRAJECTORIES
    share, per_trajectory = tool.useful / tool.calls, effective_calls(tool) / tool.trajectories
    expected = tool.trajectories
    while not _is_sure(share, per_trajectory * expected, sure):
        expected = math.ceil(expected * 1.05)
        if expected > MOST_MORE:
            return None
    return max(expected, MIN_TRAJECTORIES) - tool.trajectories


def _is_sure(share: float, effective: float, sure: float) -> bool:
    chance = _chance_below_half(share, effective)
    return max(chance, 1 - chance) >= sure


def _chance_below_half(share: float, effective: float) -> float:
    return beta_share(0.5, 1 + share * effective, 1 + (1 - share) * effective)


def _decide(
    facts: ToolFacts, useless: float, useful: float, sure: float
) -> tuple[Action | Literal["may write"], str]:
    tool = facts.utility
    if tool.calls == 0:
        return "watch", f"no call of it has a label; {_more(tool, sure)}."
    counts = f"{tool.useful} of {tool.calls} calls helped"
    if tool.unjudged:
        counts += f" ({tool.unjudged} more have no label)"
    if tool.trajectories < MIN_TRAJECTORIES:
        return "watch", f"{counts}, too few to say; {_enough(tool, sure)}."
    if useful >= sure:
        return "keep", f"{counts}."
    if useless < sure:
        return "watch", f"{counts}: the data cannot tell; {_more(tool, sure)}."
    if 2 * tool.helped >= tool.trajectories:
        where = f"in {tool.helped} of {tool.trajectories} trajectories one did"
        return "watch", f"{counts}, yet {where}: call it less often, or ablate it first."
    if facts.writes:
        because = f" ({facts.writes_because})" if facts.writes_because else ""
        return MAY_WRITE, f"{counts}, but it may write{because}: never dropped on verdicts alone."
    return "drop", f"{counts}, and in {tool.helped} of {tool.trajectories} trajectories any did."


def _enough(tool: ToolUtility, sure: float) -> str:
    """Say how much data is missing; with so few calls no middle shows either."""
    if more_needed(tool, sure) is not None:
        return _more(tool, sure)
    missing = MIN_TRAJECTORIES - tool.trajectories
    return f"at least {missing} more {_trajectories(missing)} would be needed"


def _more(tool: ToolUtility, sure: float) -> str:
    more = more_needed(tool, sure)
    if tool.unjudged and (more == 0 or 4 * tool.unjudged > tool.calls):
        return "labels are missing for too many of its calls"
    if more is None:
        return "its calls help about as often as not, which more data will not change"
    return f"about {more:,} more {_trajectories(more)} would settle it"


def _trajectories(count: int) -> str:
    return "trajectory" if count == 1 else "trajectories"


def _with_same_work(reason: str, same_work: tuple[str, ...]) -> str:
    if not same_work:
        return reason
    return f"{reason} It brings the same information as {', '.join(same_work)}."
