"""The findings of a ledger, each with an id, and marks of the user beside them.

Takes a ledger's folder; reads the tables `patterns` and `failures` as they stand and opens no
trace. An id is a digest of the kind and the place, so that it stays the same when the ledger is
measured again.
"""

from hashlib import blake2b
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.ledger.user_marks import Mark, add_mark, read_marks
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, printable
from agentdyno.records.failures import CHECKS, DOUBTFUL
from agentdyno.studies.tables import Tables
from agentdyno.studies.views import View, apply_view


class FoundHere(Struct, frozen=True):
    """One finding of a ledger."""

    id: str
    """What `findings mark` takes."""
    kind: str
    """The pattern or the check that found it."""
    trajectory_id: str
    turn: int | None
    """The turn that shows it; None when a check speaks of the trajectory."""
    call: int | None
    """The call within that turn; None when it is no single call's."""
    evidence: str
    """The span that shows it."""
    right: bool | None
    """The user's mark; None without one."""
    detail: str | None = None
    """What is wrong there, in words; None where the evidence says all."""


def list_findings(
    folder: Path, kind: str | None = None, view: View | None = None
) -> list[FoundHere]:
    """Every finding, or those of one kind, in the order of the tables."""
    return find_findings(apply_view(ReadableLedger(folder), view), read_marks(folder), kind)


def find_findings(
    ledger: Tables, marks: dict[str, Mark], kind: str | None = None
) -> list[FoundHere]:
    """The same, of tables that are open."""
    rows: list[dict[str, Any]] = []
    if ledger.has("patterns"):
        rows += ledger.read("patterns").rename({"pattern": "kind"}).to_dicts()
    if ledger.has("failures"):
        doubts = pl.col("rule").is_in(CHECKS) & (pl.col("label") == DOUBTFUL)
        rows += (
            ledger.read("failures").filter(doubts).drop("kind").rename({"rule": "kind"}).to_dicts()
        )
    found = [_finding(row, marks) for row in rows if kind in (None, row["kind"])]
    return list({each.id: each for each in found}.values())


def mark_finding(folder: Path, id: str, right: bool) -> FoundHere:
    """Notes that a finding is right or wrong; raises where the ledger has no such finding."""
    found = next((each for each in list_findings(folder) if each.id == id), None)
    if found is None:
        raise InputError(
            f"{folder}: expected the id of a finding, got {printable(id, 40)!r}. "
            f"List them with: agentdyno findings list {folder}"
        )
    add_mark(folder, Mark(id, found.kind, right))
    return found


def _finding(row: dict[str, Any], marks: dict[str, Mark]) -> FoundHere:
    place = "\0".join(str(row[name]) for name in ("kind", "trajectory_id", "turn", "call"))
    id = blake2b(place.encode(), digest_size=5).hexdigest()
    mark = marks.get(id)
    return FoundHere(
        id,
        row["kind"],
        row["trajectory_id"],
        row["turn"],
        row["call"],
        row["evidence"] or "",
        mark.right if mark else None,
        row.get("detail"),
    )
