"""The bill of an attempt by part: menu, calls, returns of some tools, and what followed.

Takes the parts of a ledger and one side's attempts, returns the attempts with a column for each
part and unit. What followed is the rest of the attempt's cost: a useful result that shortens the
work makes it smaller. A sub-agent's parts are its attempt's.

Worked: an attempt of 1,000 PTE, of them 100 the schemas of the tools, 30 requests to them and 270
their results: 600 followed.
"""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import polars as pl

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.measures import compare_metric
from agentdyno.studies.comparison.pairing import Pairing
from agentdyno.studies.comparison.results import MetricComparison
from agentdyno.studies.comparison.sides import Side, roots_of
from agentdyno.studies.tables import Tables
from agentdyno_bench.utility.worth.results import BILL, CONFIDENCE

UNITS: tuple[CostUnit, ...] = ("usd", "pte")
KINDS = dict(zip(("schema", "request", "result"), BILL, strict=False))
COLUMNS = [f"{part} {unit}" for unit in UNITS for part in BILL]


def read_parts(tables: Tables, side: Side) -> pl.DataFrame:
    """The parts of tools in a side's attempts, by the attempt at the top."""
    parents = tables.read("trajectories").select("trajectory_id", "parent_id").iter_rows()
    root = pl.col("trajectory_id").replace_strict(roots_of(dict(parents)))
    needed = pl.col("kind").is_in(list(KINDS)) & pl.col("name").is_not_null()
    columns = ("trajectory_id", "kind", "name", *UNITS)
    rows = tables.scan("parts").filter(needed).select(columns).collect().with_columns(root)
    return rows.filter(pl.col("trajectory_id").is_in(side.attempts["trajectory_id"].implode()))


def list_tools(first: pl.DataFrame, second: pl.DataFrame, globs: Sequence[str]) -> tuple[str, ...]:
    """Tools that are offered or called on one side only; those that fit a glob, if there are
    globs."""
    a, b = set(first["name"]), set(second["name"])
    if globs:
        return tuple(sorted(t for t in a | b if any(fnmatchcase(t, glob) for glob in globs)))
    return tuple(sorted(a ^ b))


def add_bill(side: Side, parts: pl.DataFrame, tools: Sequence[str], has_menu: bool) -> pl.DataFrame:
    """The side's attempts with `COLUMNS`; without schemas the menu is unknown."""
    none = side.attempts.select("trajectory_id", kind=pl.lit("request"), usd=0.0, pte=0.0)
    rows = pl.concat([parts.filter(pl.col("name").is_in(list(tools))), none], how="diagonal")
    costs = [_sum_of(kind, unit) for kind in KINDS for unit in UNITS]
    attempts = side.attempts.drop("eta", strict=False).join(
        rows.group_by("trajectory_id").agg(costs), on="trajectory_id"
    )
    sums = {u: pl.sum_horizontal(*(f"{p} {u}" for p in KINDS.values())) for u in UNITS}
    known = {
        u: pl.all_horizontal(pl.col(f"{p} {u}").is_not_null() for p in BILL[:3]) for u in UNITS
    }
    menus = [pl.when(has_menu).then(f"menu {unit}").alias(f"menu {unit}") for unit in UNITS]
    return attempts.with_columns(
        *(pl.when(known[u]).then(pl.col(u) - sums[u]).alias(f"{BILL[3]} {u}") for u in UNITS)
    ).with_columns(menus)


def _sum_of(kind: str, unit: CostUnit) -> pl.Expr:
    costs = pl.col(unit).filter(pl.col("kind") == kind)
    whole = pl.when(costs.null_count() == 0).then(costs.sum())
    return whole.alias(f"{KINDS[kind]} {unit}")


def compare_bill(pairing: Pairing) -> list[MetricComparison]:
    """Every part and the sum, in every unit that both sides have."""
    units = [unit for unit in UNITS if pairing.a[unit] and pairing.b[unit]]
    names = [name for unit in units for name in (*(f"{part} {unit}" for part in BILL), unit)]
    return [compare_metric(pairing, name, CONFIDENCE, subtract=True) for name in names]


def weigh_menus(pairing: Pairing) -> list[bool]:
    """Of every task with the tools, whether its menu cost more than its results."""
    unit = "pte" if pairing.a["menu pte"] else "usd"
    menus, returns = pairing.a[f"menu {unit}"], pairing.a[f"returns {unit}"]
    return [sum(menus[task]) > sum(returns[task]) for task in menus if task in returns]
