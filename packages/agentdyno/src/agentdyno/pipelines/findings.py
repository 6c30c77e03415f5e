"""The findings of a ledger, each with an id.

Reads the tables `patterns` and `failures` as they stand and opens no
trace. An id is a digest of the kind and the place, so that it stays the same when the ledger is
measured again.
"""

from hashlib import blake2b
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.records.failures import CHECKS, DOUBTFUL
from agentdyno.studies.tables import Tables


class FoundHere(Struct, frozen=True):
    """One finding of a ledger."""

    id: str
    """A digest of the kind and the place."""
    kind: str
    """The pattern or the check that found it."""
    trajectory_id: str
    turn: int | None
    """The turn that shows it; None when a check speaks of the trajectory."""
    call: int | None
    """The call within that turn; None when it is no single call's."""
    evidence: str
    """The span that shows it."""
    detail: str | None = None
    """What is wrong there, in words; None where the evidence says all."""


def find_findings(ledger: Tables) -> list[FoundHere]:
    """Every finding, in the order of the tables."""
    rows: list[dict[str, Any]] = []
    if ledger.has("patterns"):
        rows += ledger.read("patterns").rename({"pattern": "kind"}).to_dicts()
    if ledger.has("failures"):
        doubts = pl.col("rule").is_in(CHECKS) & (pl.col("label") == DOUBTFUL)
        rows += (
            ledger.read("failures").filter(doubts).drop("kind").rename({"rule": "kind"}).to_dicts()
        )
    return list({finding.id: finding for finding in map(_build_finding, rows)}.values())


def _build_finding(row: dict[str, Any]) -> FoundHere:
    key = "\0".join(str(row[name]) for name in ("kind", "trajectory_id", "turn", "call"))
    return FoundHere(
        blake2b(key.encode(), digest_size=5).hexdigest(),
        row["kind"],
        row["trajectory_id"],
        row["turn"],
        row["call"],
        row["evidence"] or "",
        row.get("detail"),
    )
