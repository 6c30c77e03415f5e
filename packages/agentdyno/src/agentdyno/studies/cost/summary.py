"""What a ledger says at a glance: by setting, by tool, by kind of part.

Takes a ledger, returns a `Summary`, which `reports` renders. The arithmetic is here and in
`estimates`, so that every output shows the same numbers.
"""

from typing import Any

import polars as pl

from agentdyno.cost.servings import Servings
from agentdyno.estimates.proportions import wilson
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.agents import study_agents
from agentdyno.studies.cost.estimated import add_estimates
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.overview_sums import TOOL_KINDS, sum_overview
from agentdyno.studies.cost.seconds import seconds_cache, servings_of, time_turns
from agentdyno.studies.cost.served_summary import ServedSummary, summarise_served
from agentdyno.studies.cost.summary_results import KindSummary, SettingSummary, Summary, ToolSummary
from agentdyno.studies.cost.unit import KNOWN_MONEY, architectures_of, name_pte
from agentdyno.studies.cost.unpriced import count_without_cached_price
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.volumes import add_tallies, sum_volumes

SETTING = ["model", "benchmark", "variant"]


def sum_ledger(ledger: Tables, unit: CostUnit) -> Sums:
    """Parts, calls and turns of a ledger by name, summed up volume by volume."""
    return sum_volumes(ledger, unit, "overview", sum_overview)


def summarise(ledger: Tables, bad_limit: int = 20) -> Summary:
    """Reads a ledger and sums it up."""
    frames = Frames(ledger)
    return summarise_frames(ledger, frames, sum_ledger(ledger, frames.costs.unit), bad_limit)


def summarise_frames(ledger: Tables, frames: Frames, sums: Sums, bad_limit: int = 20) -> Summary:
    """The same of what was read already."""
    trajectories, costs = frames.trajectories, frames.costs
    served: ServedSummary | None = None
    if costs.unit != "usd":
        served = summarise_served(ledger, time_turns(ledger), trajectories)
    turns, unpriced = sums["turns"].sum(), _add_models(sums["no_price"])
    bad = ledger.read("bad_records")
    total, usd = _total(trajectories["cost"]), _total(trajectories[KNOWN_MONEY])
    options, architectures = ledger.options, architectures_of(trajectories)
    adds_up = architectures == 1
    return Summary(
        ledger=ledger.name,
        trajectories=len(trajectories),
        turns=turns["turns"][0],
        calls=int(sums["called"]["calls"].sum()),
        bad_records=len(bad),
        by_format=_counts(trajectories["format"]),
        by_token_source=_add_counts(sums["sources"]),
        cost=total,
        pte=_total(trajectories["pte"]) if adds_up else None,
        pte_growth=_total(trajectories["pte_growth"]) if adds_up else None,
        gpu_seconds=_total(trajectories["gpu_seconds"]),
        gpu_usd=_count_priced(_total(trajectories["gpu_seconds"]), servings_of(options)),
        served=served,
        architectures=architectures,
        usd=usd,
        estimated_usd=None if usd is None else turns["estimated_usd"][0],
        unpriced=trajectories["usd"].null_count(),
        unpriced_models=unpriced,
        unpriced_turns=sum(unpriced.values()),
        context_tokens=turns["context_tokens"][0] if turns["context_tokens_known"][0] else None,
        decode_tokens=turns["decode_tokens"][0] if turns["decode_tokens_known"][0] else None,
        unmeasured=trajectories["cost"].null_count(),
        cache=_cache_of(costs.unit, options),
        hardware=str(options.get("hardware", "")),
        pte_name=name_pte(options),
        settings=_settings(trajectories),
        tools=_tools(sums, total),
        kinds=_kinds(sums["kinds"], total),
        bad=bad.head(bad_limit).to_dicts(),
        repeats=int(sums["repeats"]["repeats"].sum()),
        byte_equal=int(sums["repeats"]["byte_equal"].sum()),
        agents=study_agents(ledger, costs, trajectories),
        estimated=add_estimates(sums["estimated"], sums["biases"], costs.unit),
        unseen=_unseen(sums["unseen"]),
        gateway_turns=turns["gateway_turns"][0],
        gateway_usd=turns["gateway_usd"][0] if usd is not None else None,
        reported_money=turns["reported"][0],
        no_cached_price=count_without_cached_price(sums["unpriced"], options.get("prices")),
        unit=costs.unit,
        unit_chosen=options.get("unit") is not None,
        cache_unreported=turns["cache_unreported"][0],
    )


def _cache_of(unit: CostUnit, options: dict[str, Any]) -> str:
    """The cache assumption behind the costs."""
    return seconds_cache(options) if unit == "gpu_seconds" else options.get("cache", "evicted")


def _unseen(unseen: pl.DataFrame) -> dict[str, float]:
    sums = unseen.group_by("name").agg(pl.col("cost").sum())
    return dict(sums.sort("cost", descending=True).iter_rows())


def _total(series: pl.Series) -> float | None:
    measured = series.drop_nulls()
    return float(measured.sum()) if len(measured) else None


def _count_priced(seconds: float | None, servings: Servings | None) -> float | None:
    if seconds is None or servings is None or servings.usd_per_second is None:
        return None
    return seconds * servings.usd_per_second


def _counts(series: pl.Series) -> dict[str, int]:
    counted = series.value_counts(sort=True)
    return {str(value): int(count) for value, count in counted.iter_rows()}


def _add_counts(counts: pl.DataFrame) -> dict[str, int]:
    added = counts.group_by("token_source").agg(pl.col("len").sum()).sort("len", descending=True)
    return {str(value): int(count) for value, count in added.iter_rows()}


def _add_models(counts: pl.DataFrame) -> dict[str, int]:
    added = counts.group_by("model").agg(pl.col("len").sum())
    return dict(added.sort("len", "model", descending=[True, False]).iter_rows())


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
            architecture=pl.col("architecture").first(),
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


def _tools(sums: Sums, total: float | None) -> list[ToolSummary]:
    costs = ("cost", *(f"{kind}_cost" for kind in TOOL_KINDS))
    shares = sums["tools"].group_by("tool").agg(pl.col("offered").sum(), *map(add_tallies, costs))
    result_tokens = pl.col("result_tokens_known").sum()
    mean = pl.when(result_tokens > 0).then(pl.col("result_tokens").sum() / result_tokens)
    called = sums["called"].group_by("tool", maintain_order=True)
    produced = called.agg(pl.col("calls", "errors").sum(), result_tokens_mean=mean)
    joined = (
        shares.join(produced, on="tool", how="full", coalesce=True)
        .with_columns(pl.col("calls", "errors", "offered").fill_null(0))
        .sort("cost", "tool", descending=[True, False], nulls_last=True)
    )
    return [
        ToolSummary(share=_share(row["cost"], total), **row) for row in joined.iter_rows(named=True)
    ]


def _sum_known(values: pl.Expr) -> pl.Expr:
    """The sum of what is known; unknown where there are values and none is known."""
    return pl.when((values.len() == 0) | (values.count() > 0)).then(values.sum())


def _share(cost: float | None, total: float | None) -> float | None:
    return None if cost is None or not total else cost / total


def _kinds(kinds: pl.DataFrame, total: float | None) -> list[KindSummary]:
    grouped = (
        kinds.group_by("kind")
        .agg(add_tallies("tokens"), add_tallies("cost"))
        .sort("cost", "kind", descending=[True, False], nulls_last=True)
    )
    return [
        KindSummary(share=_share(row["cost"], total), **row)
        for row in grouped.iter_rows(named=True)
    ]
