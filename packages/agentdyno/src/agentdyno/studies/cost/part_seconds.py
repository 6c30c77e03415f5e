"""GPU-seconds of the parts and calls of a ledger, at prices that replays with fewer tokens give.

Takes a ledger, returns its `parts` and `calls` with a column `gpu_seconds`. The ledger is replayed
with a tenth fewer tokens prefilled, in context and generated; what each saves is the price of such
a token on this server. A part pays for every prefill of itself, for being generated, and for half
of every pair of a context token and a generated token that it is in; parts of a trajectory then
share its seconds by what they pay, so that they add up to it. What leaving a part out would save is
still no share, so there is no lever in GPU-seconds.

Worked: 1,000 tokens prefilled and 100 generated, at 20 us and 150 us a token and nothing a pair:
20 ms and 15 ms; of a trajectory that took 70 ms they have 40 and 30.
"""

from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.physical import Serving
from agentdyno.cost.served import TurnColumns, sample_turns, serve
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.seconds import (
    read_turns,
    servings_of,
    time_turns,
)
from agentdyno.studies.tables import Tables

ID = "trajectory_id"
CALL = [ID, "turn", "call"]
LESS = 0.1
"""Share of the tokens that a replay leaves out."""
_KNOWN: WeakKeyDictionary[Tables, pl.DataFrame] = WeakKeyDictionary()
_PRICES: WeakKeyDictionary[Tables, pl.DataFrame] = WeakKeyDictionary()


class TokenPrices(Struct, frozen=True):
    """What a token takes on one model's server, in GPU-seconds."""

    prefilled: float
    """One more token prefilled."""
    generated: float
    """One more token generated, its context apart."""
    pair: float
    """One more pair of a token in context and a token generated."""


def price_tokens(serving: Serving, turns: TurnColumns) -> TokenPrices:
    """By replays with fewer tokens of each sort, on a sample of the turns."""
    known = turns.only(turns.is_known)
    sample = known.only(sample_turns(known.trajectory))

    def total(columns: TurnColumns) -> float:
        return float(np.nansum(serve(serving, columns).seconds.total))

    whole = total(sample)
    prefill = replace(sample, prefill=sample.prefill * (1 - LESS))
    shorter = np.maximum(sample.context * (1 - LESS), sample.prefill)
    context = replace(sample, context=shorter)
    decode = replace(sample, decode=sample.decode * (1 - LESS))
    pairs = float((sample.context * sample.decode).sum())
    gone = pairs - float((shorter * sample.decode).sum())
    pair = _price(whole - total(context), gone)
    saved = whole - total(decode) - pair * LESS * pairs
    return TokenPrices(
        prefilled=_price(whole - total(prefill), LESS * float(sample.prefill.sum())),
        generated=_price(saved, LESS * float(sample.decode.sum())),
        pair=pair,
    )


def _price(saved: float, tokens: float) -> float:
    return max(saved, 0.0) / tokens if tokens > 0 else 0.0


def with_part_seconds(tables: Tables, parts: pl.LazyFrame) -> pl.LazyFrame:
    """Parts (with `part`) and their `gpu_seconds`; null where their trajectory has none."""
    found = _part_seconds(tables).lazy()
    return parts.join(found, on=[ID, "part"], how="left", maintain_order="left")


def with_call_seconds(tables: Tables, calls: pl.DataFrame) -> pl.DataFrame:
    """Calls and the `gpu_seconds` of their request and result."""
    inside = pl.col("call").is_not_null()
    rows = tables.scan("parts").filter(inside).select(*CALL, "part")
    sums = with_part_seconds(tables, rows).group_by(CALL).agg(pl.col("gpu_seconds").sum())
    return calls.join(sums.collect(), on=CALL, how="left", maintain_order="left")


def read_calls(tables: Tables, unit: CostUnit) -> pl.DataFrame:
    """The calls of a ledger, with what they take where that is the unit."""
    calls = tables.read("calls")
    return with_call_seconds(tables, calls) if unit == "gpu_seconds" else calls


def _part_seconds(tables: Tables) -> pl.DataFrame:
    if tables not in _KNOWN:
        _KNOWN[tables] = _share_out(tables)
    return _KNOWN[tables]


def _share_out(tables: Tables) -> pl.DataFrame:
    turns = read_turns(tables, "evicted")  # Which tokens are new, the PTE of a part say.
    whole = time_turns(tables).by_trajectory().select(ID, seconds="gpu_seconds")
    paid = _payments(tables, turns).join(whole.lazy(), on=ID, how="left")
    sums = pl.col("paid").sum().over(ID)
    shared = pl.when(sums > 0).then(pl.col("paid") / sums * pl.col("seconds"))
    return paid.select(ID, "part", gpu_seconds=shared).collect()


def _payments(tables: Tables, turns: pl.DataFrame) -> pl.LazyFrame:
    """What every part pays, before parts are scaled to their trajectory."""
    rows = _locate(tables, turns)
    rows = rows.join(price_models(tables).lazy(), on="model", how="left", nulls_equal=True)
    follows = (pl.coalesce("left", "whole") - pl.col("entered")).fill_null(0.0)
    placed = pl.col("tokens") * (follows + pl.col("read").fill_null(0.0)) / 2
    # Generated tokens that no text accounts for have no place: their PTE are pairs alone.
    hidden = (pl.col("kind") == "unseen") & (pl.col("name") == "decoded") & (pl.col("gamma") > 0)
    pairs = pl.when(hidden).then(pl.col("pte") / pl.col("gamma")).otherwise(placed)
    prefilled = (pl.col("pte") - pl.col("gamma") * pairs).clip(lower_bound=0.0)
    is_generated = pl.col("made").is_not_null() | hidden
    generated = pl.when(is_generated).then(pl.col("tokens")).otherwise(0.0)
    amounts = {"prefilled": prefilled, "generated": generated, "pair": pairs}
    paid = pl.sum_horizontal(*(amount * pl.col(name) for name, amount in amounts.items()))
    return rows.select(ID, "part", paid=paid)


def _locate(tables: Tables, turns: pl.DataFrame) -> pl.LazyFrame:
    """Parts with the tokens generated before they `entered` and `left` the context and in the
    `whole` trajectory, and the context that was `read` when they were generated."""
    decoded = pl.col("decode_tokens").cast(pl.Float64)
    before = decoded.cum_sum().over(ID) - decoded
    stood = turns.lazy().select(ID, "turn", "context_tokens", before=before)
    known = pl.col("model").first(), pl.col("gamma").mean()
    owner = turns.lazy().group_by(ID).agg(*known, whole=decoded.sum())
    columns = ID, "part", "kind", "name", "tokens", "made", "enters", "leaves", "pte"
    rows = tables.scan("parts").select(columns).join(owner, on=ID, how="left")
    for place, name in (("enters", "entered"), ("leaves", "left")):
        there = stood.select(ID, pl.col("turn").alias(place), pl.col("before").alias(name))
        rows = rows.join(there, on=[ID, place], how="left")
    contexts = stood.select(ID, made="turn", read="context_tokens")
    return rows.join(contexts, on=[ID, "made"], how="left")


def price_models(tables: Tables) -> pl.DataFrame:
    """What a token takes on the server of every model, worked out once for a ledger."""
    tables = getattr(tables, "whole", None) or tables
    if tables not in _PRICES:
        _PRICES[tables] = _price_models(tables)
    return _PRICES[tables]


def _price_models(tables: Tables) -> pl.DataFrame:
    servings, timed = servings_of(tables.options), time_turns(tables)
    rows = []
    for model, of in timed.by_model:
        serving = servings.of(model) if servings else None
        if serving is not None and not serving.too_small:
            found = price_tokens(serving, timed.columns.only(of))
            rows.append((model, found.prefilled, found.generated, found.pair))
    schema = {"model": pl.String, "prefilled": pl.Float64, "generated": pl.Float64,
              "pair": pl.Float64}  # fmt: skip
    return pl.DataFrame(rows, schema, orient="row")
