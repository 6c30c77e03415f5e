"""Whether a turn was written because of what the turns before it brought.

Takes an index, a call or a turn, and a batch of calls. A turn reacts when its text has a word that
a result of the batch showed first, when a call goes on with a file that the batch looked at, or
narrows a search down.
"""

from collections.abc import Mapping, Set

from agentdyno.findings.scheduling.at_hand import AtHand
from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import argument_tokens, tokens, weight
from agentdyno.matching.paths import paths_of, without_spans
from agentdyno.records.scheduling import CallEdge

SEARCHING = frozenset(["grep", "egrep", "fgrep", "rg", "ag", "ack", "find", "fd", "glob",
                       "git grep", "git log", "grep_search", "search_file_content"])  # fmt: skip
"""Tools and programs that look for words."""
MOST_SEARCHES = 20
"""Earlier calls that a search may narrow down."""


class Reactions:
    """What the turns of one trajectory say and go on with."""

    def __init__(
        self, index: Appearances, hand: AtHand, needs: Mapping[int, list[CallEdge]]
    ) -> None:
        self._index, self._hand, self._needs = index, hand, needs
        self._names: dict[int, set[str]] = {}

    def takes_up(self, place: int, batch: Set[int]) -> bool:
        """Whether a result of the batch speaks of what the call is about, or a search narrows down
        one that was made before: the model may have chosen it for that."""
        if any(edge.source in batch for edge in self._needs.get(place, ())):
            return True
        if self._stays(place, batch):
            return True
        return self._searches(place) and self._narrows(place, batch)

    def _narrows(self, place: int, batch: Set[int]) -> bool:
        calls, about = self._index.calls, self._about(place)
        return any(self._is_visible(token, batch) for token in about) or any(
            about & self._about(other)
            for other in range(max(0, place - MOST_SEARCHES), place)
            if self._searches(other) and calls[other].turn < calls[place].turn
        )

    def _stays(self, place: int, batch: Set[int]) -> bool:
        """Whether a call goes on with a file that the batch looked at or showed."""
        names = self._file_names(place)
        return bool(names) and (
            any(not names.isdisjoint(self._file_names(other)) for other in batch)
            or any(self._is_visible(name, batch) for name in names)
        )

    def _file_names(self, place: int) -> set[str]:
        """Names of the files that a call's arguments name; a batch's are asked for at each turn."""
        if place not in self._names:
            self._names[place] = {path.rpartition("/")[2] for path in self._paths(place)}
        return self._names[place]

    def _is_visible(self, token: str, batch: Set[int]) -> bool:
        """Whether a result of the batch holds a token."""
        parts, calls = self._index.parts, self._index.calls
        for place in self._index.where(token):
            call = parts[place].call
            if call is not None and call in batch and calls[call].result == place:
                return True
        return False

    def _paths(self, place: int) -> list[str]:
        """The files that a call's arguments name."""
        values = [value for value in self._index.arguments[place] if len(value) < 2_000]
        found = [path for value in values for path, _, _ in paths_of(value)]
        return [path for path in found if "." in path.rpartition("/")[2].strip(".")]

    def _about(self, place: int) -> set[str]:
        """What a search looks for, without the folders that it looks in."""
        values = self._index.arguments[place]
        return {
            token
            for value in values
            for token in argument_tokens(without_spans(value, paths_of(value)))
            if weight(token) >= 0.2 and "/" not in token
        }

    def _searches(self, place: int) -> bool:
        """Whether a call looks for words in files."""
        effect, tool = self._index.effects[place], self._index.calls[place].tool.lower()
        return tool in SEARCHING or not SEARCHING.isdisjoint(effect.programs)

    def reacts(self, turn: int, batch: Set[int], head: int) -> bool:
        """Whether what the turn says, before it calls, takes up what the batch brought."""
        stated = [self._index.parts[place] for place in self._index.spoken.get(turn, ())]
        return any(
            weight(token) > 0
            and self._hand.before(token, head) == "batch"
            and self._is_visible(token, batch)
            for part in stated
            for token in tokens(part.text[:4_000])
        )
