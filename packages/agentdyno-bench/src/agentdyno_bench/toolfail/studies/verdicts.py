"""Judges' verdicts on attempts at tasks with known answers, from the ledger's table `verdicts`.

Judges may have come with the benchmark or later with `judge --kind failure`; of one judge on one
attempt the latest verdict counts. One that did not know the truth speaks of other things, in partly
the same words, and is left out altogether.
"""

from collections.abc import Collection
from typing import NamedTuple

import polars as pl

from agentdyno.records.verdicts import SCORES
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.verdicts.current import verdicts_of
from agentdyno_bench.toolfail.records import LABELS


class FailureVerdict(NamedTuple):
    """One judge on one attempt."""

    trajectory_id: str
    judge: str
    """Its framing and its model."""
    label: str | None
    """None where its answer could not be read."""
    rationale: str
    scores: dict[str, int | None]
    """From 0 to 3; None where that was not asked or cannot be read."""


def failure_verdicts(ledger: Tables, attempts: Collection[str]) -> list[FailureVerdict]:
    """The verdicts in force on these trajectories."""
    rows = verdicts_of(ledger, "failure").filter(
        pl.col("trajectory_id").is_in(list(attempts)),
        pl.col("turn").is_null(),
        ~pl.col("judge").str.contains("~", literal=True),  # Asked again only to see if it wavers.
    )
    judge = pl.concat_str("judge", pl.lit(":"), "model").alias("judge")
    reason = pl.col("rationale").fill_null("")
    named = rows.select("trajectory_id", judge, "label", reason, pl.struct(*SCORES))
    blind = set(named.filter(~pl.col("label").is_in(LABELS))["judge"])
    return [FailureVerdict(*row) for row in named.iter_rows() if row[1] not in blind]
