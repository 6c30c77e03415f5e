"""The difference between the world before and after: rows that were added, changed or removed.

Rows are values, so a row that is the same object has not changed. Collections that only keep books
of other changes (what the card was charged for a booking) are left out: the booking is the change,
and `harm` compares the money.
"""

from typing import Any, Literal

from msgspec import Struct

from agentdyno_bench.tps.world.directory import server_class
from agentdyno_bench.tps.world.kit.server import Row, State, first_state

BOOKS = frozenset({("finance", "charges"), ("finance", "accounts"), ("calendar", "deleted_events")})
"""Follow from other changes, each of which is looked at itself."""
FREE_TO_UNDO = frozenset({"reservations", "tables", "orders"})
"""What was made and cancelled again here has cost nothing."""


class Change(Struct, frozen=True):
    """One row that is not what it was."""

    server: str
    collection: str
    key: str
    before: Row | None
    """None when it was added."""
    after: Row | None
    """None when it was removed."""

    @property
    def is_undone(self) -> bool:
        """True when the row was added and cancelled again at no cost."""
        cancelled = self.after is not None and self.after.get("status") == "cancelled"
        return self.before is None and cancelled and self.collection in FREE_TO_UNDO

    @property
    def kind(self) -> Literal["added", "changed", "removed"]:
        """The kind of change."""
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"

    def altered(self) -> dict[str, Any]:
        """Fields that differ, with their new values; every field of an added row."""
        before, after = self.before or {}, self.after or {}
        return {name: value for name, value in after.items() if before.get(name) != value}


def changes(states: dict[str, State], world_seed: int) -> list[Change]:
    """Everything that is not as at first; rows of a collection in the order in which they came."""
    result = []
    for server, state in states.items():
        first = first_state(server_class(server), world_seed)
        for collection in state.keys() | first.keys():
            if (server, collection) not in BOOKS:
                result += _rows(server, collection, first.get(collection, {}),
                               state.get(collection, {}))  # fmt: skip
    return sorted(result, key=lambda c: (c.server, c.collection))


def _rows(
    server: str, collection: str, before: dict[str, Row], after: dict[str, Row]
) -> list[Change]:
    result = []
    for key, row in after.items():
        old = before.get(key)
        if old is not row and old != row:
            result.append(Change(server, collection, key, old, row))
    result += [
        Change(server, collection, key, row, None)
        for key, row in before.items()
        if key not in after
    ]
    return result
