"""What each session of a ledger has come to: volumes in, a state a session out.

A volume never changes, so its sums are taken once and kept; a session that stands in several
volumes is what their sums come to.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.ledger.disk import replace_synced
from agentdyno.ledger.file_names import SESSIONS, refuse_link
from agentdyno.ledger.reader import Ledger

MOST = 1_000
"""Sessions whose state is kept for `statusline`, the newest ones."""


class SessionState(Struct, frozen=True):
    """What a session has come to."""

    session: str
    """Its id."""
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


class SessionStates:
    """The states of a ledger's sessions."""

    def __init__(self) -> None:
        self._sums: dict[str, pl.DataFrame] = {}
        self._newest: list[SessionState] = []

    def update(self, ledger: Ledger) -> list[SessionState]:
        """The states of sessions in volumes that came or went since the last time, the newest
        first."""
        volumes = ledger.manifest.volumes
        new = _sum_up(ledger, [volume for volume in volumes if volume not in self._sums])
        gone = [sums for v, sums in self._sums.items() if v not in volumes]
        self._sums = {v: new[v] if v in new else self._sums[v] for v in volumes}
        touched = pl.concat([_NO_SUMS, *new.values(), *gone])["session_id"].unique()
        found, again = _join(self._sums.values(), touched), set(touched)
        others = [state for state in self._newest if state.session not in again]
        self._newest = sorted([*found, *others], key=_by_time)[:MOST]
        return found

    def keep(self, folder: Path) -> None:
        """Writes the newest ones where `statusline` finds them without a table."""
        kept = {state.session: state for state in self._newest}
        replace_synced(refuse_link(folder / SESSIONS), msgspec.json.encode(kept))


def keep_states(folder: Path) -> None:
    """The same of a ledger that nobody has looked at yet."""
    states = SessionStates()
    states.update(Ledger(folder))
    states.keep(folder)


def _by_time(state: SessionState) -> tuple[float, str]:
    return (-state.ended_at if state.ended_at is not None else 0.0, state.session)


_LAST = ("context_tokens", "cached_tokens", "ended_at", "turn")


def _sum_up(ledger: Ledger, volumes: list[str]) -> dict[str, pl.DataFrame]:
    """By volume a row for every session; each table is read once for all."""
    columns = ("trajectory_id", "session_id", "parent_id", "title", "usd", "turns")
    rows = ledger.scan_volumes("trajectories", volumes).select("volume", *columns).collect()
    rows = rows.filter(pl.col("session_id").is_not_null())
    is_main = pl.col("parent_id").is_null()
    sums = rows.group_by(_KEY, maintain_order=True).agg(
        has_main=is_main.any(),
        title=pl.col("title").filter(is_main).first(),
        is_priced=pl.col("usd").is_not_null().all(),
        usd=pl.col("usd").sum(),
        turns=pl.col("turns").sum(),
    )
    mains = rows.lazy().filter(is_main).select("trajectory_id", *_KEY)
    turns = ledger.scan_volumes("turns", volumes).select("trajectory_id", *_LAST)
    last = _find_last(turns.join(mains, on="trajectory_id").collect(), _KEY)
    found = sums.join(last, on=_KEY, how="left").partition_by("volume", as_dict=True)
    return {v: found.get((v,), _NO_SUMS).select(_NO_SUMS.columns) for v in volumes}


_KEY = ["volume", "session_id"]


def _find_last(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Of each session the turn that ended last."""
    ordered = rows.sort("ended_at", "turn", nulls_last=False)
    return ordered.group_by(key, maintain_order=True).agg(pl.col(_LAST).last())


_NO_SUMS = pl.DataFrame(
    schema={
        "session_id": pl.String, "has_main": pl.Boolean, "title": pl.String,
        "is_priced": pl.Boolean, "usd": pl.Float64, "turns": pl.Int64,
        "context_tokens": pl.Int64, "cached_tokens": pl.Int64, "ended_at": pl.Float64,
        "turn": pl.Int64,
    }
)  # fmt: skip


def _join(sums: Iterable[pl.DataFrame], sessions: pl.Series) -> list[SessionState]:
    mine = pl.concat([_NO_SUMS, *sums]).filter(pl.col("session_id").is_in(sessions.implode()))
    added = mine.group_by("session_id").agg(
        title=pl.col("title").filter("has_main").first(),
        usd=pl.when(pl.col("is_priced").all()).then(pl.col("usd").sum()),
        turns=pl.col("turns").sum(),
    )
    last = _find_last(mine.filter(pl.col("turn").is_not_null()), ["session_id"])
    found = added.join(last, on="session_id", how="left").sort(
        "ended_at", "session_id", descending=[True, False], nulls_last=True
    )
    order = ("session_id", "title", "usd", "turns", "context_tokens", "cached_tokens", "ended_at")
    return [SessionState(*row) for row in found.select(order).iter_rows()]
