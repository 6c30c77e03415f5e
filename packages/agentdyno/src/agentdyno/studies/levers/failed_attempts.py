"""Attempts that failed: what they cost is the most that stopping them early could save."""

from collections.abc import Iterator

import polars as pl

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.finder import LeverFinder


def failed_attempts(inquiry: Inquiry) -> Iterator[Lever]:
    """The cost of every attempt known to be unsolved."""
    failed = inquiry.frames.trajectories.filter(pl.col("correct").eq(False))
    amount = float(failed["cost"].sum())
    if amount > 0:
        by_model = failed.group_by("model", maintain_order=True).agg(pl.col("cost").sum())
        names = by_model.sort("cost", descending=True)["model"].drop_nulls().to_list()
        yield Lever(
            name="failed_attempts",
            what="stop attempts that will fail",
            where=names,
            amount=amount,
            share=amount / (inquiry.summary.pte or 1.0),
            unit=inquiry.unit,
            certainty="at most",
            assumption="failing could be seen before the first turn",
        )


FINDERS = (LeverFinder("failed_attempts", failed_attempts),)
