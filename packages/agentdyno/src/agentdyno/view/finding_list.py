"""Findings on the page: listed, and filtered by kind.

Reads the tables `patterns` and `failures` as they stand and opens no trace. An id is a digest of
the kind and the place, so that it stays the same when the ledger is measured again.
"""

from hashlib import blake2b
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.pipelines.derivations import PATTERNS
from agentdyno.pipelines.rederive import is_up_to_date
from agentdyno.records.failures import CHECKS, DOUBTFUL
from agentdyno.records.precision import how_often_right
from agentdyno.studies.tables import Tables
from agentdyno.view.session_list import root_of, sessions_of
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words

MOST_ROWS = 100


class ListedFinding(Struct, frozen=True):
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


def list_found(
    snapshot: Snapshot, kind: str = "", unproven: bool = False, offset: int = 0
) -> dict[str, Any]:
    """One page of the findings, with how many there are of each kind."""
    hidden = set() if unproven else set(unshown_patterns())
    visible = [finding for finding in _all(snapshot).values() if finding.kind not in hidden]
    kinds: dict[str, int] = {}
    for each in visible:
        kinds[each.kind] = kinds.get(each.kind, 0) + 1
    matching = [finding for finding in visible if kind in ("", finding.kind)]
    return {
        "generation": snapshot.generation,
        "kinds": [
            {"kind": clean_words(name), "is": name, "count": count, "right": how_often_right(name)}
            for name, count in sorted(kinds.items(), key=lambda each: -each[1])
        ],
        "unproven": len(_all(snapshot)) - len(visible),
        "derived": snapshot.once("searched", lambda: is_up_to_date(snapshot.ledger, PATTERNS)),
        "matching": len(matching),
        "rows": _describe(snapshot, matching[max(offset, 0) :][:MOST_ROWS]),
    }


def find_in(snapshot: Snapshot, tables: Tables, name: str) -> list[dict[str, Any]]:
    """The findings in one trajectory of some tables, unproven kinds left out."""
    hidden = set(unshown_patterns())
    findings = [finding for finding in find_findings(tables) if finding.trajectory_id == name]
    return _describe(snapshot, [finding for finding in findings if finding.kind not in hidden])


def _all(snapshot: Snapshot) -> dict[str, ListedFinding]:
    return snapshot.once(
        "findings", lambda: {finding.id: finding for finding in find_findings(snapshot.ledger)}
    )


def _describe(snapshot: Snapshot, findings: list[ListedFinding]) -> list[dict[str, Any]]:
    titles = snapshot.once("titles", lambda: dict(sessions_of(snapshot)["id", "title"].iter_rows()))
    return [
        {
            "id": finding.id,
            "kind": clean_words(finding.kind),
            "trajectory": finding.trajectory_id,
            "title": clean_words(titles.get(root_of(snapshot, finding.trajectory_id))),
            "turn": finding.turn,
            "call": finding.call,
            "evidence": clean_words(finding.evidence, 300),
            "detail": clean_words(finding.detail, 300),
        }
        for finding in findings
    ]


def find_findings(ledger: Tables) -> list[ListedFinding]:
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


def _build_finding(row: dict[str, Any]) -> ListedFinding:
    key = "\0".join(str(row[name]) for name in ("kind", "trajectory_id", "turn", "call"))
    return ListedFinding(
        blake2b(key.encode(), digest_size=5).hexdigest(),
        row["kind"],
        row["trajectory_id"],
        row["turn"],
        row["call"],
        row["evidence"] or "",
        row.get("detail"),
    )
