"""Do wasteful patterns predict failure? Failures and marks with a pattern and without it.

Greedy attempts of one agent at one kind of tasks; the difference with its interval, by task.
"""

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.unpaired import unpaired_difference
from agentdyno_train.studies.instruments.played import Played, by_task


class Habit(Struct, frozen=True):
    """One pattern among the attempts of one agent."""

    agent: str
    """The agent."""
    level: str
    """The tasks."""
    pattern: str
    """The pattern."""
    shown: int
    """Attempts that show it."""
    failed_shown: int
    """Of these, those that failed."""
    others: int
    """Attempts that do not show it."""
    failed_others: int
    """Of these, those that failed."""
    difference: Estimate
    """Share of failures with it minus without."""
    mark: Estimate
    """Mean mark with it minus without; says something where every attempt fails in part."""


def habits(played: Played) -> list[Habit]:
    """Patterns that some attempts show and others do not."""
    known = played.habits.drop_nulls("correct").with_columns(
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
