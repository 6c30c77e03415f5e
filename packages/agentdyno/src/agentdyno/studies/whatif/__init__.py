"""What a change would save: a ledger and changes in, costs before and after out.

    recorded     the ledger's turns and parts as arrays         whatif.recorded
    changes      what was asked for, with its assumptions        whatif.changes
    prediction   every turn computed again without what went     whatif.prediction, caching
    scenario     before, after, and what must hold               whatif.scenario

The ledger is first computed again without any change and must come out as it was recorded: gammas
and prices that changed since are an error and not a saving.
"""

from collections.abc import Callable
from functools import partial

import polars as pl

from agentdyno.cost.engines import Engines
from agentdyno.cost.serving_evidence import worst_evidence
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.estimated import NEEDED, study_estimates
from agentdyno.studies.cost.unit import Costs, costs_of
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.changes import FindJoins, apply_all, find_changes
from agentdyno.studies.whatif.edit import no_edit
from agentdyno.studies.whatif.engine_changes import meter_options, stated_servings
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import predict
from agentdyno.studies.whatif.recorded import read_recorded
from agentdyno.studies.whatif.results import WhatIf
from agentdyno.studies.whatif.scenario import Before, build_scenario, per_trajectory


def _find_unit(ledger: Tables, options: WhatIfOptions, costs: Costs) -> CostUnit:
    several = bool(options.model or options.arch or options.hardware)
    # No price depends on an architecture or an accelerator.
    physical = bool(options.arch or options.hardware) and "unit" not in ledger.options
    return "gpu_seconds" if physical or (several and costs.unit == "pte") else costs.unit


def study_whatif(
    ledger: Tables,
    options: WhatIfOptions,
    find_joins: FindJoins | None = None,
) -> tuple[WhatIf, Callable[[], pl.DataFrame]]:
    """The answer, and what gives a row for every trajectory under all changes together."""
    recorded = read_recorded(ledger)
    base, costs = meter_options(recorded), costs_of(ledger)
    servings = stated_servings(ledger.options, options, base.hardware, base.arch)
    unit = _find_unit(ledger, options, costs)
    needs_seconds = unit != "usd" or options.concurrency is not None
    start = no_edit(recorded, Engines(base).of, servings.of if needs_seconds else None, base.cache)
    before = Before(recorded, predict(recorded, start))
    changes = find_changes(recorded, options, find_joins)
    single = [predict(recorded, change.apply(start)) for change in changes]
    alone = [build_scenario(before, [c], p) for c, p in zip(changes, single, strict=True)]
    several_changes = len(changes) > 1
    combined = predict(recorded, apply_all(start, changes)) if several_changes else single[0]
    together = build_scenario(before, changes, combined)
    answer = WhatIf(
        ledger=ledger.name,
        trajectories=len(recorded.trajectories),
        cache=base.cache,
        hardware=base.hardware,
        concurrency=servings.concurrency,
        evidence=worst_evidence(servings.of(model) for model in set(recorded.models)),
        unit=unit,
        scenarios=alone if several_changes else [],
        together=together,
        notes=before.notes(options),
        estimated=study_estimates(ledger.scan("turns").select(NEEDED).collect(), costs),
    )
    return answer, partial(per_trajectory, before, changes, combined)


__all__ = ["WhatIfOptions", "study_whatif"]
