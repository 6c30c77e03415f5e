"""What predicts failure, and what predicts seconds.

Failure: shares of failures and mean marks with a wasteful pattern minus without it; greedy attempts
of one agent at one kind of tasks, by task.

Seconds of a model on its machine: tokens, PTE, or the physical model.

Attempts that were played alone, with keys and values kept between turns; one point an attempt.

    output tokens     decoded
    turns             model calls
    PTE               every turn prefills its whole context, as the paper has it
    PTE, cache kept   only new tokens are prefilled, as they really were
    GPU-seconds       the physical model's, cache kept, on the hardware of the sheet
"""

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.cost.architectures import resolve_architecture
from agentdyno.cost.gamma import gamma
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.physical import gpu_seconds
from agentdyno.cost.servings import Servings
from agentdyno.estimates.correlation import pearson, spearman
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.unpaired import unpaired_difference
from agentdyno_train.studies.instruments.rollout_frames import KEY, RolloutFrames, by_task

PREDICTORS = ("output tokens", "turns", "PTE", "PTE, cache kept", "GPU-seconds")


class SecondsFit(Struct, frozen=True):
    """One predictor of seconds."""

    agent: str
    predictor: str
    """What is meant to say how long an attempt takes."""
    pearson: Estimate
    """Linear correlation with the seconds."""
    spearman: Estimate
    """Spearman's correlation with the seconds."""
    attempts: int
    seconds: float


def seconds_fits(frames: RolloutFrames, hardware: str) -> list[SecondsFit]:
    """Every predictor for every agent that was timed."""
    timed = frames.turns.filter(pl.col("seconds").is_not_null())
    if timed.is_empty():
        return []
    shape = resolve_architecture(None, frames.model).architecture
    rate = gamma(shape, resolve_hardware(hardware)).value
    pairs = rate * pl.col("context_tokens") * pl.col("decode_tokens")
    serving = Servings(hardware).of(frames.model)
    new, context, decode = (
        timed[name].cast(pl.Float64).to_numpy()
        for name in ("new_tokens", "context_tokens", "decode_tokens")
    )
    physical = np.asarray(gpu_seconds(serving, new, context, decode).total)
    costs = timed.with_columns(
        pl.col("context_tokens").add(pairs).alias("PTE"),
        pl.col("new_tokens").add(pairs).alias("PTE, cache kept"),
        pl.Series("GPU-seconds", physical),
        pl.lit(1).alias("turns"),
        pl.col("decode_tokens").alias("output tokens"),
    )
    summed = costs.group_by(KEY, maintain_order=True).agg(pl.col("seconds", *PREDICTORS).sum())
    return [fit for agent in frames.agents for fit in _fits(agent, summed)]


def _fits(agent: str, summed: pl.DataFrame) -> list[SecondsFit]:
    mine = summed.filter(pl.col("agent") == agent)
    if mine.is_empty():
        return []
    took = [float(x) for x in mine["seconds"]]
    columns = {name: [float(x) for x in mine[name]] for name in PREDICTORS}
    return [
        SecondsFit(agent, name, pearson(column, took), spearman(column, took), len(took), sum(took))
        for name, column in columns.items()
    ]


class Habit(Struct, frozen=True):
    """One pattern among the attempts of one agent."""

    agent: str
    level: str
    pattern: str
    """Name of the wasteful pattern."""
    shown: int
    failed_with: int
    """Of these, those that failed."""
    others: int
    """Attempts that do not show it."""
    failed_others: int
    """Of these, those that failed."""
    difference: Estimate
    """Share of failures with it minus without."""
    mark: Estimate
    """Mean mark with it minus without; says something where every attempt fails in part."""


def habits(frames: RolloutFrames) -> list[Habit]:
    """Patterns that some attempts show and others do not."""
    known = frames.habits.drop_nulls("correct").with_columns(
        failed=(~pl.col("correct")).cast(pl.Float64)
    )
    found = []
    for (agent, level, pattern), rows in known.group_by(
        "agent", "level", "pattern", maintain_order=True
    ):
        shown, others = rows.filter(pl.col("shown")), rows.filter(~pl.col("shown"))
        if shown.is_empty():
            continue
        found.append(
            Habit(
                str(agent), str(level), str(pattern), len(shown), int(shown["failed"].sum()),
                len(others), int(others["failed"].sum()),
                unpaired_difference(by_task(others, "failed"), by_task(shown, "failed")),
                unpaired_difference(by_task(others, "mark"), by_task(shown, "mark")),
            )
        )  # fmt: skip
    return found
