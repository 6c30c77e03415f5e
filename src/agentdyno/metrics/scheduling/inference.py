"""Dependencies read off the values: an argument that an earlier result showed first.

A call depends on an earlier one when a value of its arguments stands in that call's result and
nowhere before it: not in the prompt, a schema, an answer or another request. Values are whole
arguments, or, where a whole argument is found nowhere, what it quotes: words that hold a digit (an
id within a sentence) and values of results of two words or more. Letters count as they are written,
numbers as values; shorter ones than three characters tell nothing.

What it cannot see: values that were worked out from results, and calls that were chosen because of
a result without quoting it. Such edges are missing; edges found are labelled inferred. Precision
and recall on tasks whose graph is known are in the findings.

Worked: "book the cheapest flight to Rome": search(to="Rome") -> {"id": "NW412"}; book(id="NW412").
"Rome" stands in the prompt, "NW412" first in the first result: one edge, from search to book.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from agentdyno.records import Trajectory, printable
from agentdyno.records.scheduling import CallEdge

SHORTEST = 3
LONGEST = 400
"""A longer argument is a text, of which only words with digits are looked at."""
_WORD = re.compile(r"[\w@.+-]*\w")
SHARED = ("system", "schema")
"""Kinds of parts that many trajectories have in common."""
_ZEROS = re.compile(r"(?<=\d)\.0+$|(?<=\.\d)0+$|(?<=\.\d\d)0+$")


def infer_edges(trajectory: Trajectory) -> list[CallEdge]:
    """Every dependency that the values give away, each pair of calls once."""
    if len({call.turn for call in trajectory.calls}) < 2:
        return []  # Only a later turn can have seen a result.
    index = _Index(trajectory)
    edges: dict[tuple[int, int], CallEdge] = {}
    for target, call in enumerate(trajectory.calls):
        for value in argument_values(call.arguments):
            for found in index.origins(value, call.turn):
                edges.setdefault((found, target), CallEdge(found, target, printable(value, 60)))
    return list(edges.values())


def argument_values(arguments: str) -> Iterator[str]:
    """The values of a call's arguments as texts that are long enough to tell something."""
    for leaf in argument_leaves(arguments):
        text = _written(leaf)
        if len(text) >= SHORTEST:
            yield text


def argument_leaves(arguments: str) -> Iterator[Any]:
    """The values of a call's arguments; names of arguments come from the schema."""
    try:
        value = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        value = arguments
    return _leaves(value)


def _leaves(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        elif item is not None and not isinstance(item, bool):
            yield item


def _written(leaf: Any) -> str:
    """Numbers as results write them: 2310.0 is 2310."""
    if isinstance(leaf, float) and leaf.is_integer() and abs(leaf) < 1e15:
        return str(int(leaf))
    return str(leaf)


class _Index:
    """Where every word of a trajectory stands first."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._parts = trajectory.parts
        self._calls = trajectory.calls
        self._texts = [part.text for part in trajectory.parts]
        self._first: dict[str, int] = {}
        self._phrases: dict[str, list[str]] = {}
        for place, text in enumerate(self._texts):
            shared = trajectory.parts[place].kind in SHARED
            words = _shared_words(text) if shared else set(_words(text))
            self._first.update(dict.fromkeys(words - self._first.keys(), place))
            if trajectory.parts[place].kind == "result":
                self._keep_phrases(text)

    def _keep_phrases(self, text: str) -> None:
        """Values of a result that somebody may quote within a sentence, by their first word."""
        try:
            value = msgspec.json.decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return
        for leaf in _leaves(value):
            if isinstance(leaf, str) and " " in leaf and len(leaf) <= LONGEST:
                words = _words(leaf)
                if words:
                    self._phrases.setdefault(words[0], []).append(leaf)

    def origins(self, value: str, turn: int) -> list[int]:
        """The calls of earlier turns whose results showed the value, or what it quotes, first."""
        if len(value) <= LONGEST:
            place = self._first_place(value)
            if place is not None and self._is_before(place, turn):
                found = self._call_of(place, turn)
                return [] if found is None else [found]
        calls = [self._call_of(p, turn) for p in self._quoted(value) if p is not None]
        return list(dict.fromkeys(c for c in calls if c is not None))

    def _quoted(self, value: str) -> Iterator[int | None]:
        words = dict.fromkeys(_words(value))
        for word in words:
            if len(word) > SHORTEST and any(c.isdigit() for c in word):
                yield self._first.get(word)
            for phrase in self._phrases.get(word, ()):
                if phrase in value:
                    yield self._first_place(phrase)

    def _first_place(self, value: str) -> int | None:
        words = _words(value)
        if not words or any(word not in self._first for word in words):
            return None
        # No text before holds all of the words, so the search can start there.
        start = max(self._first[word] for word in words)
        if len(words) == 1:
            return start
        return next((p for p in range(start, len(self._texts)) if value in self._texts[p]), None)

    def _is_before(self, place: int, turn: int) -> bool:
        made = self._parts[place].made
        return made is None or made < turn

    def _call_of(self, place: int, turn: int) -> int | None:
        """The call whose result this part is, if that is an earlier one."""
        part = self._parts[place]
        if part.kind != "result" or part.call is None:
            return None
        return part.call if self._calls[part.call].turn < turn else None


@lru_cache(maxsize=256)
def _shared_words(text: str) -> frozenset[str]:
    """Trajectories of a setting begin with the same prompt and schemas."""
    return frozenset(_words(text))


def _words(text: str) -> list[str]:
    """Words, with numbers in their shortest form: 2310.0 is 2310, 8.50 is 8.5."""
    found: list[str] = _WORD.findall(text)
    if "." not in text:
        return found
    return [_ZEROS.sub("", word) if "." in word else word for word in found]
