"""Cache economics: what the provider's cache was paid, what it lost and why, and what would help.

Takes a report context, returns `CacheEconomics`; None where no turn reports a cache. What a loss
cost is what was paid for the lost tokens, written again or sent fresh; avoidable is what that was
more than reading them. Money is by list price. What another lifetime would have cost is a sum over
the same turns (`losses.alternatives`).

Worked: 42,000 tokens written again at $6.25 a million cost $0.263; reading them would have cost
$0.021, so $0.242 were avoidable.
"""

import re
from typing import Any

import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.proportions import wilson
from agentdyno.studies.losses.causes import UNEXPLAINED
from agentdyno.studies.losses.recorded import read_recorded
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.roots import roots_of
from agentdyno.studies.sessions import find_roots, find_titles
from agentdyno.studies.turn_costs import (
    BILL,
    IS_AGAIN,
    LEAST,
    MONEY,
    has_cache,
    most_expensive,
    read_turn_costs,
    study_turn_costs,
)
from agentdyno.studies.volumes import add_known

ID = "trajectory_id"
OTHER_WAYS = (
    ("Write the cache for 1 hour", "1h"),
    ("Write the cache for 5 minutes", "5m"),
    ("Keep the cache alive for 1 hour after every answer", "alive 3600"),
)


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


class Loss(Struct, frozen=True, kw_only=True):
    trajectory_id: str
    turn: int
    """The turn that paid for it, from 0."""
    title: str | None
    cause: str
    pause_seconds: float | None
    """Since the turn before was sent."""
    tokens: float
    """Tokens paid for again."""
    usd: float | None
    """What was paid for them."""


class Alternative(Struct, frozen=True):
    """Another way to keep the cache, and what the same turns would have cost with it."""

    what: str
    before_usd: float
    after_usd: float


class Version(Struct, frozen=True):
    """How often one version of the client lost cache that another might have kept."""

    client_version: str
    turns: int
    """Turns with a turn before them."""
    losses: int
    """Those that lost cache, without pauses, switches of model and what the provider missed."""
    usd: float
    """What was paid again in them."""


class Diagnosis(Struct, frozen=True):
    """Losses of which the provider says why, beside what our rules say of them."""

    provider_cause: str
    own_cause: str
    """By our rules, which did not see it."""
    losses: int


class CacheEconomics(Struct, frozen=True, kw_only=True):
    """The cache of a ledger."""

    turns: int
    unreported: int
    """Those of which the provider reports no cache."""
    read_tokens: int
    """Context tokens read from the cache."""
    written_short_tokens: int
    """Written for 5 minutes, or for as long as the provider does without being asked."""
    written_hour_tokens: int
    uncached_tokens: int
    """Neither read nor written."""
    hit_rate: float | None
    """Tokens read over all context, where the cache is reported."""
    usd: float | None
    """All money, of turns with a listed price."""
    usd_read: float | None
    """For reading the cache."""
    usd_write: float | None
    usd_input: float | None
    """For context that was neither."""
    usd_output: float | None
    """For generated tokens."""
    charged: dict[str, float]
    """The same money in parts that add up, as in a bill: read, write, lost, output, fresh or other.
    Lost cache is taken out of writes and fresh input; only what is not zero."""
    rewritten: Lost
    """All losses but first turns."""
    causes: list[Lost]
    """By cause, the most expensive first; first turns are among them."""
    pauses: list[Lost]
    """Losses but first turns by the pause before them."""
    days: list[Lost]
    """…by day of the user's calendar."""
    sessions: list[Lost]
    """…by session, named by its main trajectory, the most expensive first."""
    losses: list[Loss]
    alternatives: list[Alternative]
    """What another lifetime or a keep-alive would have cost."""
    unexplained_share: float | None
    """Of the money for losses, the share without a known cause; None where none is known."""
    diagnoses: list[Diagnosis]
    """What the provider says of losses; empty where it says nothing."""
    versions: list[Version]
    """By version of the client, the oldest first."""
    update_to: str | None
    """The version from which on losses are clearly rarer; None where none is seen."""


def study_cache(context: ReportContext) -> CacheEconomics | None:
    """The cache of the ledger; None where nobody reports one, or no turn can be priced again."""
    if not has_cache(context) or not (sums := study_turn_costs(context)):
        return None
    roots = find_roots(context)
    rows = sums["costs"]
    again = rows.filter(IS_AGAIN)
    tokens = pl.col("turns", "known", "read", "context", "uncached", "short", "hour").sum()
    totals = rows.select(tokens, *map(add_known, MONEY)).row(0, named=True)
    by_agent = sums["agents"].filter(pl.col("losses") > 0).rename({"losses": "turns"})
    by_session = by_agent.sort(ID).join(roots, on=ID, maintain_order="left")
    losses = most_expensive(sums["losses"]).join(roots, on=ID, maintain_order="left")
    by_version = _add(sums["versions"], "client_version")
    versions = [Version(**row) for row in by_version.iter_rows(named=True)]
    versions.sort(key=lambda each: _order(each.client_version))
    titles = find_titles(context, pl.concat([by_session["session"], losses["session"]]))
    return CacheEconomics(
        turns=totals["turns"],
        unreported=totals["turns"] - totals["known"],
        read_tokens=int(totals["read"]),
        written_short_tokens=int(totals["short"]),
        written_hour_tokens=int(totals["hour"]),
        uncached_tokens=int(totals["uncached"]),
        hit_rate=totals["read"] / totals["context"] if totals["context"] else None,
        **{name: totals[name] for name in MONEY},
        charged=_split(rows),
        rewritten=_count_lost(again),
        causes=_by(rows.filter(pl.col("cause").is_not_null()), "cause"),
        pauses=_by(again, "band"),
        days=sorted(_by(again, "day"), key=lambda each: each.name or ""),
        sessions=[
            structs.replace(loss, title=titles.get(loss.name or ""))
            for loss in _by(by_session, "session")
        ],
        losses=[_loss(row, titles) for row in losses.iter_rows(named=True)],
        alternatives=_list_alternatives(context),
        unexplained_share=_share_unexplained(again),
        diagnoses=[
            Diagnosis(**row)
            for row in _add(sums["diagnoses"], "provider_cause", "own_cause").iter_rows(named=True)
        ],
        versions=versions,
        update_to=find_update(versions),
    )


def _add(rows: pl.DataFrame, *by: str) -> pl.DataFrame:
    return rows.group_by(by, maintain_order=True).agg(pl.exclude("volume").sum())


def _share_unexplained(again: pl.DataFrame) -> float | None:
    usd = float(again["lost_usd"].sum())
    unknown = again.filter(pl.col("cause").is_in(UNEXPLAINED))["lost_usd"].sum()
    return float(unknown) / usd if usd > 0 else None


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d{1,6}", version))


def find_update(versions: list[Version]) -> str | None:
    """The version that splits the others best: before it losses are clearly more frequent, so that
    the intervals of both rates (99.9 %, for many splits are tried) do not meet."""
    best: tuple[float, str] | None = None
    for index in range(1, len(versions)):
        before, since = (
            wilson(sum(v.losses for v in part), max(sum(v.turns for v in part), 1), 0.999)
            for part in (versions[:index], versions[index:])
        )
        gap = (before.low or 0.0) - (since.high or 1.0)
        if gap > 0 and (best is None or gap > best[0]):
            best = gap, versions[index].client_version
    return best[1] if best else None


def turn_costs(context: ReportContext) -> pl.DataFrame:
    """One row for every turn, with its session."""
    rows = read_turn_costs(context.tables, read_recorded(context.tables)).drop("band")
    roots = roots_of(context.frames.trajectories)
    with_roots = rows.join(roots, on=ID, how="left", maintain_order="left")
    return with_roots.select(ID, "session", pl.exclude(ID, "session"))


def _list_alternatives(context: ReportContext) -> list[Alternative]:
    """Other lifetimes and a keep-alive, those that change anything."""
    sums = study_turn_costs(context)
    saved = sums["alternatives"].group_by("alternative").agg(pl.col("saved").sum())
    savings, usd = dict(saved.iter_rows()), float(sums["costs"]["usd"].sum())
    return [
        Alternative(what, usd, usd - savings[name]) for what, name in OTHER_WAYS if name in savings
    ]


_LOST = (pl.col("turns").sum().alias("losses"), pl.col("lost").sum().alias("tokens"),
         add_known("lost_usd").alias("usd"), add_known("avoidable_usd"))  # fmt: skip


def _split(rows: pl.DataFrame) -> dict[str, float]:
    sums = {part: float(rows[f"bill_{part}"].sum()) for part in BILL}
    return {part: usd for part, usd in sums.items() if usd > LEAST}


def _by(rows: pl.DataFrame, name: str) -> list[Lost]:
    groups = rows.group_by(name=pl.col(name), maintain_order=True).agg(_LOST)
    losses = [Lost(**row) for row in groups.iter_rows(named=True)]
    return sorted(losses, key=lambda each: -(each.usd or 0.0))


def _count_lost(rows: pl.DataFrame) -> Lost:
    return Lost(name=None, **rows.select(_LOST).row(0, named=True))


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
