"""Levers on the page: what to change in a ledger, with the evidence for it.

Takes a snapshot, returns what `studies.levers` finds.
"""

from typing import Any

import msgspec

from agentdyno.studies.levers import find_levers
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words


def list_levers(snapshot: Snapshot) -> dict[str, Any]:
    """The levers of the ledger."""
    return snapshot.once("levers", lambda: _list(snapshot))


def _list(snapshot: Snapshot) -> dict[str, Any]:
    context = snapshot.context
    levers = [msgspec.to_builtins(lever) for lever in find_levers(context)]
    return {
        "generation": snapshot.generation,
        "unit": context.unit,
        "levers": [
            lever | {"where": [clean_words(location, 60) for location in lever["where"][:12]]}
            for lever in levers
        ],
    }
