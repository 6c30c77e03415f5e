"""The two ablations of the benchmark: ways of selecting tools, and one call a turn or several.

Takes attempts; returns one row for each pair of ways that a model was measured with on the same
tasks, everything else equal. Completion is compared by its difference, cost by its ratio, both
paired by task.

Worked: selections `self` and `none` complete .5 and .75 of one task, .5 and .75 of another, with
1,000 and 3,000 tokens: +.25, and 3.00 times the tokens.
"""

from collections.abc import Iterator

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.studies.readings import by_task

BASES = {"selection": "self", "scheduling": "parallel"}
"""What the other ways are compared with: how the benchmark is run when nobody asks otherwise."""


class Ablation(Struct, frozen=True):
    """One way against another."""

    benchmark: str
    model: str
    of: str
    """`selection` or `scheduling`."""
    held: str
    """The way in the other of the two, which is the same on both sides."""
    base: str
    """What it is compared with."""
    other: str
    """The way that is compared."""
    tasks: int
    """Tasks that both attempted."""
    completion: Estimate
    """Difference of completion, other less base."""
    tokens: Estimate
    """Ratio of all tokens, other over base."""
    turns: Estimate
    """Ratio of turns with calls."""
    seconds: Estimate
    """Ratio of model and tool time."""
    cost: Estimate
    """Ratio of costs."""


def compare_ways(attempts: pl.DataFrame) -> list[Ablation]:
    """Both ablations, as far as the attempts hold them."""
    rows = attempts.with_columns(tokens=pl.col("input_tokens") + pl.col("output_tokens"))
    return [ablation for of in BASES for ablation in _ablation(rows, of)]


def _ablation(rows: pl.DataFrame, of: str) -> Iterator[Ablation]:
    fixed = "scheduling" if of == "selection" else "selection"
    for group in rows.partition_by("benchmark", "model", "answers", fixed, maintain_order=True):
        parts = {str(part[of][0]): part for part in group.partition_by(of, maintain_order=True)}
        base = BASES[of] if BASES[of] in parts else next(iter(parts))
        for variant, part in parts.items():
            if variant != base:
                benchmark, model, fixed_value = group.select("benchmark", "model", fixed).row(0)
                yield _pair((benchmark, model, of, fixed_value, base, variant), parts[base], part)


def _pair(
    names: tuple[str, str, str, str, str, str], base: pl.DataFrame, other: pl.DataFrame
) -> Ablation:
    first, second = by_task(base, "completion"), by_task(other, "completion")
    return Ablation(
        *names,
        tasks=len(first.keys() & second.keys()),
        completion=as_share(paired_difference(first, second), least=-1.0),
        tokens=_ratio(base, other, "tokens"),
        turns=_ratio(base, other, "call_turns"),
        seconds=_ratio(base, other, "seconds"),
        cost=_ratio(base, other, "cost"),
    )


def _ratio(base: pl.DataFrame, other: pl.DataFrame, column: str) -> Estimate:
    return paired_ratio(by_task(base, column), by_task(other, column))
