"""The ledger's tables as the analyses need them: each trajectory with its setting and its task.

Takes a ledger, returns `Frames`. Adds the GPU-seconds of turns, and to every table the `cost` of
its rows in the unit that adds up over the ledger; computes nothing else.
"""

import polars as pl
from msgspec import Struct

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.part_seconds import with_call_seconds, with_part_seconds
from agentdyno.studies.cost.seconds import COLUMNS, time_turns
from agentdyno.studies.cost.unit import Costs, choose_unit, costs_among
from agentdyno.studies.tables import Tables

SETTING = ("model", "benchmark", "variant")
PARTS = (
    "trajectory_id", "kind", "name", "turn", "call", "tokens", "enters", "leaves", "pte", "usd"
)  # fmt: skip
"""Columns of `parts` that studies of costs ask for: there are twenty parts and more for each
trajectory, so the others would take most of a report's memory."""
NOT_OF_TURNS = (
    "identity", "response_id", "request_id", "stands_for", "line", "cache_write_hour_tokens",
    "service_tier", "usd_source", "reasoning_tokens", "prefill_source", "decode_source",
    "decode_factor", "decode_spread", "decode_bias", "answered", "first_scale", "later_scale",
    "unseen_tokens", "unseen_decode_tokens", "pte_growth_evicted", "pte_growth_reported",
    "pte_growth_kept", "reported_usd",
)  # fmt: skip
"""Columns of `turns` that they do not ask for."""


class Frames(Struct, frozen=True):
    """Tables of one ledger. `setting` is a place in `settings`, `task` what attempts share."""

    settings: list[SettingName]
    """The setting with the largest total cost first."""
    trajectories: pl.DataFrame
    """With `setting`, `task`, `gpu_seconds` and `cost`; without a task it is one of its own."""
    turns: pl.DataFrame
    """With `setting`, `task`, `cost` and GPU-seconds by cause; without `NOT_OF_TURNS`."""
    calls: pl.DataFrame
    """With `setting` and `cost`."""
    parts: pl.DataFrame
    """`PARTS`, the `setting` and the `cost`."""
    patterns: pl.DataFrame | None
    """Detections with their `cost`. None when nobody looked for any."""
    unread: frozenset[str]
    """Sources in which nobody could look for patterns."""
    costs: Costs
    """What `cost` is counted in, and how the PTE of other rows become it."""
    unproven: dict[str, int] = {}
    """Detections of patterns that are left out because nobody measured how often they are right."""

    def by_setting(self, table: pl.DataFrame) -> dict[int, pl.DataFrame]:
        """The rows of each setting that has any, in the order of `settings`."""
        found = table.partition_by("setting", as_dict=True)
        return {place: found[(place,)] for place in range(len(self.settings)) if (place,) in found}


def load_frames(
    ledger: Tables, unread: frozenset[str] = frozenset(), unproven: bool = False
) -> Frames:
    """Reads what the analyses need; patterns that real traces did not prove only where asked."""
    turns = ledger.scan("turns").drop(NOT_OF_TURNS).collect()
    raw = ledger.read("trajectories")
    if choose_unit(raw, ledger.options) == "usd":
        # Nobody asks what a provider's machines took: no replay.
        unknown = pl.lit(None, pl.Float64)
        turns = turns.with_columns(unknown.alias(name) for name in COLUMNS)
        raw = raw.with_columns(gpu_seconds=unknown)
    else:
        timed = time_turns(ledger)
        place = ["trajectory_id", "turn"]
        turns = turns.join(timed.turns, on=place, how="left", maintain_order="left")
        whole = timed.by_trajectory().select("trajectory_id", "gpu_seconds")
        raw = raw.join(whole, on="trajectory_id", how="left", maintain_order="left")
    costs = costs_among(raw, ledger.options)
    raw = costs.on(raw)
    totals = (
        raw.group_by(SETTING, maintain_order=True)
        .agg(total=pl.col("cost").sum())
        .sort("total", *SETTING, descending=[True, False, False, False], nulls_last=True)
        .drop("total")
        .with_row_index("setting")
    )
    trajectories = raw.join(totals, on=SETTING, how="left", nulls_equal=True).with_columns(
        task=_task(), setting=pl.col("setting").cast(pl.Int64)
    )
    keys = trajectories.select("trajectory_id", "setting", "task")

    def keyed(frame: pl.DataFrame, *expected: str) -> pl.DataFrame:
        theirs = keys.select("trajectory_id", *expected)
        joined = frame.join(theirs, on="trajectory_id", how="left", maintain_order="left")
        return costs.on(joined)

    both = "setting", "task"
    calls = ledger.read("calls")
    if costs.unit == "gpu_seconds":
        calls = with_call_seconds(ledger, calls)
    patterns = None
    if ledger.has("patterns"):
        patterns = keyed(_with_own_cost(ledger, calls, raw, costs.unit), *both)
    hidden = pl.col("pattern").is_in([] if unproven else unshown_patterns())
    return Frames(
        settings=[SettingName(*row) for row in totals.select(SETTING).iter_rows()],
        trajectories=trajectories,
        turns=keyed(turns, *both),
        calls=keyed(calls, *both),
        parts=keyed(_parts(ledger, costs.unit), "setting"),
        patterns=None if patterns is None else patterns.filter(~hidden),
        unread=unread,
        costs=costs,
        unproven={} if patterns is None else _counts(patterns.filter(hidden)),
    )


def _with_own_cost(
    ledger: Tables, calls: pl.DataFrame, trajectories: pl.DataFrame, unit: CostUnit
) -> pl.DataFrame:
    """Detections with the money, and the cost in another unit, of the call that they are about, or
    of the trajectory."""
    call, rows = ["trajectory_id", "turn", "call"], ledger.read("patterns")
    for name in {"usd", unit} - {"pte"}:
        of_call = calls.select(*call, of_call=name)
        rows = rows.join(of_call, on=call, how="left", maintain_order="left")
        of_all = trajectories.select("trajectory_id", of_all=name)
        rows = rows.join(of_all, on="trajectory_id", how="left", maintain_order="left")
        own = pl.when(pl.col("call").is_not_null()).then("of_call").otherwise("of_all")
        known = pl.when(pl.col("pte").is_not_null()).then(own).alias(name)
        rows = rows.with_columns(known).drop("of_call", "of_all")
    return rows


def _parts(ledger: Tables, unit: CostUnit) -> pl.DataFrame:
    """Places in half the room: there are no two billion turns in a trajectory."""
    places = pl.col("turn", "call", "enters", "leaves").cast(pl.Int32)
    rows = ledger.scan("parts").select(*PARTS, "part")
    if unit == "gpu_seconds":
        rows = with_part_seconds(ledger, rows)
    return rows.drop("part").with_columns(places).collect()


def _counts(patterns: pl.DataFrame) -> dict[str, int]:
    return dict(patterns["pattern"].value_counts().sort("pattern").iter_rows())


def _task() -> pl.Expr:
    """Task 7 of one benchmark is not task 7 of another."""
    named = pl.concat_str(pl.col("benchmark").fill_null(""), pl.col("task_id"), separator="\0")
    return pl.coalesce(named, "trajectory_id")
