"""What became of every file that `measure` was given: read, empty, skipped or bad, with a reason.

Takes what was found and what the ledger holds of it, returns one outcome a file, and keeps them in
the ledger's table `files`. The table is of the last run; a file that was not read again because
nothing about it changed is read all the same.
"""

from collections.abc import Iterable
from pathlib import Path

import polars as pl
from msgspec import Struct, structs

from agentdyno.intake.discover import NotRead
from agentdyno.ledger.derived import replace_table
from agentdyno.ledger.reader import Ledger
from agentdyno.records.files import FILES, REPEATED, FileOutcome, FileState
from agentdyno.records.ledger import HELD
from agentdyno.records.schema import schema_of
from agentdyno.records.secrets import clean_name

NOTHING = "no model answered in it"


class Planned(Struct, frozen=True):
    """A file that a format recognised."""

    format: str
    damage: str | None
    """Why it is read only in part; None when it is whole."""
    read_with: str | None = None
    """The file that it is read with; None for one that is read by itself."""


def describe_files(
    ledger: Ledger,
    planned: dict[str, Planned],
    unread: dict[str, str],
    not_read: Iterable[NotRead],
) -> list[FileOutcome]:
    """One outcome for each file, by its name; `unread` are those that failed while being read."""
    stored = _Held(ledger)
    outcomes = [
        FileOutcome(name, "bad", unread[name], format=file.format)
        if name in unread
        else stored.outcome(name, file)
        for name, file in planned.items()
    ]
    gone = [FileOutcome(n, "bad", why) for n, why in unread.items() if n not in planned]
    return sorted([*outcomes, *gone, *map(outcome_of, not_read)], key=lambda each: each.source)


def outcome_of(item: NotRead) -> FileOutcome:
    """A file that no format is to read."""
    return FileOutcome(item.name, "bad" if item.is_bad else "skipped", item.reason, item.files)


class _Held:
    """How many rows the ledger has of each source."""

    def __init__(self, ledger: Ledger) -> None:
        counted = ledger.scan("trajectories").select("source", "trajectory_id")
        rows = ledger.scan(f"{HELD}trajectories").select("source", "trajectory_id")
        self._counted = _by_source(counted)
        self._every = _by_source(pl.concat([counted, rows]).unique())
        bad = ledger.scan("bad_records")
        self._bad = _by_source(bad)
        why = pl.format("expected {}, found {}", "expected", "found")
        self._why: dict[str, str] = dict(bad.select("source", why).collect().iter_rows())

    def outcome(self, name: str, file: Planned) -> FileOutcome:
        # A name with a secret in it stands in the tables without it.
        source = name if name in self._every or name in self._bad else clean_name(name)
        every, bad = self._every.get(source, 0), self._bad.get(source, 0)
        outcome = FileOutcome(name, "read", file.damage, 1, file.format, every, bad)
        if not every and not bad and file.read_with:
            return structs.replace(outcome, reason=f"read with {file.read_with}")
        if not every:
            reason = file.damage or self._why.get(source)
            state: FileState = "bad" if reason else "empty"
            return structs.replace(outcome, state=state, reason=reason or NOTHING)
        if not self._counted.get(source) and not file.damage:
            return structs.replace(outcome, reason=REPEATED)
        return outcome


def _by_source(rows: pl.LazyFrame) -> dict[str, int]:
    return dict(rows.group_by("source").len().collect().iter_rows())


def keep_outcomes(folder: Path, outcomes: list[FileOutcome]) -> None:
    """Writes the table `files`, unless it says the same already."""
    rows = [structs.astuple(outcome) for outcome in outcomes]
    replace_table(folder, "files", pl.DataFrame(rows, schema=schema_of(FILES), orient="row"))
