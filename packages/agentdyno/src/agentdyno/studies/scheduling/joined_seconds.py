"""GPU-seconds that joined turns would save, by trajectory: every turn computed again without them.

The table `scheduling` has what joining saves in PTE. That is no fixed share of the seconds: a short
prefill beside a full batch takes next to nothing, and a decoded token takes a step in any turn.
"""

import numpy as np
import polars as pl
from msgspec import structs

from agentdyno.cost.columns import Floats, Ints
from agentdyno.cost.engines import Engines
from agentdyno.records import InputError
from agentdyno.studies.tables import Tables
from agentdyno.studies.whatif.edit import no_edit
from agentdyno.studies.whatif.engine_changes import meter_options, stated_servings
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import predict
from agentdyno.studies.whatif.recorded import Recorded, read_recorded

ID = "trajectory_id"
NAME = "missed_seconds"


def sum_joined_seconds(ledger: Tables, schedules: pl.DataFrame) -> pl.DataFrame:
    """`NAME` for the trajectory of every schedule, by its own edges; null where the ledger does
    not say which turns would join, or its hardware is no longer known here."""
    try:
        recorded = read_recorded(ledger)
        saved = _predict_saving(ledger, schedules, recorded)
    except InputError:
        return schedules.select(ID, pl.lit(None, pl.Float64).alias(NAME))
    found = recorded.trajectories.select(ID).with_columns(pl.Series(NAME, saved, nan_to_null=True))
    named = _joins(ledger, schedules).group_by(ID).agg(named=pl.len())
    rows = schedules.select(ID, "missed_turns").join(found, on=ID, how="left")
    rows = rows.join(named, on=ID, how="left")
    stated = pl.col("named").fill_null(0) == pl.col("missed_turns")
    return rows.select(ID, pl.when(stated).then(pl.col(NAME)))


def _predict_saving(ledger: Tables, schedules: pl.DataFrame, recorded: Recorded) -> Floats:
    """Per recorded trajectory."""
    base = meter_options(recorded)
    servings = stated_servings(recorded.options, WhatIfOptions(), base.hardware, base.arch)
    start = no_edit(recorded, Engines(base).of, servings.of, base.cache)
    before = predict(recorded, start).gpu_seconds
    edit = structs.replace(start, into=_into(_joins(ledger, schedules), recorded))
    saved: Floats = before - predict(recorded, edit).gpu_seconds
    return saved


def _joins(ledger: Tables, schedules: pl.DataFrame) -> pl.DataFrame:
    rows = ledger.read("joins").filter(pl.col("confidence") == "certain")
    return rows.join(schedules.select(ID, "edge_source"), on=[ID, "edge_source"], how="semi")


def _into(joins: pl.DataFrame, recorded: Recorded) -> Ints:
    place = recorded.trajectories.select(ID).with_row_index("place")
    found = joins.join(place, on=ID, how="inner")
    base = recorded.first_turn[found["place"].to_numpy()]
    into: Ints = np.arange(recorded.turns)
    into[base + found["turn"].to_numpy()] = base + found["into"].to_numpy()
    return into
