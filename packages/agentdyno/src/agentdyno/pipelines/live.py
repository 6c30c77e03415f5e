"""Measures sessions while they are written: files that changed in, a state of each session out.

Takes the folders of agents and a ledger. A file that changed is read again to its last whole line,
so whatever happened to it (a line that was half written, usage that was corrected later, a
compaction, a rotation) the ledger is as if it had been measured now. Rows of a deleted file stay.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import msgspec
import polars as pl
from msgspec import Struct

from agentdyno.ledger.disk import replace_synced
from agentdyno.ledger.file_names import SESSIONS, refuse_link
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure_costs_first
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.records import InputError

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


def follow(
    paths: list[Path],
    ledger: Path,
    changes: Iterable[Collection[Path]],
    tell: Callable[[list[SessionState]], None],
    options: MeasureOptions | None = None,
) -> None:
    """Measures everything once, and then what changes, as long as changes come; tells the state of
    the sessions that were measured."""
    chosen = options or MeasureOptions(workers=1, costs_only=True)
    measure_costs_first(paths, ledger, chosen)
    known, waiting = set(keep_states(ledger)), set[Path]()
    for changed in changes:
        waiting |= {Path(os.path.realpath(path)) for path in changed if path.is_file()}
        if not waiting:
            continue
        try:
            measure_costs_first(paths, ledger, chosen, only=waiting)
        except InputError:
            continue  # Another command writes the ledger, or no trace is among them yet.
        waiting = set()
        states = keep_states(ledger)
        tell([state for state in states if state not in known])
        known = set(states)


def watch(paths: list[Path], ledger: Path) -> Iterator[set[Path]]:
    """Files that change under the paths, those of the ledger left out, until Ctrl-C."""
    from watchfiles import watch as watch_files

    own = Path(os.path.realpath(ledger))
    for found in watch_files(*paths, watch_filter=None, debounce=800, step=100):
        changed = {Path(path) for _, path in found}
        yield {path for path in changed if own not in path.parents}


def keep_states(ledger: Path) -> list[SessionState]:
    """Writes the states of the newest sessions where `statusline` finds them without a table."""
    states = list_states(Ledger(ledger))
    kept = {state.session: state for state in states[:MOST]}
    replace_synced(refuse_link(ledger / SESSIONS), msgspec.json.encode(kept))
    return states


def list_states(ledger: Ledger) -> list[SessionState]:
    """Every session, the newest first."""
    rows = ledger.scan("trajectories").filter(pl.col("session_id").is_not_null())
    is_main = pl.col("parent_id").is_null()
    sums = rows.group_by("session_id").agg(
        title=pl.col("title").filter(is_main).first(),
        usd=pl.when(pl.col("usd").is_not_null().all()).then(pl.col("usd").sum()),
        turns=pl.col("turns").sum(),
    )
    mains = rows.filter(is_main).select("trajectory_id", "session_id")
    last = (
        ledger.scan("turns")
        .select("trajectory_id", "turn", "context_tokens", "cached_tokens", "ended_at")
        .join(mains, on="trajectory_id")
        .sort("ended_at", "turn", nulls_last=False)
        .group_by("session_id", maintain_order=True)
        .agg(pl.col("context_tokens", "cached_tokens", "ended_at").last())
    )
    found = sums.join(last, on="session_id", how="left").sort(
        "ended_at", "session_id", descending=[True, False], nulls_last=True
    )
    order = ("session_id", "title", "usd", "turns", "context_tokens", "cached_tokens", "ended_at")
    return [SessionState(*row) for row in found.select(order).collect().iter_rows()]
