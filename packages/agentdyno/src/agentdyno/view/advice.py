"""Levers on the page: what to change in a ledger or in one session, with the evidence for it.

Takes a snapshot, returns what `studies.levers` finds, with the command that computes the same.
"""

from typing import Any

import msgspec

from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.view.session import read_tree
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words


def list_levers(snapshot: Snapshot, name: str = "") -> dict[str, Any]:
    """The levers of the ledger, or of the session that a trajectory belongs to."""
    return snapshot.once(("levers", name), lambda: _list(snapshot, name))


def _list(snapshot: Snapshot, name: str) -> dict[str, Any]:
    context = ReportContext(read_tree(snapshot, name)) if name else snapshot.context
    levers = [msgspec.to_builtins(lever) for lever in find_levers(context)]
    return {
        "generation": snapshot.generation,
        "unit": context.unit,
        "levers": [
            lever | {"where": [clean_words(location, 60) for location in lever["where"][:12]]}
            for lever in levers
        ],
    }
