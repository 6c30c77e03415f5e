"""Models on benchmarks, as numbers: one `Place` for each pair, and how models rank by cost.

Takes a ledger's trajectories, returns places, with intervals clustered by task. Says nothing.
"""

from math import inf

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.report_context import ReportContext

MOST_BENCHMARKS = 12
"""Benchmarks that are shown, those with the most trajectories."""


class Place(Struct, frozen=True):
    """One model, with its tool suite where several are compared, on one benchmark."""

    model: str
    """The model's name, with the variant's."""
    benchmark: str
    variant: str | None
    trajectories: int
    accuracy: Estimate
    """Share of graded attempts that were solved."""
    tokens: Estimate
    """Mean tokens, prefilled and generated."""
    calls: Estimate
    """Mean tool calls."""
    cost: Estimate
    """Mean cost, in the unit that the benchmarks name."""


class Benchmarks(Struct, frozen=True):
    """Models on benchmarks."""

    places: list[Place]
    """Every pair of a model and a benchmark that is shown."""
    names: list[str]
    """The benchmarks that are shown."""
    left_out: int
    unit: CostUnit = "pte"


def study_benchmarks(context: ReportContext) -> Benchmarks | None:
    """None where fewer than two settings have a benchmark."""
    rows = context.tables.read("trajectories").filter(pl.col("benchmark").is_not_null())
    if rows.select("model", "benchmark", "variant").n_unique() < 2:
        return None
    names, left_out = benchmarks_of(rows)
    costs = context.frames.costs
    displayed = costs.on(rows.filter(pl.col("benchmark").is_in(names)))
    return Benchmarks(places_of(displayed), names, left_out, costs.unit)


def benchmarks_of(rows: pl.DataFrame) -> tuple[list[str], int]:
    """The benchmarks to be shown, by name, and how many are not."""
    counted = rows.group_by("benchmark").len().sort("len", "benchmark", descending=[True, False])
    names = counted["benchmark"].to_list()
    return sorted(names[:MOST_BENCHMARKS]), max(0, len(names) - MOST_BENCHMARKS)


def places_of(rows: pl.DataFrame) -> list[Place]:
    """Every model on every benchmark that it was run on."""
    named = rows.with_columns(
        task=pl.coalesce("task_id", "trajectory_id"),
        tokens=pl.col("prefill_tokens") + pl.col("decode_tokens"),
        who=pl.concat_str(
            pl.col("model").fill_null("model not named"),
            pl.when(pl.col("variant").is_not_null()).then(pl.format(" ({})", "variant")),
            ignore_nulls=True,
        ),
    )
    parts = named.partition_by("who", "benchmark", as_dict=True)
    return [_place(str(who), str(on), part) for (who, on), part in sorted(parts.items())]


def _place(model: str, benchmark: str, rows: pl.DataFrame) -> Place:
    return Place(
        model,
        benchmark,
        rows["variant"][0],
        len(rows),
        share_of(rows, "correct"),
        mean_of(rows, "tokens"),
        mean_of(rows, "calls"),
        mean_of(rows, "cost"),
    )


def cost_of(entry: Place) -> float:
    """For ordering; what is unknown comes last."""
    return inf if entry.cost.value is None else entry.cost.value


def error_of(entry: Place) -> float:
    """The share not solved, for ordering."""
    return inf if entry.accuracy.value is None else 1.0 - entry.accuracy.value


def on_benchmark(places: list[Place], benchmark: str) -> list[Place]:
    return [entry for entry in places if entry.benchmark == benchmark]


def ranks_of(places: list[Place]) -> dict[str, int]:
    """Rank by mean cost among these; equal costs share the better one."""
    costs = [cost_of(entry) for entry in places]
    return {
        entry.model: 1 + sum(cost < entry_cost for cost in costs)
        for entry, entry_cost in zip(places, costs, strict=True)
        if entry_cost < inf
    }
