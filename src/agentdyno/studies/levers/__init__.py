"""What could be changed, and what it would save: an inquiry in, typed levers out.

A lever says what to do, how much hangs on it, in which unit, and how sure that is:

    already taken  the provider's cache saved it; nothing is left to take
    at most        an upper bound: more than this cannot be saved
    predicted      recomputed by `whatif` without what would go; holds if the agent acts the same
    proved         seen on the same tasks, with an interval that excludes no effect

One file per sort of lever; what `whatif` can compute is asked of `whatif`, so that the two agree.
"""

from collections.abc import Callable, Iterable

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.attempts import failed_attempts
from agentdyno.studies.levers.cache import cache
from agentdyno.studies.levers.joins import joined_turns
from agentdyno.studies.levers.patterns import pattern_levers
from agentdyno.studies.levers.predicted import long_results, unused_tools
from agentdyno.studies.levers.settings import cheaper_setting

FindLevers = Callable[[Inquiry], Iterable[Lever]]

LEVERS: dict[str, FindLevers] = {
    "setting": cheaper_setting,
    "unused_tools": unused_tools,
    "long_results": long_results,
    "cache": cache,
    "failed_attempts": failed_attempts,
    "joined_turns": joined_turns,
    "patterns": pattern_levers,
}
"""The built-in ones, by name."""
SMALLEST_SHARE = 0.01


def find_levers(inquiry: Inquiry, finders: Iterable[FindLevers] | None = None) -> list[Lever]:
    """Everything on which at least 1 % of the cost hangs; what is left to take first."""
    if not inquiry.summary.pte:
        return []
    found = [lever for find in finders or LEVERS.values() for lever in find(inquiry)]
    kept = [lever for lever in found if lever.share >= SMALLEST_SHARE]
    return sorted(kept, key=lambda lever: (lever.certainty == "already taken", -lever.share))


__all__ = ["LEVERS", "FindLevers", "Lever", "find_levers"]
