"""What the model had at hand before a batch of calls: an index in, words of arguments by where they
came from out.

A word is at hand when the prompt, an earlier result, an earlier request or the first turn of the
batch itself named it; it came with the batch when a result of the batch showed it first; else it is
new, and the model thought of it.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import COMMON, argument_tokens, weight
from agentdyno.matching.effects import shell_line
from agentdyno.matching.paths import paths_of, without_spans

LONGEST = 400
"""Characters of an argument in which files are looked for."""


_AMOUNTS = re.compile(r"(?<=\s)-{1,2}[A-Za-z-]*[ =]?\d+\b|\d?>&?\d\b")
"""`head -50`, `grep -A 10`, `2>&1`: how much is shown, and where."""


class AtHand:
    """What was named when, in one trajectory."""

    def __init__(self, index: Appearances) -> None:
        self._index = index

    def before(self, token: str, head: int) -> Literal["before", "batch"] | None:
        """Whether it was at hand before the head of a batch wrote, came in with the batch, or was
        never named."""
        if not (places := self._index.where(token)):
            return None
        part = self._index.parts[places[0]]
        if part.made is not None:
            # What the head itself wrote with its calls is at hand for its other calls.
            return "before" if part.made <= head else None
        if part.enters is not None and part.enters <= head:
            return "before"
        return "batch" if part.kind == "result" else "before"

    def new_words(self, places: Iterable[int], head: int) -> set[str] | None:
        """Words of the calls' arguments that nobody had named before the batch; None when one of
        them stands first in a result of the batch, or is a figure that may have been worked out."""
        new: set[str] = set()
        for place in places:
            for token in self._name(place, head):
                if token in COMMON or (len(token) < 3 and not token.isdigit()):
                    continue
                origin = self.before(token, head)
                if origin == "batch" or (origin is None and token.isdigit()):
                    return None
                if origin is None and (weight(token) > 0 or len(token) > 3):
                    new.add(token)
        return new

    def takes_from(self, places: Iterable[int], head: int) -> bool:
        """Whether the calls' arguments hold anything that a result of the batch showed first."""
        return any(
            self.before(token, head) == "batch"
            for place in places
            for token in self._name(place, head)
            if token not in COMMON and (len(token) > 3 or weight(token) > 0)
        )

    def _name(self, position: int, head: int) -> set[str]:
        """What a call's arguments name, without paths whose file was known before the batch."""
        found: set[str] = set()
        for value in self._values(position):
            known = [p for p in paths_of(value) if self._is_known(p[0], head)]
            found |= argument_tokens(without_spans(value, known), dates=True)
        return found

    def _values(self, position: int) -> list[str]:
        """The arguments; of a shell line neither what it is said to do, nor how much it shows."""
        decoded, line = self._index.decoded[position], shell_line(self._index.decoded[position])
        if line is None:
            return list(self._index.arguments[position])
        stated = decoded.get("description")
        values = [value for value in self._index.arguments[position] if value != stated]
        return [_AMOUNTS.sub(" ", value) for value in values]

    def _is_known(self, path: str, head: int) -> bool:
        """Whether a result, a request or the user had named the file before the batch, or a request
        had named a file in that folder."""
        if self._folders.get(path.rstrip("/"), head + 1) <= head:
            return True
        ends = dict.fromkeys([path, "/".join(path.split("/")[-2:])])
        return any(self.before(end.lstrip("."), head) == "before" for end in ends)

    @cached_property
    def _folders(self) -> dict[str, int]:
        """Folder -> the first turn that asked for a file in it."""
        found: dict[str, int] = {}
        for call, values in zip(self._index.calls, self._index.arguments, strict=True):
            for value in values:
                for path, _, _ in paths_of(value[:LONGEST]):
                    above = path.rpartition("/")[0]
                    while above and found.setdefault(above, call.turn) == call.turn:
                        above = above.rpartition("/")[0]
        return found
