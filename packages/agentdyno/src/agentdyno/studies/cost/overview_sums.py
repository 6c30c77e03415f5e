"""What the head of a report sums of every volume: its parts, calls and turns by name.

Takes the tables of one volume, returns frames that add up over volumes (`studies.volumes`).
"""

import polars as pl

from agentdyno.records.ledger import BYTE_EQUAL
from agentdyno.studies.cost.estimated import sum_estimates
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.unpriced import list_cached_unpriced
from agentdyno.studies.gateways import find_gateways, is_of
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.volumes import tally, tally_known

ID = "trajectory_id"
TOOL_KINDS = ("schema", "request", "result")
LONG_RESULT_TOKENS = 1000
MCP = "mcp__"
"""How the name of an MCP server's tool begins."""
TURNS = (
    "trajectory_id", "model", "decode_tokens", "decode_spread", "decode_bias", "gamma",
    "context_tokens", "pte", "usd", "usd_output", "usd_source", "cached_tokens", "token_source",
    "cache_write_tokens", "prefill_source", "decode_source", "usd_input", "usd_read", "usd_write",
)  # fmt: skip


def sum_overview(tables: Tables) -> Sums:
    frames = Frames(tables)
    turns = tables.scan("turns").select(TURNS).collect()
    estimated, biases = sum_estimates(turns, frames.costs)
    gateways = find_gateways(tables)
    return {
        **_sum_parts(frames.find_parts(pl.lit(value=True))),
        "called": _sum_calls(tables.scan("calls").select("tool", "error", "result_tokens")),
        "sources": turns.group_by("token_source", maintain_order=True).len(),
        "turns": turns.select(
            turns=pl.len(),
            reported=(pl.col("usd_source") == "reported").sum(),
            cache_unreported=pl.col("cached_tokens").null_count(),
            cached=pl.col("cached_tokens").sum() + pl.col("cache_write_tokens").sum(),
            estimated_usd=_sum_estimated_money(),
            gateway_turns=is_of(gateways).sum(),
            gateway_usd=pl.col("usd").filter(is_of(gateways)).sum(),
            **tally_known("context_tokens", pl.col("context_tokens")),
            **tally_known("decode_tokens", pl.col("decode_tokens")),
        ),
        "no_price": _count_unpriced(turns, frames.trajectories),
        "estimated": estimated,
        "biases": biases,
        "unpriced": list_cached_unpriced(turns),
        "repeats": tables.scan("repeats").select(
            repeats=pl.len(), byte_equal=pl.col("identity").str.contains(BYTE_EQUAL).sum()
        ).collect(),
    }  # fmt: skip


def _count_unpriced(turns: pl.DataFrame, trajectories: pl.DataFrame) -> pl.DataFrame:
    """Turns without a price by model; a bill that only a trace states covers all of its turns."""
    partly = trajectories.filter(pl.col("usd").is_null()).select(ID)
    rows = turns.filter(pl.col("usd").is_null()).join(partly, on=ID, how="semi")
    return rows.group_by(pl.col("model").fill_null(""), maintain_order=True).len()


def _sum_estimated_money() -> pl.Expr:
    """What tokens cost whose count is an estimate."""
    context = pl.sum_horizontal("usd_input", "usd_read", "usd_write")
    output = pl.col("usd_output").filter(pl.col("decode_source") == "estimated")
    return output.sum() + context.filter(pl.col("prefill_source") == "estimated").sum()


def _sum_parts(parts: pl.DataFrame) -> Sums:
    cost, kind = pl.col("cost"), pl.col("kind")
    named = parts.filter(kind.is_in(TOOL_KINDS)).with_columns(tool=pl.col("name").fill_null(""))
    schemas = parts.filter(kind == "schema", pl.col("name").is_not_null())
    long = parts.filter(kind == "result", pl.col("tokens") > LONG_RESULT_TOKENS)
    by_kind = {
        k: v
        for each in TOOL_KINDS
        for k, v in tally(f"{each}_cost", cost.filter(kind == each)).items()
    }
    return {
        "kinds": parts.group_by("kind", maintain_order=True).agg(
            **tally("tokens", pl.col("tokens")), **tally("cost", cost)
        ),
        "tools": named.group_by("tool", maintain_order=True).agg(
            offered=pl.col(ID).filter(kind == "schema").n_unique(), **tally("cost", cost), **by_kind
        ),
        "unseen": parts.filter(kind == "unseen", cost.is_not_null())
        .group_by(name=pl.col("name").fill_null("prompt"), maintain_order=True)
        .agg(cost.sum()),
        "schemas": schemas.group_by("name", maintain_order=True).agg(**tally("cost", cost)),
        "servers": _sum_servers(schemas),
        "long": long.group_by("name", maintain_order=True).agg(
            pl.len(), pl.col("tokens").sum(),
            beyond=(cost * (1 - LONG_RESULT_TOKENS / pl.col("tokens"))).sum(),
        ),
    }  # fmt: skip


def _sum_servers(schemas: pl.DataFrame) -> pl.DataFrame:
    """MCP servers by the names of their tools: sessions that offered them, and the tokens of their
    schemas in one context, at most."""
    pieces = pl.col("name").str.split("__")
    server = pl.when(pieces.list.len() > 2).then(pieces.list.get(1, null_on_oob=True))
    rows = schemas.filter(pl.col("name").str.starts_with(MCP)).with_columns(server=server)
    by_trajectory = rows.filter(pl.col("server") != "").group_by("server", ID, maintain_order=True)
    return (
        by_trajectory.agg(pl.col("tokens").sum())
        .group_by("server", maintain_order=True)
        .agg(sessions=pl.len(), tokens=pl.col("tokens").max())
    )


def _sum_calls(calls: pl.LazyFrame) -> pl.DataFrame:
    return (
        calls.group_by("tool", maintain_order=True)
        .agg(
            calls=pl.len(),
            errors=pl.col("error").count(),
            **tally("result_tokens", pl.col("result_tokens")),
        )
        .collect()
    )
