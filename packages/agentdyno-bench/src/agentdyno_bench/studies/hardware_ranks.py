"""Does the ranking depend on the accelerator? The same trajectories, priced on each.

Gamma is proportional to HOI, so PTE there = prefill + scale * gamma * context * decode with
scale = HOI there / HOI of the ledger's hardware; prefill does not change (PTE paper, section 4.2
and Table 4). Over several architectures the cost is in GPU-seconds, by theory on each accelerator.
Spearman's rho compares the ranking of trajectories and of settings' means.

Worked: pte 1,200 of which 200 decoding; scale 0.5 -> 1,100.
"""

from collections.abc import Callable

import polars as pl
from msgspec import Struct

from agentdyno.cost.hardware import Hardware as Accelerator
from agentdyno.cost.hardware import load_hardware, resolve_hardware
from agentdyno.estimates.correlation import spearman
from agentdyno.estimates.estimate import Estimate
from agentdyno.records import InputError
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.seconds import read_turns, replay_turns, seconds_cache, servings_of
from agentdyno.studies.readings import missing
from agentdyno.studies.tables import Tables

MOST_REPLAYED = 5_000
"""Turns of a model that are replayed together on every accelerator."""
Moving = Callable[[Accelerator], pl.DataFrame]
"""Per trajectory: its `setting`, its cost here (`whole`) and on an accelerator (`moved`)."""


class HardwareRank(Struct, frozen=True):
    """The same trajectories on another accelerator."""

    hardware: str
    hoi: float
    """FLOPs per byte."""
    scale: float
    """Gamma there over gamma on the ledger's hardware."""
    cost: float
    """Cost of all trajectories there."""
    trajectories: Estimate
    """Spearman correlation of the trajectories' costs with those on the ledger's hardware."""
    settings: Estimate
    """The same of the settings' mean costs."""


class Hardware(Struct, frozen=True):
    """Whether the ranking depends on the accelerator."""

    reference: str
    rows: list[HardwareRank]
    """By accelerator, the one nearest to the reference first."""
    reason: str | None
    """Why there are no rows."""
    unit: CostUnit = "pte"


def hardware_ranks(frames: Frames, name: str, tables: Tables | None = None) -> Hardware:
    """Every known accelerator against the ledger's own; `tables` for what frames do not hold."""
    unit = frames.costs.unit
    try:
        reference = resolve_hardware(name)
    except InputError:
        reason = "the hardware that the ledger was measured for is not known here"
        return Hardware(name, [], reason, unit)
    if unit != "pte" and tables is None:
        return Hardware(name, [], "GPU-seconds need the ledger's own turns", unit)
    moving = _seconds(frames, tables) if tables and unit != "pte" else _pte(frames, reference)
    if moving(reference).is_empty():
        return Hardware(name, [], "no trajectory has a known cost", unit)
    others = [a for a in load_hardware() if a.name != reference.name]
    others.sort(key=lambda a: (abs(a.hoi / reference.hoi - 1), a.name))
    rows = [_rank(moving(a), a, reference) for a in [reference, *others]]
    return Hardware(name, rows, None, unit)


def _pte(frames: Frames, here: Accelerator) -> Moving:
    """Per trajectory: what decoding costs, which changes, and the rest."""
    decoding = pl.col("gamma") * pl.col("context_tokens") * pl.col("decode_tokens")
    split = (
        frames.turns.group_by("trajectory_id", maintain_order=True)
        .agg(
            setting=pl.col("setting").first(),
            whole=pl.col("pte").sum(),
            decoding=decoding.sum(),
            unknown=pl.col("pte").null_count(),
        )
        .filter(pl.col("unknown") == 0)
        .sort("trajectory_id")
    )

    def moved(there: Accelerator) -> pl.DataFrame:
        scale = there.hoi / here.hoi
        return split.with_columns(moved=pl.col("whole") + (scale - 1) * pl.col("decoding"))

    return moved


def _seconds(frames: Frames, tables: Tables) -> Moving:
    """The ledger's own hardware stays as it was measured; others are by theory."""
    whole = frames.trajectories.select("trajectory_id", "setting", whole="cost").drop_nulls()
    options = tables.options
    cache = seconds_cache(options)
    turns = read_turns(tables, cache)
    own = servings_of(options)
    at_once = own.concurrency if own else None

    def moved(there: Accelerator) -> pl.DataFrame:
        here = own is not None and there.name == own.hardware.name
        servings = own if here else servings_of(options | {"hardware": there.name}, at_once)
        spent = replay_turns(turns, servings, cache, MOST_REPLAYED).by_trajectory()
        rows = whole.join(spent.select("trajectory_id", moved="gpu_seconds"), on="trajectory_id")
        return rows.drop_nulls().sort("trajectory_id")

    return moved


def _rank(moved: pl.DataFrame, there: Accelerator, here: Accelerator) -> HardwareRank:
    means = (
        moved.group_by("setting", maintain_order=True)
        .agg(pl.col("whole", "moved").mean())
        .sort("setting")
    )
    few = missing("a ranking of settings needs at least 3", len(means))
    return HardwareRank(
        hardware=there.name,
        hoi=there.hoi,
        scale=there.hoi / here.hoi,
        cost=float(moved["moved"].sum()),
        trajectories=spearman(moved["whole"].to_list(), moved["moved"].to_list()),
        settings=spearman(means["whole"].to_list(), means["moved"].to_list())
        if len(means) >= 3
        else few,
    )
