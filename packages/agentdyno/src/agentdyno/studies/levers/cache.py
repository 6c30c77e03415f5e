"""The provider's cache: another lifetime or a keep-alive where it is in use, or to use one at all.

A cache that is on is no lever. Of the ways to keep it longer or shorter only the best is one, since
they exclude each other.
"""

from collections.abc import Iterator

from agentdyno.studies.cache import ALTERNATIVES, CacheEconomics, study_cache
from agentdyno.studies.cost.lever import Certainty, Lever
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.levers.predicted import predict_saving
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.whatif.shared import KEPT_FOR_EVER

SETTINGS = "~/.claude/settings.json"
CHANGES = {
    "--cache-lifetime 1h": f'in {SETTINGS} set "env": {{"ENABLE_PROMPT_CACHING_1H": "1"}}',
    "--cache-lifetime 5m": f'in {SETTINGS} set "env": {{"FORCE_PROMPT_CACHING_5M": "1"}}',
}
"""How Claude Code (2.1.108 and later) is told."""


def cache_lifetime(context: ReportContext) -> Iterator[Lever]:
    """The best of the other ways to keep the cache, where one is reported."""
    found = context.once("cache", lambda: study_cache(context))
    if found is None:
        return
    savings = [(predict_saving(context, options) or 0.0, what, command)
               for what, command, options in ALTERNATIVES]  # fmt: skip
    amount, what, command = max(savings)
    if amount > 0:
        claude = set(context.summary.by_format) == {"claude_code"}
        yield _lever(
            context, "cache_lifetime", what[:1].lower() + what[1:], amount, command, "predicted",
            "you pause as often as before", _evidence(found, command),
            CHANGES.get(command, "") if claude else "",
        )  # fmt: skip


def cache_use(context: ReportContext) -> Iterator[Lever]:
    """A cache, where no turn reports one."""
    if context.once("cache", lambda: study_cache(context)) is not None:
        return
    amount = predict_saving(context, KEPT_FOR_EVER)
    if amount is not None and amount > 0:
        yield _lever(
            context, "cache", "keep the cache between turns", amount, "--keep-cache inf",
            "at most", "nothing is ever evicted and the context is only added to",
            "no turn reports that anything was read from a cache",
        )  # fmt: skip


def _evidence(found: CacheEconomics, command: str) -> str:
    if command == "--cache-lifetime 5m":
        return (
            f"{found.written_hour_tokens:,} of "
            f"{found.written_hour_tokens + found.written_short_tokens:,} tokens were written for 1 "
            "hour, which costs more, and few pauses needed it"
        )
    again = found.rewritten
    return f"{again.tokens:,.0f} cached tokens were paid for again in {again.losses:,} turns"


def _lever(
    context: ReportContext, name: str, what: str, amount: float, command: str, certainty: Certainty,
    assumption: str, evidence: str, change: str = "",
) -> Lever:  # fmt: skip
    return Lever(
        name=name,
        what=what,
        where=[],
        amount=amount,
        share=amount / (context.summary.cost or 1.0),
        unit=context.unit,
        certainty=certainty,
        assumption=assumption,
        command=command,
        evidence=evidence,
        change=change,
    )


FINDERS = (LeverFinder("cache_lifetime", cache_lifetime), LeverFinder("cache", cache_use))
