"""Cache economics: what the provider's cache was paid, what it lost and why, and what would help.

Takes an inquiry, returns `CacheEconomics`; None where no turn reports a cache. What a loss cost is
what was paid for the lost tokens, written again or sent fresh; avoidable is what that was more than
reading them. Money is by list price. Every alternative is computed by `whatif`.

Worked: 42,000 tokens written again at $6.25 a million cost $0.263; reading them would have cost
$0.021, so $0.242 were avoidable.
"""

from typing import Any

import numpy as np
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.columns import Floats
from agentdyno.cost.engines import Engines
from agentdyno.cost.metering import Billed, list_prices
from agentdyno.records import InputError
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import roots_of
from agentdyno.studies.whatif import WhatIfOptions
from agentdyno.studies.whatif.changes import meter_options
from agentdyno.studies.whatif.losses import (
    CAUSES,
    FIRST,
    LONG_LIFE,
    NO_LOSS,
    SHORT_LIFE,
    Losses,
    find_losses,
)
from agentdyno.studies.whatif.recorded import Recorded
from agentdyno.studies.whatif.shared import ask_whatif, share_recorded

BANDS = (("under 5 minutes", 0.0), ("5 to 60 minutes", 300.0), ("over 1 hour", 3600.0))
"""Pauses before a loss, by the least seconds of each sort."""
KEEP_ALIVE_SECONDS = 3600
MOST_LOSSES = 50

ALTERNATIVES = (
    ("Write the cache for 1 hour", "--cache-lifetime 1h",
     WhatIfOptions(cache_lifetime_seconds=LONG_LIFE)),
    ("Write the cache for 5 minutes", "--cache-lifetime 5m",
     WhatIfOptions(cache_lifetime_seconds=SHORT_LIFE)),
    ("Keep the cache alive for 1 hour after every answer", f"--keep-alive {KEEP_ALIVE_SECONDS}",
     WhatIfOptions(keep_alive_seconds=KEEP_ALIVE_SECONDS)),
)  # fmt: skip


class Lost(Struct, frozen=True, kw_only=True):
    """What some losses have in common, and what they cost."""

    name: str | None
    """The cause, the pause, the day or the session; None where the traces do not say."""
    losses: int
    """Turns that paid for it."""
    tokens: float
    """Tokens paid for again."""
    usd: float | None
    """What was paid for them."""
    avoidable_usd: float | None
    """What that was more than reading them would have cost; None for first turns."""
    title: str | None = None
    """Of a session."""


class Loss(Struct, frozen=True, kw_only=True):
    """One loss."""

    trajectory_id: str
    """Where."""
    turn: int
    """The turn that paid for it, from 0."""
    title: str | None
    """The session's title."""
    cause: str
    """Why."""
    pause_seconds: float | None
    """Since the turn before was sent."""
    tokens: float
    """Tokens paid for again."""
    usd: float | None
    """What was paid for them."""


class Alternative(Struct, frozen=True):
    """Another way to keep the cache, computed by `whatif`."""

    what: str
    """What to do."""
    command: str
    """Options of `agentdyno whatif` that compute it."""
    before_usd: float
    """What was paid."""
    after_usd: float
    """What would have been."""


class CacheEconomics(Struct, frozen=True, kw_only=True):
    """The cache of a ledger."""

    turns: int
    """Model calls."""
    unreported: int
    """Those of which the provider reports no cache."""
    read_tokens: int
    """Context tokens read from the cache."""
    written_short_tokens: int
    """Written for 5 minutes, or for as long as the provider does without being asked."""
    written_hour_tokens: int
    """Written for an hour."""
    uncached_tokens: int
    """Neither read nor written."""
    hit_rate: float | None
    """Tokens read over all context, where the cache is reported."""
    usd: float | None
    """All money, of turns with a listed price."""
    usd_read: float | None
    """For reading the cache."""
    usd_write: float | None
    """For writing to it."""
    usd_input: float | None
    """For context that was neither."""
    usd_output: float | None
    """For generated tokens."""
    rewritten: Lost
    """All losses but first turns."""
    causes: list[Lost]
    """By cause, the most expensive first; first turns are among them."""
    pauses: list[Lost]
    """Losses but first turns by the pause before them."""
    days: list[Lost]
    """…by day, in UTC."""
    sessions: list[Lost]
    """…by session, named by its main trajectory, the most expensive first."""
    losses: list[Loss]
    """The most expensive ones."""
    alternatives: list[Alternative]
    """What another lifetime or a keep-alive would have cost."""


def study_cache(report_context: ReportContext) -> CacheEconomics | None:
    """The cache of the ledger; None where nobody reports one."""
    turns = report_context.frames.turns
    if not (turns["cached_tokens"].sum() or turns["cache_write_tokens"].sum()):
        return None
    rows = study_turn_costs(report_context)
    known = rows.filter(pl.col("known"))
    again = rows.filter(pl.col("cause").is_not_null() & (pl.col("cause") != FIRST))
    read, context = float(known["read"].sum()), float(known["context"].sum())
    titles = dict(report_context.frames.trajectories.select("trajectory_id", "title").iter_rows())
    return CacheEconomics(
        turns=len(rows),
        unreported=len(rows) - len(known),
        read_tokens=int(read),
        written_short_tokens=int((rows["written"] - rows["hour"]).sum()),
        written_hour_tokens=int(rows["hour"].sum()),
        uncached_tokens=int(known["uncached"].sum()),
        hit_rate=read / context if context else None,
        **{name: _total(rows[name]) for name in _MONEY},
        rewritten=_count_lost(again, None),
        causes=_by(rows.filter(pl.col("cause").is_not_null()), "cause"),
        pauses=_by(again.with_columns(band=_band()), "band"),
        days=sorted(_by(again, "day"), key=lambda each: each.name or ""),
        sessions=[
            structs.replace(each, title=titles.get(each.name or ""))
            for each in _by(again, "session")
        ],
        losses=[_loss(row, titles) for row in _dearest(again).iter_rows(named=True)],
        alternatives=alternatives(report_context),
    )


def study_turn_costs(context: ReportContext) -> pl.DataFrame:
    """`turn_costs`, computed once for all studies that need them."""
    return context.once("turn costs", lambda: turn_costs(context))


def turn_costs(context: ReportContext) -> pl.DataFrame:
    """One row for every turn: read, written by lifetime, uncached, lost, the cause and its cost."""
    recorded = share_recorded(context)
    found = find_losses(recorded)
    paid, fresh, avoidable = _prices(recorded, found)
    rows = recorded.trajectories.select("trajectory_id", "parent_id")
    roots = dict(roots_of(rows).iter_rows())
    ids = rows["trajectory_id"].gather(recorded.turn_trajectory)
    first = np.array([CAUSES.index(FIRST), NO_LOSS])
    frame = pl.DataFrame({
        "trajectory_id": ids,
        "session": [roots[name] for name in ids],
        "turn": np.arange(recorded.turns) - recorded.first_turn[:-1][recorded.turn_trajectory],
        "day": _days(recorded),
        "context": recorded.context,
        "read": np.nan_to_num(recorded.cached),
        "written": np.nan_to_num(recorded.written),
        "hour": recorded.hour,
        "known": ~np.isnan(recorded.cached),
        "pause_seconds": found.pause,
        "lost": found.lost,
        "cause": [CAUSES[c] if c != NO_LOSS else None for c in found.cause.tolist()],
        "lost_usd": np.where(found.cause == NO_LOSS, 0.0, paid),
        "lost_fresh_usd": np.where(found.cause == NO_LOSS, 0.0, fresh),
        "avoidable_usd": np.where(np.isin(found.cause, first), np.nan, avoidable),
    }).fill_nan(None)  # fmt: skip
    uncached = (pl.col("context") - pl.col("read") - pl.col("written")).clip(lower_bound=0)
    money = context.tables.scan("turns").select("trajectory_id", "turn", *_MONEY).collect()
    joined = frame.join(money, on=["trajectory_id", "turn"], how="left", maintain_order="left")
    return joined.with_columns(uncached=uncached)


_MONEY = ("usd", "usd_read", "usd_write", "usd_input", "usd_output")


def alternatives(context: ReportContext) -> list[Alternative]:
    """Other lifetimes and a keep-alive, those that change anything."""
    found = []
    for what, command, options in ALTERNATIVES:
        try:
            answer = ask_whatif(context, options)
        except InputError:
            continue
        [usd] = [each for each in answer.together.figures if each.name == "usd"]
        if usd.before is not None and usd.after is not None and usd.difference:
            found.append(Alternative(what, command, usd.before, usd.after))
    return found


def _prices(r: Recorded, found: Losses) -> tuple[Floats, Floats, Floats]:
    """Per turn: what was paid for the lost tokens, what of it for those that were sent without
    being written, and how much more it was than reading them."""
    engines = Engines(meter_options(r))
    written = np.nan_to_num(r.written)
    billed = Billed(np.nan_to_num(r.cached), written, r.hour, r.tiers, r.billed_at)
    models = {model: engines.of(model) for model in set(r.models)}
    price = list_prices(r.models, models, billed, r.context)
    again = np.minimum(found.lost, written)
    hour = np.divide(r.hour, written, out=np.zeros(r.turns), where=written > 0)
    fresh = (found.lost - again) * price.fresh
    paid = again * (price.write + hour * price.hour) + fresh
    return paid, fresh, paid - found.lost * price.read


def _days(r: Recorded) -> pl.Series:
    at = pl.Series("day", r.billed_at, nan_to_null=True)
    days: pl.Series = pl.select(
        pl.from_epoch(at, time_unit="s").dt.strftime("%Y-%m-%d")
    ).to_series()
    return days


def _band() -> pl.Expr:
    found = pl.lit(None, pl.String)
    for name, least in BANDS:
        found = pl.when(pl.col("pause_seconds") >= least).then(pl.lit(name)).otherwise(found)
    return found


def _by(rows: pl.DataFrame, name: str) -> list[Lost]:
    groups = rows.partition_by(name, maintain_order=True) if len(rows) else []
    found = [_count_lost(group, group[name][0]) for group in groups]
    return sorted(found, key=lambda each: -(each.usd or 0.0))


def _count_lost(rows: pl.DataFrame, name: str | None) -> Lost:
    return Lost(
        name=name,
        losses=len(rows),
        tokens=float(rows["lost"].sum()),
        usd=_total(rows["lost_usd"]),
        avoidable_usd=_total(rows["avoidable_usd"]),
    )


def _dearest(rows: pl.DataFrame) -> pl.DataFrame:
    order = ("lost_usd", "lost", "trajectory_id", "turn")
    flags = [True, True, False, False]
    return rows.sort(order, descending=flags, nulls_last=True).head(MOST_LOSSES)


def _loss(row: dict[str, Any], titles: dict[str, str | None]) -> Loss:
    return Loss(
        trajectory_id=row["trajectory_id"],
        turn=row["turn"],
        title=titles.get(row["session"]),
        cause=row["cause"],
        pause_seconds=row["pause_seconds"],
        tokens=row["lost"],
        usd=row["lost_usd"],
    )


def _total(values: pl.Series) -> float | None:
    return float(values.sum()) if values.count() else None
