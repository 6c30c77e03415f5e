"""Search in the texts of traces: prompts, answers, arguments and results.

Takes a snapshot, reads its traces again in a thread of its own, the newest first, and answers from
what was read so far; it says how much that is. A ledger has no texts and the page adds none to it:
what is searched is in a temporary file without a name, which the system removes when the server
ends. To redact every text would take three times as long as to read it, so what is displayed is
redacted, and nothing else leaves here.
"""

import sqlite3
from threading import Lock, Thread
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.records.secrets.excerpts import AHEAD, clean_beginning
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words

LONGEST = 2000
"""Characters of a text that are displayed; a few more are searched."""
KINDS = frozenset({"user", "reasoning", "text", "request", "result"})
MOST_HITS = 300
FEWEST_SIGNS = 2
BEFORE = 60
"""Characters of a text that are displayed before the word that was found."""
_TABLE = (
    "CREATE VIRTUAL TABLE texts USING fts5("
    "trajectory UNINDEXED, turn UNINDEXED, call UNINDEXED, kind UNINDEXED, text, "
    "tokenize = 'unicode61 remove_diacritics 2')"
)


_ASKED = (
    "SELECT trajectory, turn, call, kind, text FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?"
)


class Hit(Struct, frozen=True):
    """A text that has the words."""

    trajectory: str
    turn: int | None
    """The turn that wrote it, or first had it in context."""
    call: int | None
    """The call whose request or result it is; None for other texts."""
    kind: str
    """user, reasoning, text, request or result."""
    text: str
    """How it begins, as it stands in the trace: not to be displayed."""


class TextIndex:
    """The texts of one generation, as far as they were read."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.generation = snapshot.generation
        self.read_trajectories = 0
        self.missing_inputs = 0
        self.is_complete = False
        self._snapshot = snapshot
        self._connection = sqlite3.connect("", check_same_thread=False)
        self._connection.executescript(f"PRAGMA journal_mode = OFF; {_TABLE}")
        self._lock = Lock()
        self._is_closed = False
        Thread(target=self._fill, name="texts", daemon=True).start()

    def search(self, words: str) -> list[Hit]:
        """Where the texts have all words, or words that begin with them; the best match first."""
        if not is_searchable(words):
            return []
        quoted = " ".join('"' + term.replace('"', '""') + '"*' for term in _terms_of(words))
        with self._lock:
            rows = self._connection.execute(_ASKED, (quoted, MOST_HITS)).fetchall()
        return [Hit(*row) for row in rows]

    def close(self) -> None:
        """Stops reading and removes the file."""
        with self._lock:
            self._is_closed = True
            self._connection.close()

    def _fill(self) -> None:
        ledger = self._snapshot.ledger
        missing = find_missing_inputs(ledger)
        self.missing_inputs = len(missing)
        for volume in _order_volumes(self._snapshot):
            for trajectory in volume_trajectories(ledger, volume, missing, only_counted=True):
                rows = list_texts(trajectory)
                with self._lock:
                    if self._is_closed:
                        return
                    self._connection.executemany("INSERT INTO texts VALUES (?, ?, ?, ?, ?)", rows)
                self.read_trajectories += 1
        self.is_complete = True


def list_texts(trajectory: Trajectory) -> list[tuple[str, int | None, int | None, str, str]]:
    """What is searched of a trajectory: place, kind and beginning of each text."""
    rows: list[tuple[str, int | None, int | None, str, str]] = []
    for part in trajectory.parts:
        if part.kind in KINDS and part.text:
            call = None if part.call is None else trajectory.calls[part.call]
            turn = call.turn if call else part.made if part.made is not None else part.enters
            place = call.call if call else None
            rows.append(
                (trajectory.trajectory_id, turn, place, part.kind, part.text[: LONGEST + AHEAD])
            )
    return rows


def display_hit(hit: Hit, words: str) -> dict[str, Any]:
    """A hit as the page shows it: redacted, from shortly before the first of the words."""
    text = " ".join(clean_beginning(hit.text, LONGEST).split())
    places = [text.lower().find(term.lower()) for term in _terms_of(words)]
    start = max(min((position for position in places if position >= 0), default=0) - BEFORE, 0)
    begins = ("…" if start else "") + text[start:]
    return {
        "trajectory": hit.trajectory,
        "turn": hit.turn,
        "call": hit.call,
        "kind": hit.kind,
        "text": clean_words(begins, 240),
    }


def is_searchable(words: str) -> bool:
    """Whether they are long enough to be looked for in texts: one letter begins too many words."""
    return sum(map(len, _terms_of(words))) >= FEWEST_SIGNS


def _terms_of(words: str) -> list[str]:
    return [term for term in words.split() if any(sign.isalnum() for sign in term)]


def _order_volumes(snapshot: Snapshot) -> list[str]:
    """Those with the newest sessions first."""
    latest = {}
    for volume in snapshot.ledger.manifest.volumes:
        times = snapshot.ledger.scan_volume("trajectories", volume).select(pl.col("ended_at").max())
        latest[volume] = times.collect().item() or 0.0
    return sorted(latest, key=lambda volume: -latest[volume])
