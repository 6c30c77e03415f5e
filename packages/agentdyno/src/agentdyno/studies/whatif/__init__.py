"""What a change would save: a ledger and changes in, costs before and after out.

    recorded     the ledger's turns and parts as arrays         whatif.recorded
    changes      what was asked for, with its assumptions        whatif.changes
    prediction   every turn computed again without what went     whatif.prediction, caching
    scenario     before, after, and what must hold               whatif.scenario

The ledger is first computed again without any change and must come out as it was recorded: gammas
and prices that changed since are an error and not a saving.
"""

import polars as pl

from agentdyno.cost.engines import Engines
from agentdyno.cost.servings import Servings
from agentdyno.studies.cost.estimated import NEEDED, study_estimates
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.changes import Change, FindJoins, find_changes, meter_options
from agentdyno.studies.whatif.edit import Edit, no_edit
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import predict
from agentdyno.studies.whatif.recorded import read_recorded
from agentdyno.studies.whatif.results import WhatIf
from agentdyno.studies.whatif.scenario import Before, build_scenario, per_trajectory


def study_whatif(
    ledger: Tables, options: WhatIfOptions, find_joins: FindJoins | None = None
) -> tuple[WhatIf, pl.DataFrame]:
    """The answer, and a row for every trajectory under all changes together."""
    recorded = read_recorded(ledger)
    base = meter_options(recorded)
    servings = Servings(base.hardware, base.arch, options.concurrency)
    start = no_edit(recorded, Engines(base).of, servings.of, base.cache)
    before = Before(recorded, predict(recorded, start))
    changes = find_changes(recorded, options, find_joins)
    alone = [build_scenario(before, [c], predict(recorded, c.apply(start))) for c in changes]
    combined = predict(recorded, _all_applied(start, changes))
    together = build_scenario(before, changes, combined)
    several = bool(options.model or options.arch or options.hardware)
    # No price depends on an architecture or an accelerator.
    physical = bool(options.arch or options.hardware) and "unit" not in ledger.options
    costs = costs_of(ledger)
    answer = WhatIf(
        ledger=ledger.name,
        trajectories=len(recorded.trajectories),
        cache=base.cache,
        hardware=base.hardware,
        concurrency=servings.concurrency,
        several_models=several,
        unit="gpu_seconds" if physical or (several and costs.unit == "pte") else costs.unit,
        scenarios=alone if len(alone) > 1 else [],
        together=together,
        notes=before.notes(options),
        estimated=study_estimates(ledger.scan("turns").select(NEEDED).collect(), costs),
    )
    return answer, per_trajectory(before, changes, combined)


def _all_applied(edit: Edit, changes: list[Change]) -> Edit:
    for change in changes:
        edit = change.apply(edit)
    return edit


__all__ = ["WhatIfOptions", "study_whatif"]
