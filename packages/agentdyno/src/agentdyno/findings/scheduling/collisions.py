"""Whether calls may stand side by side: one writes what another touches, or nobody can say.

Takes an index and two sets of calls. Tests, linters and builds run code but leave the sources as
they are, so they stand beside each other and beside readings, and not beside an edit. Entries of a
task list that are made anew do not touch each other.
"""

from collections.abc import Iterable, Sequence, Set
from functools import cached_property

from msgspec import structs

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import argument_tokens, weight
from agentdyno.matching.effects import Effect, conflict
from agentdyno.matching.effects.calls import NOTES
from agentdyno.matching.effects.effect import ANYTHING

_ADDING = ("create", "add")
"""Words in the name of a tool that makes a new entry."""


class Collisions:
    """What the calls of one trajectory touch."""

    def __init__(self, index: Appearances) -> None:
        self._index = index
        self._effects = [_tame(effect) for effect in index.effects]

    def collide(self, mine: Iterable[int], batch: Set[int], writers: Sequence[int]) -> bool:
        """Whether one writes what another touches, for all that can be seen; `writers` are those of
        the batch that may write.

        Of a tool that is only known by its name, nobody knows what it touches: it collides with
        calls that name the same thing.
        """
        return any(
            self._collides(a, b) for b in mine for a in (batch if self.writes(b) else writers)
        )

    def _collides(self, before: int, after: int) -> bool:
        first, second = self._effects[before], self._effects[after]
        if conflict(first, second) is None:
            return False
        if NOTES in first.writes and NOTES in second.writes:
            return not (self._adds(before) and self._adds(after))
        if "named" not in (first.certainty, second.certainty):
            return True
        named = self._heavy[before] & self._heavy[after]
        return bool(named) or self._index.calls[before].tool == self._index.calls[after].tool

    def _adds(self, position: int) -> bool:
        return any(word in self._index.calls[position].tool.lower() for word in _ADDING)

    @cached_property
    def _heavy(self) -> list[set[str]]:
        """Per call: what its arguments name."""
        texts = ["\n".join(values) for values in self._index.arguments]
        return [{t for t in argument_tokens(text) if weight(t) >= 0.4} for text in texts]

    def writes(self, position: int) -> bool:
        """Whether the call changes anything; a check does not."""
        return self._effects[position].may_write

    def is_check(self, position: int) -> bool:
        """Whether it is a test, a linter or a build."""
        return self._index.effects[position].checks

    def is_note(self, position: int) -> bool:
        """Whether it only keeps the agent's own notes."""
        return NOTES in self._effects[position].writes

    def reports(self, position: int) -> bool:
        """Whether a note says that something is done."""
        return "completed" in self._index.calls[position].arguments

    def is_plain_edit(self, position: int) -> bool:
        """Whether a tool for files says which files it changes, and changes nothing else."""
        effect = self._effects[position]
        return (
            effect.certainty == "declared"
            and bool(effect.writes)
            and not {NOTES, ANYTHING} & set(effect.writes)
        )

    def is_declared(self, position: int) -> bool:
        """Whether its arguments alone say what it touches."""
        return self._effects[position].certainty == "declared"

    def waits(self, position: int) -> bool:
        """Whether it only lets time pass."""
        return self._effects[position].action == "waits"


def _tame(effect: Effect) -> Effect:
    """A check as the reading of everything that it is for its neighbours."""
    if not effect.checks:
        return effect
    return structs.replace(effect, action="reads", reads=(ANYTHING,), writes=())
