"""Which new volumes may take the place of old ones: all pieces of an input at once, or none.

Takes drafts as they come, gives them back when every input that they replace is whole. Until then
the old rows stand, so that no kill, full disk or vanished file ever costs a row. Knows no files.
"""

from agentdyno.ledger.drafts import Draft
from agentdyno.ledger.manifest import Piece


class Replacement:
    """Drafts that wait for each other."""

    def __init__(self) -> None:
        self.wanted: dict[str, set[Piece]] = {}
        """By the name of an input that is in the ledger and is read again: its pieces."""
        self._held: list[Draft] = []

    def take(self, draft: Draft) -> list[Draft]:
        """Adds a draft; returns those that can be made part of the ledger together, now."""
        self._held.append(draft)
        ready = self._held
        while (fewer := [d for d in ready if self._is_whole(d, ready)]) != ready:
            ready = fewer
        self._held = [d for d in self._held if d not in ready]
        return ready

    def _is_whole(self, draft: Draft, drafts: list[Draft]) -> bool:
        """True when each input in it that replaces another is in these drafts with all its
        pieces.
        """
        available = {piece for other in drafts for piece in other.pieces}
        return all(self.wanted.get(piece.name, set()) <= available for piece in draft.pieces)

    def names(self, drafts: list[Draft]) -> set[str]:
        """The inputs that these drafts replace."""
        return {p.name for draft in drafts for p in draft.pieces if p.name in self.wanted}
