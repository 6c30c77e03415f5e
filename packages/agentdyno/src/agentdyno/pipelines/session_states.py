"""What each session of a ledger has come to: volumes in, a state a session out.

A volume never changes, so its sums are taken once and kept; a session that stands in several
volumes is what their sums come to.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.cost.price_lookup import price_of
from agentdyno.ledger.disk import add_digest, replace_synced, strip_digest
from agentdyno.ledger.file_names import SESSIONS, SPENT, refuse_link
from agentdyno.ledger.reader import Ledger
from agentdyno.records.local_days import local_days
from agentdyno.regular_files import read_regular

MOST = 1_000
"""Sessions whose state is kept for `statusline`, the newest ones."""
DAYS = 800
"""Days whose sums are kept, the newest ones: two years, from which a month is forecast."""
Days = dict[tuple[str, str | None], float]
"""Dollars by day and project."""


class SessionState(Struct, frozen=True):
    """What a session has come to."""

    session: str
    title: str | None
    """Its title; None where it has none."""
    usd: float | None
    """What it cost, its sub-agents included; None where a turn has no price."""
    turns: int
    """Model calls, those of its sub-agents included."""
    context_tokens: int | None
    """Tokens in the context of its last turn; None where nobody knows."""
    cached_tokens: int | None
    """How many of these were read from the cache; None where nobody reports it."""
    ended_at: float | None
    """When its last turn ended, in seconds since 1970."""


_Last = tuple[int | None, int | None, float | None, int]


class _Sums(Struct, frozen=True, array_like=True):
    """Of a session in one volume."""

    session: str
    has_main: bool
    title: str | None
    is_priced: bool
    usd: float
    turns: int
    last: "_Last | None"
    """Of its last turn: tokens in the context, those read from the cache, its end, its place."""


class SessionStates:
    """The states of a ledger's sessions."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[str, _Sums]] = {}
        self._newest: list[SessionState] = []
        self._days: dict[str, Days] = {}
        self._models: set[str] = set()

    def update(self, ledger: Ledger) -> list[SessionState]:
        """The states of sessions in volumes that came or went since the last time, the newest
        first."""
        volumes = ledger.manifest.volumes
        fresh = [volume for volume in volumes if volume not in self._sums]
        new, days, models = _sum_up(ledger, fresh)
        self._days = {v: days[v] if v in days else self._days[v] for v in volumes}
        self._models |= models
        gone = [sums for v, sums in self._sums.items() if v not in volumes]
        self._sums = {v: new[v] if v in new else self._sums[v] for v in volumes}
        touched = {session for sums in (*new.values(), *gone) for session in sums}
        sums_of = ((s, [sums[s] for sums in self._sums.values() if s in sums]) for s in touched)
        states = sorted((_join(sums) for _, sums in sums_of if sums), key=_by_time)
        unchanged = [state for state in self._newest if state.session not in touched]
        self._newest = sorted([*states, *unchanged], key=_by_time)[:MOST]
        return states

    def keep(self, folder: Path, measured_at: float | None = None) -> None:
        """Writes the newest ones where `statusline` finds them without a table. `measured_at`: when
        what the ledger holds began to be read; None where nothing was read for it just now."""
        if measured_at is None:
            measured_at = _read_measured_at(folder)
        states = {state.session: state for state in self._newest}
        replace_synced(refuse_link(folder / SESSIONS), add_digest(msgspec.json.encode(states)))
        sums: Days = {}
        for days in self._days.values():
            for key, usd in days.items():
                sums[key] = sums.get(key, 0.0) + usd
        newest = sorted({day for day, _ in sums})[-DAYS:]
        spent = {
            "days": [[*key, usd] for key, usd in sums.items() if key[0] in set(newest)],
            "rates": rates_of(self._models),
            "at": measured_at,
        }
        replace_synced(refuse_link(folder / SPENT), add_digest(msgspec.json.encode(spent)))


def keep_states(folder: Path, measured_at: float | None = None) -> None:
    """The same of a ledger that nobody has looked at yet."""
    states = SessionStates()
    states.update(Ledger(folder))
    states.keep(folder, measured_at)


def _read_measured_at(folder: Path) -> float | None:
    """When the ledger was last brought up to date; None where that was not written down."""
    try:
        data = strip_digest(read_regular(refuse_link(folder / SPENT)))
        stored = msgspec.json.decode(data or b"{}", type=dict[str, object])
    except (OSError, ValueError):
        return None
    at = stored.get("at")
    return float(at) if isinstance(at, int | float) else None


def rates_of(models: Iterable[str]) -> dict[str, list[float]]:
    """Dollars a token by model: new input, read from the cache, written to it, written for an hour,
    output. The status line prices with them what comes next."""
    return {model: rates for model in sorted(models) if (rates := _rate(model))}


def _rate(model: str) -> list[float] | None:
    price = price_of(model)
    if price is None or price.input is None or price.output is None:
        return None
    read = price.input if price.cached_input is None else price.cached_input
    write = price.input if price.cache_write is None else price.cache_write
    hour = write if price.cache_write_hour is None else price.cache_write_hour
    return [usd / 1e6 for usd in (price.input, read, write, hour, price.output)]


def _by_time(state: SessionState) -> tuple[float, str]:
    return (-state.ended_at if state.ended_at is not None else 0.0, state.session)


_LAST = ("context_tokens", "cached_tokens", "ended_at", "turn")


def _sum_up(
    ledger: Ledger, volumes: list[str]
) -> tuple[dict[str, dict[str, _Sums]], dict[str, Days], set[str]]:
    """By volume the sums of every session and of every day; and the models that wrote them. Each
    table is read once for all."""
    columns = ("trajectory_id", "session_id", "parent_id", "title", "usd", "turns")
    every = ledger.read_volumes("trajectories", volumes, (*columns, "project"))
    rows = every.drop_nulls("session_id").select(*columns, "volume")
    if every.is_empty():
        return {volume: {} for volume in volumes}, {volume: {} for volume in volumes}, set()
    read = ("trajectory_id", *_LAST, "started_at", "usd", "model")
    turns = ledger.read_volumes("turns", volumes, read)
    days = _sum_days(every, turns, volumes)
    models = set(turns["model"].drop_nulls().unique())
    ordered = turns.sort("ended_at", "turn", nulls_last=False)
    lasts: dict[str, _Last] = {
        id: (context, cached, ended, turn)
        for id, context, cached, ended, turn in ordered.unique("trajectory_id", keep="last")
        .select("trajectory_id", *_LAST)
        .rows()
    }
    by_volume: dict[str, dict[str, list[_Sums]]] = {volume: {} for volume in volumes}
    for id, session, parent, title, usd, many, volume in rows.rows():
        is_main = parent is None
        last = lasts.get(id) if is_main else None
        sums = _Sums(session, is_main, title, usd is not None, usd or 0.0, many, last)
        by_volume[volume].setdefault(session, []).append(sums)
    sums_of = {
        v: {s: _add(sums) for s, sums in sessions.items()} for v, sessions in by_volume.items()
    }
    return sums_of, days, models


def _sum_days(rows: pl.DataFrame, turns: pl.DataFrame, volumes: list[str]) -> dict[str, Days]:
    started = turns.select(at=pl.coalesce("started_at", "ended_at"))["at"]
    dated = turns.with_columns(day=local_days(started)).drop_nulls(["day", "usd"])
    named = dated.join(rows.select("trajectory_id", "project"), on="trajectory_id", how="left")
    days: dict[str, Days] = {volume: {} for volume in volumes}
    sums = named.group_by("volume", "day", "project").agg(pl.col("usd").sum())
    for volume, day, project, usd in sums.rows():
        days[volume][day, project] = usd
    return days


def _add(all_sums: list[_Sums]) -> _Sums:
    """A session that stands in several trajectories, or volumes."""
    lasts = [sums.last for sums in all_sums if sums.last is not None]
    return _Sums(
        all_sums[0].session,
        any(sums.has_main for sums in all_sums),
        next((sums.title for sums in all_sums if sums.has_main), None),
        all(sums.is_priced for sums in all_sums),
        sum(sums.usd for sums in all_sums),
        sum(sums.turns for sums in all_sums),
        max(lasts, key=lambda last: (last[2] is not None, last[2], last[3]), default=None),
    )


def _join(all_sums: list[_Sums]) -> SessionState:
    """The state of a session by its sums."""
    sums = _add(all_sums)
    context, cached, ended = sums.last[:3] if sums.last else (None, None, None)
    return SessionState(
        session=sums.session,
        title=sums.title,
        usd=sums.usd if sums.is_priced else None,
        turns=sums.turns,
        context_tokens=context,
        cached_tokens=cached,
        ended_at=ended,
    )
