"""What a change would save: a ledger and changes in, costs before and after out.

    recorded     the ledger's turns and parts as arrays         whatif.recorded
    changes      what was asked for, with its assumptions        whatif.changes, batching
    prediction   every turn computed again without what went     whatif.prediction, caching
    scenario     before, after, and what must hold               whatif.scenario

The ledger is first computed again without any change and must come out as it was recorded: gammas
and prices that changed since are an error and not a saving.
"""

from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.meter import build_meter
from agentdyno.pipelines.whatif.changes import Change, find_changes, meter_options
from agentdyno.pipelines.whatif.edit import Edit, no_edit
from agentdyno.pipelines.whatif.options import WhatIfOptions
from agentdyno.pipelines.whatif.prediction import predict
from agentdyno.pipelines.whatif.recorded import read_recorded
from agentdyno.pipelines.whatif.scenario import Before, build_scenario, per_trajectory
from agentdyno.records.whatif import WhatIf


def whatif(folder: Path, options: WhatIfOptions) -> tuple[WhatIf, pl.DataFrame]:
    """The answer, and a row for every trajectory under all changes together."""
    ledger = Ledger(folder)
    recorded = read_recorded(ledger)
    base = meter_options(recorded)
    start = no_edit(recorded, build_meter(base).engine, base.cache)
    before = Before(recorded, predict(recorded, start))
    changes = find_changes(ledger, recorded, options)
    alone = [build_scenario(before, [c], predict(recorded, c.apply(start))) for c in changes]
    combined = predict(recorded, _all_applied(start, changes))
    together = build_scenario(before, changes, combined)
    answer = WhatIf(
        ledger=str(folder),
        trajectories=len(recorded.trajectories),
        cache=base.cache,
        hardware=base.hardware,
        scenarios=alone if len(alone) > 1 else [],
        together=together,
        notes=before.notes(options),
    )
    return answer, per_trajectory(before, changes, combined)


def _all_applied(edit: Edit, changes: list[Change]) -> Edit:
    for change in changes:
        edit = change.apply(edit)
    return edit


__all__ = ["WhatIfOptions", "whatif"]
