"""Where the fuel went: cost by setting and kind of part, by setting and tool, by single call.

Shares sum to the whole because every part has its exact share; what dropping a part would save
is another question. Costs are in the unit of the frames. Worked: a setting of 100 PTE whose results
cost 40 -> share 0.4.
"""

from typing import Any

import polars as pl

from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import ExpensiveCall, KindShare, ToolShare
from agentdyno.studies.volumes import sum_known

TOOL_KINDS = ("schema", "request", "result")
CALLS = 20


def kind_shares(frames: Frames) -> list[KindShare]:
    """Settings in their order, kinds by what they cost."""
    measured = frames.parts.filter(pl.col("cost").count().over("setting") > 0)
    sums = measured.group_by("setting", "kind", maintain_order=True).agg(sum_known("cost"))
    many = frames.trajectories.group_by("setting", maintain_order=True).agg(many=pl.len())
    rows = (
        sums.with_columns(total=pl.col("cost").sum().over("setting"))
        .join(many, on="setting")
        .sort("setting", "cost", "kind", descending=[False, True, False], nulls_last=True)
    )
    return [
        KindShare(
            setting=frames.settings[row["setting"]],
            kind=row["kind"],
            cost=row["cost"],
            share=_share(row),
            trajectories=row["many"],
        )
        for row in rows.iter_rows(named=True)
    ]


def tool_shares(frames: Frames) -> list[ToolShare]:
    """Settings in their order, tools by what they cost."""
    total = frames.parts.group_by("setting", maintain_order=True).agg(total=pl.col("cost").sum())
    by = ("tool", "kind")
    calls = frames.calls.group_by(
        "setting", tool=pl.col("tool").fill_null(""), maintain_order=True
    ).agg(calls=pl.len())
    rows = (
        frames.parts.select("setting", "kind", "name", "cost")
        .filter(pl.col("kind").is_in(TOOL_KINDS))
        .group_by("setting", "kind", tool=pl.col("name").fill_null(""), maintain_order=True)
        .agg(sum_known("cost"))
        .join(total, on="setting")
        .join(calls, on=["setting", "tool"], how="left")
        .sort("setting", "cost", *by, descending=[False, True, False, False], nulls_last=True)
    )
    return [
        ToolShare(
            setting=frames.settings[row["setting"]],
            tool=row["tool"],
            kind=row["kind"],
            calls=row["calls"] or 0,
            cost=row["cost"],
            share=_share(row),
        )
        for row in rows.iter_rows(named=True)
    ]


def expensive_calls(frames: Frames) -> list[ExpensiveCall]:
    """The calls that cost the most, requests and results together."""
    totals = frames.trajectories.select("trajectory_id", "turns", total="cost")
    top = (
        frames.calls.filter(pl.col("cost") > 0)
        .join(totals, on="trajectory_id")
        .sort("cost", "trajectory_id", "turn", "call", descending=[True, False, False, False])
        .head(CALLS)
        .join(_results(frames), on=["trajectory_id", "turn", "call"], how="left")
    )
    return [
        ExpensiveCall(
            trajectory_id=row["trajectory_id"],
            turn=row["turn"],
            call=row["call"],
            tool=row["tool"],
            request_tokens=row["request_tokens"],
            result_tokens=row["result_tokens"],
            held_turns=_count_turns_held(row["enters"], row["leaves"], row["turns"]),
            error=row["error"],
            cost=row["cost"],
            share=_share(row),
            unit=frames.costs.unit,
            subject=row.get("subject"),
        )
        for row in top.sort("cost", descending=True, maintain_order=True).iter_rows(named=True)
    ]


def _share(row: dict[str, Any]) -> float | None:
    return row["cost"] / row["total"] if row["cost"] is not None and row["total"] else None


def _results(frames: Frames) -> pl.DataFrame:
    results = frames.parts.filter(pl.col("kind") == "result")
    columns = ["trajectory_id", "turn", "call", "enters", "leaves"]
    return results.select(columns).unique(
        ["trajectory_id", "turn", "call"], keep="first", maintain_order=True
    )


def _count_turns_held(enters: int | None, leaves: int | None, turns: int) -> int | None:
    return None if enters is None else (turns if leaves is None else leaves) - enters
