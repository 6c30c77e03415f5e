"""What a ledger says at a glance: by setting, by tool, by kind of part.

Takes a ledger, returns a `Summary`, which `reports` renders. The arithmetic is here and in
`estimates`, so that every output shows the same numbers.
"""

from typing import Any

import polars as pl

from agentdyno.cost.servings import Servings
from agentdyno.estimates.proportions import wilson
from agentdyno.records.ledger import BYTE_EQUAL
from agentdyno.studies.cost.agents import study_agents
from agentdyno.studies.cost.estimated import NEEDED as ESTIMATED
from agentdyno.studies.cost.estimated import study_estimates
from agentdyno.studies.cost.part_seconds import with_part_seconds
from agentdyno.studies.cost.seconds import NEEDED as TIMED
from agentdyno.studies.cost.seconds import servings_of, time_turns
from agentdyno.studies.cost.served_summary import ServedSummary, summarise_served
from agentdyno.studies.cost.summary_results import KindSummary, SettingSummary, Summary, ToolSummary
from agentdyno.studies.cost.unit import architectures_of, choose_unit, costs_among
from agentdyno.studies.cost.unpriced import NEEDED as UNPRICED
from agentdyno.studies.cost.unpriced import count_without_cached_price
from agentdyno.studies.tables import Tables

SETTING = ["model", "benchmark", "variant"]
_NEEDED = {
    "calls": ["tool", "error", "result_tokens"],
    "turns": list(dict.fromkeys([
        *ESTIMATED, *UNPRICED, *TIMED, "token_source", "cached_tokens",
    ])),
}  # fmt: skip
"""Columns that the sums rest on; parts are summed as they are read, being too many to hold."""


def summarise(ledger: Tables, bad_limit: int = 20) -> Summary:
    """Reads a ledger and sums it up."""
    calls, turns = (ledger.scan(t).select(c).collect() for t, c in _NEEDED.items())
    parts = ledger.scan("parts")
    trajectories = ledger.read("trajectories")
    served: ServedSummary | None = None
    if choose_unit(trajectories, ledger.options) == "usd":
        trajectories = trajectories.with_columns(gpu_seconds=pl.lit(None, pl.Float64))
    else:
        timed = time_turns(ledger)
        seconds = timed.by_trajectory().select("trajectory_id", "gpu_seconds")
        trajectories = trajectories.join(seconds, on="trajectory_id", how="left")
        served = summarise_served(ledger, timed, trajectories)
    costs = costs_among(trajectories, ledger.options)
    if costs.unit == "gpu_seconds":
        parts = with_part_seconds(ledger, parts)
    trajectories, parts = costs.on(trajectories), costs.on(parts)
    bad, repeats = ledger.read("bad_records"), ledger.read("repeats")
    total = _total(trajectories["cost"])
    options = ledger.options
    return Summary(
        ledger=ledger.name,
        trajectories=len(trajectories),
        turns=len(turns),
        calls=len(calls),
        bad_records=len(bad),
        by_format=_counts(trajectories["format"]),
        by_token_source=_counts(turns["token_source"]),
        pte=total,
        pte_growth=_total(trajectories["pte_growth"]) if costs.unit == "pte" else None,
        gpu_seconds=_total(trajectories["gpu_seconds"]),
        gpu_usd=_count_priced(_total(trajectories["gpu_seconds"]), servings_of(options)),
        served=served,
        architectures=architectures_of(trajectories),
        usd=_total(trajectories["usd"]),
        unpriced=trajectories["usd"].null_count(),
        unmeasured=trajectories["cost"].null_count(),
        cache=str(options.get("cache", "evicted")),
        hardware=str(options.get("hardware", "")),
        settings=_settings(trajectories),
        tools=_tools(parts, calls, total),
        kinds=_kinds(parts, total),
        bad=bad.head(bad_limit).to_dicts(),
        repeats=len(repeats),
        byte_equal=int(repeats["identity"].str.contains(BYTE_EQUAL).sum()),
        agents=study_agents(ledger, costs),
        estimated=study_estimates(turns, costs),
        unseen=_unseen(parts),
        reported_money=int((turns["usd_source"] == "reported").sum()),
        no_cached_price=count_without_cached_price(turns, options.get("prices")),
        unit=costs.unit,
        cache_unreported=turns["cached_tokens"].null_count(),
    )


def _unseen(parts: pl.LazyFrame) -> dict[str, float]:
    rows = parts.filter(pl.col("kind") == "unseen", pl.col("cost").is_not_null())
    sums = rows.group_by(name=pl.col("name").fill_null("prompt")).agg(pl.col("cost").sum())
    return dict(sums.collect(engine="streaming").sort("cost", descending=True).iter_rows())


def _total(series: pl.Series) -> float | None:
    known = series.drop_nulls()
    return float(known.sum()) if len(known) else None


def _count_priced(seconds: float | None, servings: Servings | None) -> float | None:
    if seconds is None or servings is None or servings.usd_per_second is None:
        return None
    return seconds * servings.usd_per_second


def _counts(series: pl.Series) -> dict[str, int]:
    counted = series.value_counts(sort=True)
    return {str(value): int(count) for value, count in counted.iter_rows()}


def _settings(trajectories: pl.DataFrame) -> list[SettingSummary]:
    grouped = (
        trajectories.group_by(SETTING, maintain_order=True)
        .agg(
            trajectories=pl.len(),
            graded=pl.col("correct").count(),
            solved=pl.col("correct").sum(),
            pte_mean=pl.col("pte").mean(),
            pte_total=_sum_known(pl.col("pte")),
            pte_growth_mean=pl.col("pte_growth").mean(),
            gpu_seconds_mean=pl.col("gpu_seconds").mean(),
            total=_sum_known(pl.col("cost")),
            tokens_mean=(pl.col("prefill_tokens") + pl.col("decode_tokens")).mean(),
            turns_mean=pl.col("turns").mean(),
            calls_mean=pl.col("calls").mean(),
            usd_mean=pl.col("usd").mean(),
            gamma=pl.col("gamma").first(),
            gamma_source=pl.col("gamma_source").first(),
        )
        .sort("total", *SETTING, descending=[True, False, False, False], nulls_last=True)
        .drop("total")
    )
    return [_build_setting(row) for row in grouped.iter_rows(named=True)]


def _build_setting(row: dict[str, Any]) -> SettingSummary:
    solved, graded = row.pop("solved"), row["graded"]
    interval = wilson(solved, graded) if graded else None
    return SettingSummary(
        accuracy=solved / graded if graded else None,
        accuracy_low=interval.low if interval else None,
        accuracy_high=interval.high if interval else None,
        **row,
    )


def _tools(parts: pl.LazyFrame, calls: pl.DataFrame, total: float | None) -> list[ToolSummary]:
    shares = (
        parts.filter(pl.col("kind").is_in(["schema", "request", "result"]))
        .group_by(tool=pl.col("name").fill_null(""))
        .agg(
            offered=pl.col("trajectory_id").filter(pl.col("kind") == "schema").n_unique(),
            pte=_sum_known(pl.col("cost")),
            **{
                f"{k}_pte": _sum_known(pl.col("cost").filter(pl.col("kind") == k))
                for k in _TOOL_KINDS
            },
        )
        .collect(engine="streaming")
    )
    produced = calls.group_by("tool", maintain_order=True).agg(
        calls=pl.len(),
        errors=pl.col("error").count(),
        result_tokens_mean=pl.col("result_tokens").mean(),
    )
    joined = (
        shares.join(produced, on="tool", how="full", coalesce=True)
        .with_columns(pl.col("calls", "errors", "offered").fill_null(0))
        .sort("pte", "tool", descending=[True, False], nulls_last=True)
    )
    return [
        ToolSummary(pte_share=_share(row["pte"], total), **row)
        for row in joined.iter_rows(named=True)
    ]


def _sum_known(values: pl.Expr) -> pl.Expr:
    """The sum of what is known; unknown where there are values and none is known."""
    return pl.when((values.len() == 0) | (values.count() > 0)).then(values.sum())


def _share(cost: float | None, total: float | None) -> float | None:
    return None if cost is None or not total else cost / total


_TOOL_KINDS = ("schema", "request", "result")


def _kinds(parts: pl.LazyFrame, total: float | None) -> list[KindSummary]:
    grouped = (
        parts.group_by("kind")
        .agg(tokens=_sum_known(pl.col("tokens")), pte=_sum_known(pl.col("cost")))
        .collect(engine="streaming")
        .sort("pte", "kind", descending=[True, False], nulls_last=True)
    )
    return [
        KindSummary(pte_share=_share(row["pte"], total), **row)
        for row in grouped.iter_rows(named=True)
    ]
