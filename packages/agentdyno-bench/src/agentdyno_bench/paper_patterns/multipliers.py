"""How often a pattern occurs in a setting, and what trajectories with it cost compared with others.

    frequency  = trajectories with the pattern / trajectories of the setting
    multiplier = mean PTE with the pattern / mean PTE without it, inside one setting

The frequency's interval is Wilson's, the multiplier's that of a ratio of means clustered by task.
The multiplier is None where no trajectory is free of the pattern. It compares and does not explain:
hard tasks are long and show more patterns.

Source: the PTE paper, Appendix E and Table 7 (1.77 to 2.42 in the paper's settings).
Worked: PTE 300, 500 with, 100, 300 without -> 400 / 200 = 2.0, in 2 of 4 trajectories.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson
from agentdyno.estimates.unpaired import unpaired_ratio

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
    known = trajectories.filter(pl.col("pte").is_not_null())
    answers: list[Multiplier] = []
    for (model, benchmark, _), inside in known.group_by(_SETTING, maintain_order=True):
        here = findings.filter(pl.col("trajectory_id").is_in(inside["trajectory_id"].implode()))
        for pattern in sorted(set(here["pattern"])):
            mine = here.filter(pl.col("pattern") == pattern)
            has = pl.col("trajectory_id").is_in(mine["trajectory_id"].implode())
            with_it, without = inside.filter(has), inside.filter(~has)
            ratio = unpaired_ratio(_by_task(without), _by_task(with_it))
            frequency = wilson(with_it.height, inside.height)
            answers.append(Multiplier(_text(model), _text(benchmark), pattern, frequency, ratio))
    return answers


def _text(part: object) -> str | None:
    return None if part is None else str(part)


def _by_task(trajectories: pl.DataFrame) -> dict[str, list[float]]:
    """PTE by task; an attempt at a task without a name is a task of its own."""
    grouped: dict[str, list[float]] = {}
    columns = ("task_id", "trajectory_id", "pte")
    for task, trajectory, pte in trajectories.select(columns).iter_rows():
        key = f"id {trajectory}" if task is None else f"task {task}"
        grouped.setdefault(key, []).append(float(pte))
    return grouped
