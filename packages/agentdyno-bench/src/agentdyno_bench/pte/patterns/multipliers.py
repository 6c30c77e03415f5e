"""How often a pattern occurs in each setting of a ledger, and what it costs: the frequency and the
multiplier of `measures.patterns`, over tables."""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures import patterns

_SETTING = ["model", "benchmark", "variant"]


class Multiplier(Struct, frozen=True):
    """One pattern in one setting."""

    model: str | None
    benchmark: str | None
    pattern: str
    frequency: Estimate
    """Share of trajectories with the pattern."""
    multiplier: Estimate
    """Cost of those with it over that of the others."""


def multipliers(findings: pl.DataFrame, trajectories: pl.DataFrame) -> list[Multiplier]:
    """For every setting, the patterns that occur in trajectories whose cost is known."""
    priced = trajectories.filter(pl.col("pte").is_not_null())
    answers: list[Multiplier] = []
    for (model, benchmark, _), inside in priced.group_by(_SETTING, maintain_order=True):
        hits = findings.filter(pl.col("trajectory_id").is_in(inside["trajectory_id"].implode()))
        for pattern in sorted(set(hits["pattern"])):
            matching = hits.filter(pl.col("pattern") == pattern)
            has = inside["trajectory_id"].is_in(matching["trajectory_id"].implode()).to_list()
            ratio = patterns.multiplier(inside["pte"].to_list(), has, _tasks(inside))
            frequency = patterns.frequency(has)
            answers.append(Multiplier(_text(model), _text(benchmark), pattern, frequency, ratio))
    return answers


def _text(part: object) -> str | None:
    return None if part is None else str(part)


def _tasks(trajectories: pl.DataFrame) -> list[str]:
    """An attempt at a task without a name is a task of its own."""
    named = pl.format("task {}", "task_id"), pl.format("id {}", "trajectory_id")
    return trajectories.select(pl.coalesce(named)).to_series().to_list()
