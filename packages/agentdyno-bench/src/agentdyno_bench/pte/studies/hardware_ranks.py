"""Does the ranking depend on the accelerator? The same trajectories, priced on each.

By `measures.pte.on_other_hardware`; Spearman's rho compares the ranking of trajectories and of
settings' means (PTE paper, section 4.2 and Table 4).
"""

import polars as pl
from msgspec import Struct

from agentdyno.cost.hardware import Hardware as Accelerator
from agentdyno.cost.hardware import load_hardware, resolve_hardware
from agentdyno.estimates.estimate import Estimate
from agentdyno.measures import pte
from agentdyno.records import InputError
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.readings import missing


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
    """Ranking of settings on each accelerator."""

    rows: list[HardwareRank]
    """By accelerator, the one nearest to the reference first."""
    reason: str | None
    """Why there are no rows."""


def hardware_ranks(frames: Frames, name: str) -> Hardware:
    """Every known accelerator against the ledger's own."""
    try:
        base = resolve_hardware(name)
    except InputError:
        return Hardware([], "the hardware that the ledger was measured for is not known here")
    split = _split(frames)
    if split.is_empty():
        return Hardware([], "no trajectory has a known cost")
    alternatives = [a for a in load_hardware() if a.name != base.name]
    alternatives.sort(key=lambda a: (abs(a.hoi / base.hoi - 1), a.name))
    return Hardware([_rank(split, a, base) for a in [base, *alternatives]], None)


def _split(frames: Frames) -> pl.DataFrame:
    """Per trajectory: what decoding costs, which changes, and the whole."""
    decoding = pte.reading(pl.col("context_tokens"), pl.col("decode_tokens"), pl.col("gamma"))
    return (
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


def _rank(split: pl.DataFrame, target: Accelerator, base: Accelerator) -> HardwareRank:
    scale = target.hoi / base.hoi
    cost_there = pte.on_other_hardware(pl.col("whole"), pl.col("decoding"), scale)
    moved = split.with_columns(moved=cost_there)
    means = (
        moved.group_by("setting", maintain_order=True)
        .agg(pl.col("whole", "moved").mean())
        .sort("setting")
    )
    few = missing("a ranking of settings needs at least 3", len(means))
    return HardwareRank(
        hardware=target.name,
        hoi=target.hoi,
        scale=scale,
        cost=float(moved["moved"].sum()),
        trajectories=pte.rank_correlation(moved["whole"].to_list(), moved["moved"].to_list()),
        settings=pte.rank_correlation(means["whole"].to_list(), means["moved"].to_list())
        if len(means) >= 3
        else few,
    )
