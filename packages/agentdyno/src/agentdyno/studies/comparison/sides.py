"""One side of a comparison: a ledger and a filter in, one row per attempt out.

A sub-agent belongs to the attempt that started it: its turns, calls, tokens and costs are added to
that one. An amount that is unknown for any of them is unknown for the attempt.
"""

from fnmatch import fnmatchcase
from typing import Any

import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.pte import CacheAssumption
from agentdyno.records import InputError, printable
from agentdyno.studies.comparison.call_shares import count_calls
from agentdyno.studies.comparison.results import SideSummary
from agentdyno.studies.cost.estimated import NEEDED, EstimatedTokens, study_estimates
from agentdyno.studies.cost.seconds import time_turns
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.tables import Tables
from agentdyno.studies.views import View, apply_view

FILTERS = ("model", "benchmark", "variant", "level", "format")
AMOUNTS = ("pte", "pte_growth", "gpu_seconds", "tokens", "turns", "calls", "usd", "latency_seconds")
"""Amounts of an attempt; all but latency are defined for every cache assumption."""


class Side(Struct, frozen=True):
    """The attempts of one side."""

    attempts: pl.DataFrame
    """One row per attempt: task, correct, the amounts, how they are known, the `architectures`
    that the attempt and its sub-agents ran on, the `unpriced` models of their turns, empty where
    none is named, and the shares of calls that the ledger knows."""
    options: dict[str, Any]
    """What the ledger was measured with."""
    summary: SideSummary

    @property
    def architectures(self) -> set[str | None]:
        """What its attempts and their sub-agents ran on; one that is unknown is one of its own."""
        return set(self.attempts["architectures"].explode())

    @property
    def cache(self) -> str:
        """The ledger's own cache assumption."""
        return str(self.options.get("cache", "evicted"))

    @property
    def hardware(self) -> str:
        """The ledger's hardware."""
        return str(self.options.get("hardware", ""))


def load_side(
    ledger: Tables,
    setting: str,
    cache: CacheAssumption | None,
    label: str,
    concurrency: int | None = None,
) -> Side:
    """Reads a side; raises when nothing is left of it."""
    if cache == "served":
        ledger = apply_view(ledger, View(cache="served"))
    attempts = _attempts(ledger, cache, concurrency)
    expected = parse_setting(setting, label)
    selected = attempts.filter(_matches(expected)) if expected else attempts
    if selected.is_empty():
        raise InputError(_report_nothing(ledger.name, setting, attempts))
    summary = _summary(ledger.name, setting, selected)
    return Side(
        selected, ledger.options, structs.replace(summary, estimated=_estimate(ledger, selected))
    )


def parse_setting(text: str, label: str) -> dict[str, str]:
    """`model=gpt-4.1,variant=lean` as a table; values may be globs, an empty one means unknown."""
    expected: dict[str, str] = {}
    for item in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key not in FILTERS:
            raise InputError(
                f"--setting-{label.lower()}: expected KEY=VALUE with a key among "
                f"{', '.join(FILTERS)}, found {printable(item, 60)!r}."
            )
        expected[key] = value
    return expected


def _matches(expected: dict[str, str]) -> pl.Expr:
    def one(key: str, pattern: str) -> pl.Expr:
        if not pattern:
            return pl.col(key).is_null()
        return pl.col(key).map_elements(
            lambda value: fnmatchcase(value, pattern), return_dtype=pl.Boolean
        )

    return pl.all_horizontal([one(key, pattern) for key, pattern in expected.items()])


def _attempts(
    ledger: Tables, cache: CacheAssumption | None, concurrency: int | None
) -> pl.DataFrame:
    rows = ledger.read("trajectories")
    tokens = (
        ledger.scan("turns")
        .group_by("trajectory_id")
        .agg(
            tokens=(pl.col("context_tokens") + pl.col("decode_tokens")).sum(),
            # What an attempt without a task is known by in another ledger of the same traces.
            first_response=pl.col("identity").sort_by("turn").first(),
            unpriced=pl.col("model").filter(pl.col("usd").is_null()).unique(),
        )
        .collect()
    )
    rows = _with_own_model(rows.join(tokens, on="trajectory_id", how="left"))
    rows = rows.join(_seconds(ledger, cache, concurrency), on="trajectory_id", how="left")
    if cache is not None and cache not in ("observed", "served"):
        rows = rows.with_columns(
            pte=pl.col(f"pte_{cache}"), pte_growth=pl.col(f"pte_growth_{cache}")
        )
    roots = roots_of(dict(rows.select("trajectory_id", "parent_id").iter_rows()))
    return _with_call_shares(_with_sub_agents(rows, roots), roots, ledger)


def _with_own_model(rows: pl.DataFrame) -> pl.DataFrame:
    """A turn that names no model has its trajectory's; a priced trajectory has none unpriced."""
    named = pl.col("unpriced").list.drop_nulls()
    models = pl.concat_list(pl.col("model").fill_null(""))
    return rows.with_columns(
        unpriced=pl.when(pl.col("usd").is_not_null())
        .then(pl.lit([], pl.List(pl.String)))
        .otherwise(pl.when(named.list.len() > 0).then(named).otherwise(models))
    )


def _seconds(
    ledger: Tables, cache: CacheAssumption | None, concurrency: int | None
) -> pl.DataFrame:
    """GPU-seconds by trajectory, on the hardware that the ledger was measured for."""
    timed = time_turns(ledger, concurrency, cache).by_trajectory()
    return timed.select("trajectory_id", "gpu_seconds")


def _with_sub_agents(rows: pl.DataFrame, roots: dict[str, str]) -> pl.DataFrame:
    """Adds what sub-agents cost to the attempt that started them."""
    if rows["parent_id"].null_count() == len(rows):
        return rows.with_columns(architectures=pl.concat_list("architecture"))
    family = rows.with_columns(root=pl.col("trajectory_id").replace_strict(roots))
    whole = [
        pl.when(pl.col(amount).null_count() == 0).then(pl.col(amount).sum()).alias(amount)
        for amount in AMOUNTS
    ]
    sums = family.group_by("root").agg(
        *whole,
        architectures=pl.col("architecture").unique(),
        unpriced=pl.col("unpriced").explode().drop_nulls().unique(),
    )
    heads = rows.filter(pl.col("trajectory_id").is_in(list(set(roots.values()))))
    return heads.drop(*AMOUNTS, "unpriced").join(
        sums, left_on="trajectory_id", right_on="root", how="left"
    )


def _with_call_shares(
    attempts: pl.DataFrame, roots: dict[str, str], ledger: Tables
) -> pl.DataFrame:
    """Adds shares of the calls of an attempt and its sub-agents; none where it made no call."""
    for name, counts in count_calls(ledger).items():
        root = pl.col("trajectory_id").replace_strict(roots, default=None, return_dtype=pl.String)
        shares = (
            counts.group_by(root)
            .agg(pl.col("part", "whole").sum())
            .filter(pl.col("whole") > 0)
            .select("trajectory_id", (pl.col("part") / pl.col("whole")).alias(name))
        )
        attempts = attempts.join(shares, on="trajectory_id", how="left")
    return attempts


def roots_of(parents: dict[str, str | None]) -> dict[str, str]:
    """For every trajectory the one at the top; a parent that is not in the ledger is no parent."""
    roots = {}
    for start in parents:
        seen, current = {start}, start
        while (parent := parents[current]) in parents and parent not in seen:
            assert parent is not None
            seen.add(parent)
            current = parent
        roots[start] = current
    return roots


def _summary(folder: str, setting: str, rows: pl.DataFrame) -> SideSummary:
    named = rows["task_id"].drop_nulls()
    tasks = rows.filter(pl.col("task_id").is_not_null()).select("benchmark", "task_id")
    return SideSummary(
        ledger=folder,
        setting=setting,
        trajectories=len(rows),
        tasks=tasks.n_unique() + len(rows) - len(named),
        models=sorted(rows["model"].drop_nulls().unique()),
        settings=rows.select("model", "benchmark", "variant").n_unique(),
    )


def _estimate(ledger: Tables, rows: pl.DataFrame) -> EstimatedTokens | None:
    """Over the turns of the attempts themselves; a sub-agent's estimates are its own affair."""
    in_rows = pl.col("trajectory_id").is_in(rows["trajectory_id"].implode())
    turns = ledger.scan("turns").select(NEEDED).filter(in_rows).collect()
    return study_estimates(turns, costs_of(ledger, rows["trajectory_id"]))


def _report_nothing(folder: str, setting: str, attempts: pl.DataFrame) -> str:
    if attempts.is_empty():
        return f"{folder}: expected trajectories, found an empty ledger."
    settings = [
        f"{key}: {', '.join(printable(v, 40) for v in values[:6])}{' …' if len(values) > 6 else ''}"
        for key in FILTERS[:3]
        if (values := sorted(attempts[key].drop_nulls().unique()))
    ]
    return (
        f"{folder}: no trajectory matches {printable(setting, 80)!r}. In the ledger: "
        f"{'; '.join(settings)}."
    )
