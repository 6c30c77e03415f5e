"""What-ifs of one report: the ledger is read once, and no change is predicted twice."""

from functools import partial

from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.whatif import Baseline, WhatIfOptions, build_baseline, study_whatif
from agentdyno.studies.whatif.changes import FindJoins
from agentdyno.studies.whatif.recorded import Recorded, read_recorded
from agentdyno.studies.whatif.results import WhatIf


def share_recorded(context: ReportContext) -> Recorded:
    """The turns and parts of the ledger."""
    return context.once("recorded", lambda: read_recorded(context.tables))


def _share_baseline(context: ReportContext) -> Baseline:
    """The ledger as it is, at the usual concurrency."""
    recorded = share_recorded(context)
    build = partial(build_baseline, context.tables, recorded, WhatIfOptions())
    return context.once("baseline", build)


def ask_whatif(
    context: ReportContext, options: WhatIfOptions, find_joins: FindJoins | None = None
) -> WhatIf:
    """The answer of `whatif` at the usual concurrency; raises where it refuses."""

    def ask() -> WhatIf:
        return study_whatif(context.tables, options, find_joins, _share_baseline(context))[0]

    return context.once(f"whatif {options}", ask)
