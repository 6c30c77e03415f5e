"""Findings on the page: listed, and filtered by kind."""

from typing import Any

from agentdyno.findings.patterns import unshown_patterns
from agentdyno.pipelines.derivations import PATTERNS
from agentdyno.pipelines.findings import FoundHere, find_findings
from agentdyno.pipelines.rederive import is_up_to_date
from agentdyno.records.precision import how_often_right
from agentdyno.studies.tables import Tables
from agentdyno.view.session_list import root_of, sessions_of
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words

MOST_ROWS = 100


def list_found(
    snapshot: Snapshot, kind: str = "", unproven: bool = False, offset: int = 0
) -> dict[str, Any]:
    """One page of the findings, with how many there are of each kind."""
    hidden = set() if unproven else set(unshown_patterns())
    found = [each for each in _all(snapshot).values() if each.kind not in hidden]
    kinds: dict[str, int] = {}
    for each in found:
        kinds[each.kind] = kinds.get(each.kind, 0) + 1
    chosen = [each for each in found if kind in ("", each.kind)]
    return {
        "generation": snapshot.generation,
        "kinds": [
            {"kind": clean_words(name), "is": name, "count": count, "right": how_often_right(name)}
            for name, count in sorted(kinds.items(), key=lambda each: -each[1])
        ],
        "unproven": len(_all(snapshot)) - len(found),
        "derived": snapshot.once("searched", lambda: is_up_to_date(snapshot.ledger, PATTERNS)),
        "matching": len(chosen),
        "rows": _describe(snapshot, chosen[max(offset, 0) :][:MOST_ROWS]),
    }


def find_in(snapshot: Snapshot, tables: Tables, name: str) -> list[dict[str, Any]]:
    """The findings in one trajectory of some tables, unproven kinds left out."""
    hidden = set(unshown_patterns())
    found = [finding for finding in find_findings(tables) if finding.trajectory_id == name]
    return _describe(snapshot, [each for each in found if each.kind not in hidden])


def _all(snapshot: Snapshot) -> dict[str, FoundHere]:
    return snapshot.once(
        "findings", lambda: {finding.id: finding for finding in find_findings(snapshot.ledger)}
    )


def _describe(snapshot: Snapshot, findings: list[FoundHere]) -> list[dict[str, Any]]:
    titles = snapshot.once("titles", lambda: dict(sessions_of(snapshot)["id", "title"].iter_rows()))
    return [
        {
            "id": each.id,
            "kind": clean_words(each.kind),
            "trajectory": each.trajectory_id,
            "title": clean_words(titles.get(root_of(snapshot, each.trajectory_id))),
            "turn": each.turn,
            "call": each.call,
            "evidence": clean_words(each.evidence, 300),
            "detail": clean_words(each.detail, 300),
        }
        for each in findings
    ]
