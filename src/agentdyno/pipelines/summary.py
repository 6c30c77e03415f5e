"""What a ledger says at a glance: by setting, by tool, by kind of part.

Enters: a ledger. Leaves: a `Summary`, which `reports` renders. The arithmetic is here and in
`estimates`, so that every output shows the same numbers.
"""

from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.estimates.proportions import wilson
from agentdyno.ledger.reader import Ledger
from agentdyno.records.summary import KindSummary, SettingSummary, Summary, ToolSummary

SETTING = ["model", "benchmark", "variant"]


def summarise(folder: Path, bad_limit: int = 20) -> Summary:
    """Reads a ledger and sums it up."""
    ledger = Ledger(folder)
    trajectories, calls = ledger.read("trajectories"), ledger.read("calls")
    parts, turns = ledger.read("parts"), ledger.read("turns")
    bad = ledger.read("bad_records")
    pte = _total(trajectories["pte"])
    options = ledger.manifest.options
    return Summary(
        ledger=str(folder),
        trajectories=len(trajectories),
        turns=len(turns),
        calls=len(calls),
        bad_records=len(bad),
        by_format=_counts(trajectories["format"]),
        by_token_source=_counts(turns["token_source"]),
        pte=pte,
        pte_growth=_total(trajectories["pte_growth"]),
        usd=_total(trajectories["usd"]),
        unpriced=trajectories["usd"].null_count(),
        unmeasured=trajectories["pte"].null_count(),
        cache=str(options.get("cache", "evicted")),
        hardware=str(options.get("hardware", "")),
        settings=_settings(trajectories),
        tools=_tools(parts, calls, pte),
        kinds=_kinds(parts, pte),
        bad=bad.head(bad_limit).to_dicts(),
    )


def _total(series: pl.Series) -> float | None:
    known = series.drop_nulls()
    return float(known.sum()) if len(known) else None


def _counts(series: pl.Series) -> dict[str, int]:
    counted = series.value_counts(sort=True)
    return {str(value): int(count) for value, count in counted.iter_rows()}


def _settings(trajectories: pl.DataFrame) -> list[SettingSummary]:
    grouped = (
        trajectories.group_by(SETTING)
        .agg(
            trajectories=pl.len(),
            graded=pl.col("correct").count(),
            solved=pl.col("correct").sum(),
            pte_mean=pl.col("pte").mean(),
            pte_total=pl.col("pte").sum(),
            pte_growth_mean=pl.col("pte_growth").mean(),
            tokens_mean=(pl.col("prefill_tokens") + pl.col("decode_tokens")).mean(),
            turns_mean=pl.col("turns").mean(),
            calls_mean=pl.col("calls").mean(),
            usd_mean=pl.col("usd").mean(),
            gamma=pl.col("gamma").first(),
            gamma_source=pl.col("gamma_source").first(),
        )
        .sort("pte_total", *SETTING, descending=[True, False, False, False], nulls_last=True)
    )
    return [_setting(row) for row in grouped.iter_rows(named=True)]


def _setting(row: dict[str, Any]) -> SettingSummary:
    solved, graded = row.pop("solved"), row["graded"]
    interval = wilson(solved, graded) if graded else None
    return SettingSummary(
        accuracy=solved / graded if graded else None,
        accuracy_low=interval.low if interval else None,
        accuracy_high=interval.high if interval else None,
        **row,
    )


def _tools(parts: pl.DataFrame, calls: pl.DataFrame, total: float | None) -> list[ToolSummary]:
    shares = (
        parts.filter(pl.col("kind").is_in(["schema", "request", "result"]))
        .group_by(tool=pl.col("name").fill_null(""))
        .agg(
            offered=pl.col("trajectory_id").filter(pl.col("kind") == "schema").n_unique(),
            **{f"{k}_pte": pl.col("pte").filter(pl.col("kind") == k).sum() for k in _TOOL_KINDS},
        )
    )
    made = calls.group_by("tool").agg(
        calls=pl.len(),
        errors=pl.col("error").count(),
        result_tokens_mean=pl.col("result_tokens").mean(),
    )
    joined = (
        shares.join(made, on="tool", how="full", coalesce=True)
        .with_columns(pl.col("calls", "errors", "offered").fill_null(0))
        .with_columns(pl.col([f"{k}_pte" for k in _TOOL_KINDS]).fill_null(0.0))
        .with_columns(pte=pl.sum_horizontal([f"{k}_pte" for k in _TOOL_KINDS]))
        .sort("pte", "tool", descending=[True, False])
    )
    return [
        ToolSummary(pte_share=row["pte"] / total if total else None, **row)
        for row in joined.iter_rows(named=True)
    ]


_TOOL_KINDS = ("schema", "request", "result")


def _kinds(parts: pl.DataFrame, total: float | None) -> list[KindSummary]:
    grouped = (
        parts.group_by("kind")
        .agg(pl.col("tokens").sum(), pl.col("pte").sum())
        .sort("pte", "kind", descending=[True, False])
    )
    return [
        KindSummary(pte_share=row["pte"] / total if total else None, **row)
        for row in grouped.iter_rows(named=True)
    ]
