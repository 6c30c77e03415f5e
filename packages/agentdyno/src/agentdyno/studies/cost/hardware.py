"""Does the ranking depend on the accelerator? The same trajectories, priced on each.

Gamma is proportional to HOI, so PTE there = prefill + scale * gamma * context * decode with
scale = HOI there / HOI of the ledger's hardware; prefill does not change (PTE paper, section 4.2
and Table 4). Over several architectures the cost is in GPU-seconds, by theory on each accelerator.
Spearman's rho compares the ranking of trajectories and of settings' means.

Worked: pte 1,200 of which 200 decoding; scale 0.5 -> 1,100.
"""

from collections.abc import Callable
from typing import Any

import polars as pl

from agentdyno.cost.hardware import Hardware as Accelerator
from agentdyno.cost.hardware import load_hardware, resolve_hardware
from agentdyno.estimates.correlation import spearman
from agentdyno.records import InputError
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import Hardware, HardwareRank
from agentdyno.studies.cost.seconds import NEEDED, replay_turns, seconds_cache, servings_of
from agentdyno.studies.readings import missing

MOST_REPLAYED = 5_000
"""Turns of a model that are replayed together on every accelerator."""
Moving = Callable[[Accelerator], pl.DataFrame]
"""Per trajectory: its `setting`, its cost here (`whole`) and on an accelerator (`moved`)."""


def hardware_ranks(frames: Frames, name: str, options: dict[str, Any] | None = None) -> Hardware:
    """Every known accelerator against the ledger's own; `options` are what it was measured with."""
    unit = frames.costs.unit
    try:
        reference = resolve_hardware(name)
    except InputError:
        reason = "the hardware that the ledger was measured for is not known here"
        return Hardware(name, [], reason, unit)
    moving = _pte(frames, reference) if unit == "pte" else _seconds(frames, options or {})
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


def _seconds(frames: Frames, options: dict[str, Any]) -> Moving:
    """The ledger's own hardware stays as it was measured; others are by theory."""
    whole = frames.trajectories.select("trajectory_id", "setting", whole="cost").drop_nulls()
    turns, cache = (
        frames.turns.select(NEEDED).sort("trajectory_id", "turn"),
        seconds_cache(options),
    )
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
