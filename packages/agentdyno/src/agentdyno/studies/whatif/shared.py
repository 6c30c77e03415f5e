"""What-ifs of one report: every volume is read once for all usual ones, and none is held.

Takes a report's context, returns costs before and after a change, in the unit of the ledger. A
trajectory's tokens and money are its own, and sums of a volume are kept; GPU-seconds are replayed
with the turns of all volumes, as they would be without the change and with it.
"""

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.block_memory import NOBODY
from agentdyno.cost.columns import Flags, Floats
from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.served import TurnColumns
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.seconds import time_turns
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.turn_costs import sum_turn_costs
from agentdyno.studies.volumes import sum_volumes
from agentdyno.studies.whatif.beginnings import list_shared_beginnings
from agentdyno.studies.whatif.changes import FindJoins, apply_all, find_changes
from agentdyno.studies.whatif.edit import Edit, no_edit
from agentdyno.studies.whatif.engine_changes import meter_options, stated_servings
from agentdyno.studies.whatif.losses import LONG_LIFE, SHORT_LIFE
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.prediction import (
    PredictedTurns,
    predict,
    predict_turns,
    replay_alive,
)
from agentdyno.studies.whatif.recorded import Recorded, read_recorded
from agentdyno.studies.whatif.scenario import Before, build_scenario, find_silent

ID = "trajectory_id"
KEEP_ALIVE_SECONDS = 3600
KEPT_FOR_EVER = WhatIfOptions(keep_cache_seconds=math.inf)
LONG, SHORT, ALIVE = (
    WhatIfOptions(cache_lifetime_seconds=LONG_LIFE),
    WhatIfOptions(cache_lifetime_seconds=SHORT_LIFE),
    WhatIfOptions(keep_alive_seconds=KEEP_ALIVE_SECONDS),
)
REPLAYED = ("alive", "prefill", "new", "context", "decode")
"""What a replay needs of every turn, and a change may change."""
ReadJoins = Callable[[Tables], FindJoins]
"""What finds the turns of a stretch that could be one."""


class Totals(Struct, frozen=True):
    """Costs of all trajectories of which both are known."""

    before: float
    after: float
    """With the change."""


Answer = dict[str, Totals | None]
"""By unit; None where `whatif` refuses or can say nothing."""


def has_cache(context: ReportContext) -> bool:
    """Whether any turn read from a provider's cache or wrote to it."""
    return bool(context.sums["turns"]["cached"].sum())


def ask_whatif(context: ReportContext, options: WhatIfOptions) -> Answer:
    """At the usual concurrency, in the unit of the ledger and in money."""
    usual = _list_usual(context)
    if options in usual:
        return _ask_usual(context)[1][usual.index(options)]
    # Kept under the first tool: another list of tools takes the place of the one before.
    name = f"whatif {options.drop_tools[:1]}"
    ask = partial(_ask_all, context, name, (options,))
    return context.once(f"whatif {options}", ask)[1][0]


def ask_each(
    context: ReportContext, options: tuple[WhatIfOptions, ...], read_joins: ReadJoins | None = None
) -> list[Answer]:
    """Several at once, in one pass over the ledger."""
    if not options:
        return []
    name = "policies"
    ask = partial(_ask_all, context, name, options, read_joins)
    return context.once(f"{name} {options}", ask)[1]


def study_turn_costs(context: ReportContext) -> Sums:
    """What turns paid for the cache, with the usual what-ifs: both need all that was recorded."""
    return _ask_usual(context)[0]


def _list_usual(context: ReportContext) -> tuple[WhatIfOptions, ...]:
    return (LONG, SHORT, ALIVE) if has_cache(context) else (KEPT_FOR_EVER,)


def _ask_usual(context: ReportContext) -> tuple[Sums, list[Answer]]:
    usual = _list_usual(context)
    name = f"what-ifs {len(usual)}"
    return context.once(name, lambda: _ask_all(context, name, usual))


def _ask_all(
    context: ReportContext,
    name: str,
    options: tuple[WhatIfOptions, ...],
    read_joins: ReadJoins | None = None,
) -> tuple[Sums, list[Answer]]:
    tables, unit = context.tables, context.frames.costs.unit
    beginnings = context.once("beginnings", lambda: list_shared_beginnings(tables))
    everywhere = {k: v for tokens in beginnings.values() for k, v in tokens.items()}

    def sum_volume(stretch: Tables) -> Sums:
        try:
            recorded = read_recorded(stretch, everywhere)
        except InputError:  # Nothing in it counts.
            return {}
        joins = read_joins and read_joins(stretch)
        sums = _predict_sums(recorded, unit, options, joins)
        if name.startswith("what-ifs"):
            sums |= sum_turn_costs(stretch, recorded)
        if unit == "gpu_seconds":
            sums |= _predict_turns(recorded, options, joins)
        return sums

    derived = ("joins", "scheduling", "quotes") if read_joins else ()
    sums = sum_volumes(
        tables,
        unit,
        name,
        sum_volume,
        lambda place: (repr(options), beginnings.get(place)),
        derived,
    )
    if not sums:
        return sums, [{unit: None, "usd": None} for _ in options]
    answers = [_add_up(sums["whatifs"], number) for number in range(len(options))]
    if unit == "gpu_seconds":
        seconds = _replay_all(tables, sums.pop("turns"), sums.pop("silent"), len(options))
        refused = set(sums["whatifs"].filter(pl.col("refused"))["change"])
        for number, duration in enumerate(seconds):
            answers[number][unit] = None if number in refused else duration
    return sums, answers


def _start(recorded: Recorded) -> Edit:
    base = meter_options(recorded)
    return no_edit(recorded, Engines(base).of, None, base.cache)


# Money and PTE ------------------------------------------------------------------------------------


def _predict_sums(
    recorded: Recorded,
    unit: CostUnit,
    scenarios: tuple[WhatIfOptions, ...],
    find_joins: FindJoins | None,
) -> Sums:
    """One row for each change and unit: sums before and after, over so many trajectories."""
    rows: list[tuple[int, str, float, float, int, bool]] = []
    start, units = _start(recorded), {unit, "usd"}
    before = _check(recorded, start)
    for number, options in enumerate(scenarios):
        try:
            changes = find_changes(recorded, options, find_joins)
        except InputError:
            changes = None
        if before is None or changes is None:
            rows += [(number, name, 0.0, 0.0, 0, True) for name in units]
            continue
        after = predict(recorded, apply_all(start, changes))
        rows += [
            (
                number,
                figure.name,
                figure.before or 0.0,
                figure.after or 0.0,
                figure.trajectories,
                False,
            )
            for figure in build_scenario(before, changes, after).figures
            if figure.name in units
        ]
    schema = {"change": pl.Int64, "unit": pl.String, "before": pl.Float64, "after": pl.Float64,
              "many": pl.Int64, "refused": pl.Boolean}  # fmt: skip
    return {"whatifs": pl.DataFrame(rows, schema, orient="row")}


def _check(recorded: Recorded, start: Edit) -> Before | None:
    """What was recorded; None where it cannot be computed again."""
    try:
        return Before(recorded, predict(recorded, start))
    except InputError:
        return None


def _add_up(rows: pl.DataFrame, number: int) -> Answer:
    sums = rows.filter(pl.col("change") == number).group_by("unit").agg(
        pl.col("before", "after", "many").sum(), pl.col("refused").any()
    )  # fmt: skip
    return {
        unit: Totals(before, after) if many and not refused else None
        for unit, before, after, many, refused in sums.iter_rows()
    }


# GPU-seconds --------------------------------------------------------------------------------------


def _predict_turns(
    recorded: Recorded,
    scenarios: tuple[WhatIfOptions, ...],
    find_joins: FindJoins | None,
) -> Sums:
    """Every turn as it was (0) and under each change (1, 2, …): what a replay needs of it, and `of`
    which trajectory it is; and trajectories of which nothing can be said."""
    turns = pl.DataFrame({"of": recorded.turn_trajectory.astype(np.uint32)})
    silent = recorded.trajectories.select(ID)
    start = _start(recorded)
    for number, options in enumerate([None, *scenarios]):
        try:
            changes = find_changes(recorded, options, find_joins) if options else []
        except InputError:  # Nobody asks for the seconds of what is refused.
            changes = []
        predicted = predict_turns(recorded, apply_all(start, changes))
        turns = turns.with_columns(_column(n, number, predicted, turns) for n in REPLAYED)
        flags = find_silent(changes, predicted.unsure)
        silent = silent.with_columns(pl.Series(f"{number}", flags))
    return {"turns": turns, "silent": silent}


def _column(name: str, number: int, predicted: PredictedTurns, turns: pl.DataFrame) -> pl.Series:
    """A column that is as it was has no values, and so takes no room."""
    values = pl.Series(f"{name} {number}", getattr(predicted, name))
    if number and values.equals(turns[f"{name} 0"]):
        return pl.Series(values.name, [None], pl.Null).new_from_index(0, len(values))
    return values


def _replay_all(
    tables: Tables, turns: pl.DataFrame, silent: pl.DataFrame, many: int
) -> list[Totals | None]:
    fields = MeterOptions.__struct_fields__
    base = MeterOptions(**{name: tables.options[name] for name in fields if name in tables.options})
    servings = stated_servings(tables.options, WhatIfOptions(), base.hardware, base.arch)
    # In the order of the turns that were timed, which begin and end as those do.
    timed = time_turns(tables)
    by_id = silent[ID].arg_sort().to_numpy()
    first = np.searchsorted(silent["volume"].to_numpy(), turns["volume"].to_numpy())
    places = np.argsort(by_id)[first + turns["of"].to_numpy()]
    order = np.argsort(places, kind="stable")
    trajectory, silent = places[order], silent[by_id]
    names = [name for name in turns.columns if name not in ("of", "volume")]
    turns = pl.DataFrame([turns.drop_in_place(name).gather(order) for name in names])
    del first, places, order  # Room for what is replayed.

    origin = timed.columns.origin
    if origin is not None:
        numbers = dict(zip(timed.columns.trajectory.tolist(), trajectory.tolist(), strict=True))
        origin = np.array([numbers.get(number, NOBODY) for number in origin.tolist()])

    def choose(name: str, number: int) -> pl.Series:
        was, now = turns[f"{name} 0"], turns[f"{name} {number}"]
        return was if now.dtype == pl.Null else now.zip_with(now.is_not_null(), was)

    def replay(number: int) -> Floats:
        alive, prefill, new, context, decode = (choose(n, number).to_numpy() for n in REPLAYED)
        at = timed.columns
        columns = TurnColumns(
            trajectory, prefill, context, decode, at.started, at.ended, at.shared,
            None if origin is None else context - new, origin,
        )  # fmt: skip
        seconds = replay_alive(columns, timed.by_model, alive, servings.of)
        return np.bincount(trajectory[alive], seconds[alive], len(silent)).astype(np.float64)

    try:
        was = replay(0)
        return [_compare(was, replay(n), silent[f"{n}"].to_numpy()) for n in range(1, many + 1)]
    except InputError:
        return [None] * many


def _compare(was: Floats, is_now: Floats, silent: Flags) -> Totals | None:
    covered = ~silent & ~np.isnan(was) & ~np.isnan(is_now)
    if not covered.any():
        return None
    return Totals(float(was[covered].sum()), float(is_now[covered].sum()))
