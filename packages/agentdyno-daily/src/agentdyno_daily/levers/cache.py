"""The provider's cache: to use one at all, where nothing was read from it; and what loses it."""

from collections.abc import Iterator

from agentdyno.studies.cache import study_cache
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.whatif.shared import KEPT_FOR_EVER, has_cache
from agentdyno_daily.levers.predicted import predict_saving

HABITS = {
    "thinking switched": "start skills, commands and plans at the beginning of a session or right "
    "after a compaction: each switches thinking, and the cache of the messages is lost",
    "skill loaded": "load skills at the beginning of a session: each loses the cache of the "
    "messages before it",
    "model switched": "switch models between sessions, not within one",
}
"""Causes of lost cache that a user can avoid, and how."""


def cache_habits(context: ReportContext) -> Iterator[Lever]:
    """What losses of such a cause cost more than reading would have."""
    found = context.once("cache", lambda: study_cache(context))
    if context.unit != "usd" or found is None:
        return
    for loss in found.causes:
        cause = next((each for each in HABITS if each in (loss.name or "")), None)
        if cause is not None and loss.avoidable_usd:
            yield _lever(
                context, f"loss:{cause}", HABITS[cause].partition(":")[0], loss.avoidable_usd,
                "the same work is done then", HABITS[cause],
                f"{loss.losses:,} turns paid again for {loss.tokens:,.0f} tokens",
            )  # fmt: skip


def cache_use(context: ReportContext) -> Iterator[Lever]:
    """A cache, where turns report that nothing was read from one; silence says nothing of it."""
    summary = context.summary
    if has_cache(context) or summary.cache_unreported == summary.turns:
        return
    amount = predict_saving(context, KEPT_FOR_EVER)
    if amount is not None and amount > 0:
        yield _lever(
            context, "cache", "keep the cache between turns", amount,
            "nothing is ever evicted and the context is only added to", "",
            "turns report that nothing was read from a cache", "--keep-cache inf",
        )  # fmt: skip


def _lever(
    context: ReportContext, name: str, what: str, amount: float, assumption: str, change: str,
    evidence: str, command: str = "",
) -> Lever:  # fmt: skip
    return Lever(
        name=name,
        kind="habit",
        what=what,
        where=[],
        amount=amount,
        share=amount / (context.summary.cost or 1.0),
        unit=context.unit,
        certainty="at most",
        assumption=assumption,
        command=command,
        evidence=evidence,
        change=change,
    )


FINDERS = (LeverFinder("cache_habits", cache_habits), LeverFinder("cache", cache_use))
