"""Turns that could have been part of an earlier one, by the ledger's table of schedules."""

from collections.abc import Iterator

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.scheduling.parallelism import schedule_rows


def joined_turns(inquiry: Inquiry) -> Iterator[Lever]:
    """What joining them would make needless."""
    if not inquiry.tables.has("scheduling"):
        return
    amount = float(schedule_rows(inquiry.tables, inquiry.frames.costs)["missed_cost"].sum())
    if amount > 0:
        yield Lever(
            name="joined_turns",
            what="make independent calls in one turn",
            where=[],
            amount=amount,
            share=amount / (inquiry.summary.pte or 1.0),
            unit=inquiry.unit,
            certainty="at most",
            assumption="no result that goes unquoted led to the next call",
            command="--batch-independent",
        )


FINDERS = (LeverFinder("joined_turns", joined_turns),)
