"""Turns that could have been part of an earlier one, by the ledger's table of schedules."""

from collections.abc import Callable, Iterator

from agentdyno.cost.columns import Flags
from agentdyno.records import InputError
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.levers.predicted import predict_saving
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif import WhatIfOptions
from agentdyno.studies.whatif.changes import FindJoins, Joins
from agentdyno.studies.whatif.joined_turns import read_recorded_joins
from agentdyno.studies.whatif.recorded import Recorded


def joined_turns(context: ReportContext) -> Iterator[Lever]:
    """What joining them would make needless, by the prediction that `whatif` makes."""
    tables = context.tables
    if not (tables.has("scheduling") and tables.has("joins")):
        return

    amount = predict_saving(context, WhatIfOptions(batch_independent=True), _read_joins)
    if amount is not None and amount > 0:
        yield Lever(
            name="joined_turns",
            what="make independent calls in one turn",
            where=[],
            amount=amount,
            share=amount / (context.summary.cost or 1.0),
            unit=context.unit,
            certainty="at most",
            assumption="the model did not need the first result to choose the second call",
            command="--batch-independent",
            change='in the instruction file write "Make calls that do not depend on each other in '
            'one turn."',
        )


def _read_joins(stretch: Tables) -> FindJoins:
    def find(recorded: Recorded, dropped: Callable[[str], bool], gone: Flags) -> Joins:
        found = read_recorded_joins(stretch.read("joins"), stretch.read("scheduling"), recorded)
        if found is None:
            raise InputError("the tables of schedules do not speak of every trajectory")
        return found

    return find


FINDERS = (LeverFinder("joined_turns", joined_turns),)
