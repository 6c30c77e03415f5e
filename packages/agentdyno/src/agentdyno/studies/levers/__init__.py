"""What could be changed, and what it would save: a report context in, levers out.

A lever says what to do, how much hangs on it, in which unit, and how sure that is. What is saved
already, as by a cache that is on, is no lever:

    at most        an upper bound: more than this cannot be saved
    predicted      recomputed by `whatif` without what would go; holds if the agent acts the same
    proved         seen on the same tasks, with an interval that excludes no effect

Finders come from packages, in the entry point group `agentdyno.levers`.
"""

from collections.abc import Iterable

from msgspec import structs

from agentdyno.plugins import is_ours, report_failure
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder, load_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.selection import SelectedTables, Selection

SMALLEST_SHARE = 0.01
DAYS = 14
"""What is recent, counted back from the last turn of each agent: one that is no longer used, or not
yet, does not hide what another does."""


def find_levers(
    context: ReportContext, finders: Iterable[LeverFinder] | None = None
) -> list[Lever]:
    """Everything on which at least 1 % of the cost of recent sessions hangs, the largest saving
    first: what they already do, or no longer do, is no lever."""
    context, days = look_back(context)
    if not context.summary.cost:
        return []
    selected = load_levers().values() if finders is None else finders
    levers = [lever for finder in selected for lever in _found(finder, context)]
    levers = [lever for lever in levers if _adds_up(lever, context)]
    many = int(context.frames.trajectories["parent_id"].null_count())
    dated = [structs.replace(lever, sessions=many, days=days) for lever in levers
            if lever.share >= SMALLEST_SHARE]  # fmt: skip
    return sorted(dated, key=lambda lever: -lever.share)


def look_back(context: ReportContext) -> tuple[ReportContext, int | None]:
    """The sessions of the last `DAYS` of every agent, whole; all of it where it has no more, or
    where attempts are graded."""
    trajectories = context.frames.trajectories
    if trajectories["correct"].count():
        return context, None
    texts = SelectedTables(context.tables, Selection(back=DAYS * 86_400), cuts=False)
    if len(texts.chosen) in (0, len(trajectories)):
        return context, None
    return ReportContext(texts, rules=context.rules), DAYS


def _adds_up(lever: Lever, context: ReportContext) -> bool:
    """A stranger's finder may add PTE where they have different units."""
    return lever.unit != "pte" or context.unit == "pte"


def _found(finder: LeverFinder, context: ReportContext) -> list[Lever]:
    """A stranger's mistake is told, and costs only its own levers."""
    try:
        return list(finder.find(context))
    except Exception as error:
        if is_ours(finder.find):
            raise
        report_failure(finder, "to find levers", error)
        return []


__all__ = ["Lever", "LeverFinder", "find_levers", "load_levers"]
