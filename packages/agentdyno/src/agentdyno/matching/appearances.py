"""All positions of every token in a trajectory, not only the first.

Takes a trajectory, returns an index over its parts: who said what when, and who brought a value in.
A value that the user, the system prompt or a schema gave, or that the model wrote of itself, came
from no result. Linear in the text; nothing is compared pair by pair.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from agentdyno.matching.distinct_tokens import (
    argument_tokens,
    find_shared_tokens,
    tokens,
    value_lines,
)
from agentdyno.matching.effects import Effect, effect_of
from agentdyno.matching.failing import has_failed
from agentdyno.matching.values.leaves import named_values, read_json
from agentdyno.records import Part, Trajectory

POSITIONS = frozenset(
    """offset limit head_limit line start_line end_line view_range timeout context page page_size
    -a -b -c -n -A -B -C""".split()
)
"""Arguments whose numbers say where or how much to look, and name nothing."""
SHORTEST_TEXT = 200
"""Characters of an argument that is a text of its own, even on one line."""
MOST_ORIGINS = 8
"""Places of one line that are remembered."""
SHORTEST_LINE = 16
"""Characters of a line that is too long to agree by chance."""


MOST_PARTS = 2_000
"""Parts of the trajectories whose indices are remembered; one trajectory may have more."""


class _Recent:
    """The latest indices: detectors and schedules ask for the same ones after each other."""

    by_identity: ClassVar["dict[int, Appearances]"] = {}
    """An entry holds its trajectory, so that nothing else can have that identity."""
    parts = 0
    """Of all trajectories in there."""


def appearances(trajectory: Trajectory) -> "Appearances":
    """The index of a trajectory; the latest ones are remembered."""
    index = _Recent.by_identity.get(id(trajectory))
    if index is None:
        index = Appearances(trajectory)
        if _Recent.parts + len(index.parts) > MOST_PARTS:
            _Recent.by_identity.clear()
            _Recent.parts = 0
        _Recent.by_identity[id(trajectory)] = index
        _Recent.parts += len(index.parts)
    return index


def group_remembered(trajectories: Iterable[Trajectory]) -> Iterator[list[Trajectory]]:
    """Groups of trajectories whose indices are remembered at once, in order: who asks twice for
    each of a group has each made once."""
    some: list[Trajectory] = []
    parts = 0
    for trajectory in trajectories:
        if some and parts + len(trajectory.parts) > MOST_PARTS:
            yield some
            some, parts = [], 0
        some.append(trajectory)
        parts += len(trajectory.parts)
    if some:
        yield some


class Origin(NamedTuple):
    """The part that brought a token in."""

    part: int
    """Index into `Trajectory.parts`."""
    call: int | None
    """The call whose result it is; None when it came otherwise."""


class Appearances:
    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        # Looked up at every turn of every rule below: plain tuples answer soonest.
        self.parts = tuple(trajectory.parts)
        self.calls = tuple(trajectory.calls)
        self._leaves: set[str] = set()
        self._lows: dict[int, str] = {}

    @cached_property
    def _texts(self) -> list[str]:
        """Per part: its text as it is compared, JSON without its signs."""
        return [self._text(part) for part in self.parts]

    @cached_property
    def held(self) -> list[Set[str]]:
        """Per part: its tokens."""
        return [*map(self._tokens, self.parts, self._texts)]

    @cached_property
    def last_written(self) -> dict[str, int]:
        """Token -> the last turn that wrote it (texts, reasoning, requests)."""
        turn_of_token: dict[str, int] = {}
        for turn, places in sorted(self.parts_of_turns.items()):
            for position in places:
                turn_of_token.update(dict.fromkeys(self.held[position], turn))
        return turn_of_token

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        """Token -> the parts that hold it, in order. Only for tokens that the model wrote: others
        are hardly ever looked up, and results hold many."""
        positions: dict[str, list[int]] = {token: [] for token in self.last_written}
        written = set(positions)
        for index, part_tokens in enumerate(self.held):
            for token in written & part_tokens:
                positions[token].append(index)
        return positions

    @cached_property
    def brought(self) -> dict[int, list[str]]:
        """Part -> the tokens that it was the first to hold, of those that the model wrote."""
        first_held: dict[int, list[str]] = {}
        for token in self.last_written:
            first_held.setdefault(self._places[token][0], []).append(token)
        return first_held

    def where(self, token: str) -> Sequence[int]:
        """The parts that hold a token, in order."""
        if (positions := self._places.get(token)) is None:
            positions = [
                index for index, part_tokens in enumerate(self.held) if token in part_tokens
            ]
            self._places[token] = positions
        return positions

    def low(self, index: int) -> str:
        """A part's text in lower case."""
        if (text := self._lows.get(index)) is None:
            text = self._lows[index] = self.parts[index].text.lower()
        return text

    def _text(self, part: Part) -> str:
        if part.kind == "request" and part.call is not None:
            return "\n".join(self.arguments[part.call])
        if part.kind == "result" and part.text.lstrip()[:1] in ("{", "["):
            return self._json_text(part.text)
        return part.text

    def _json_text(self, text: str) -> str:
        """A result that may be JSON as text; its values are noted on the way."""
        decoded = read_json(text)
        if isinstance(decoded, str):
            return text
        values = named_values(decoded)
        self._leaves.update(v.lower() for _, v in values if isinstance(v, str) and 2 < len(v) <= 60)
        return "\n".join(value_lines(values))

    def _tokens(self, part: Part, text: str) -> Set[str]:
        if part.kind in ("system", "schema"):
            return find_shared_tokens(text)
        if part.kind == "request" and part.call is not None:
            return argument_tokens(text)
        return tokens(text, dates=part.kind != "result")

    @cached_property
    def decoded(self) -> list[Any]:
        """Per call: its arguments as JSON, or as they are."""
        return [read_json(call.arguments) for call in self.calls]

    @cached_property
    def arguments(self) -> list[tuple[str, ...]]:
        """Per call: the values of its arguments as texts."""
        return [tuple(decode_values(value)) for value in self.decoded]

    @cached_property
    def asked(self) -> list[frozenset[str]]:
        """Per call: the values of its arguments in lower case."""
        return [frozenset(map(str.lower, values)) for values in self.arguments]

    @cached_property
    def failed(self) -> list[bool]:
        """Per call: whether it did not do what it was asked to."""
        texts = ("" if c.result is None else self.parts[c.result].text for c in self.calls)
        return [*map(has_failed, self.calls, texts)]

    @cached_property
    def effects(self) -> list[Effect]:
        """Per call: what it does."""
        schemas: dict[str | None, str] = {}
        for part in self.parts:
            if part.kind == "schema":
                schemas.setdefault(part.name, part.text)
        pairs = zip(self.calls, self.decoded, strict=True)
        return [effect_of(call.tool, value, schemas.get(call.tool)) for call, value in pairs]

    def origin(self, token: str, turn: int) -> Origin | None:
        """The first part that held the token and that the turn had seen; None when none did.

        What the turn itself wrote before its calls is no origin.
        """
        for index in self.where(token):
            part = self.parts[index]
            if part.made is not None and part.made >= turn:
                return None
            if part.enters is not None and part.enters > turn:
                continue
            return Origin(index, part.call if part.kind == "result" else None)
        return None

    def count(self, token: str) -> int:
        """In how many parts it stands."""
        return len(self.where(token))

    @cached_property
    def lines(self) -> dict[str, list[Origin]]:
        """Lines of longer arguments -> the results, user messages and requests that showed them,
        the first ones."""
        expected: dict[str, list[Origin]] = {
            line: []
            for values in self.arguments
            for value in values
            if "\n" in value or len(value) > SHORTEST_TEXT
            for line in text_lines(value)
        }
        if not expected:
            return {}
        for index, part in enumerate(self.parts):
            if part.kind in ("system", "schema"):
                continue
            origin = Origin(index, part.call if part.kind == "result" else None)
            for line in expected.keys() & _whole_lines(self._texts[index]):
                if len(origins := expected[line]) < MOST_ORIGINS:
                    origins.append(origin)
        return expected

    def sources(self, token: str, turn: int) -> list[int]:
        """The calls whose results brought a token in before a turn: the first and the latest.

        None when somebody gave it, or the model wrote it, before any result showed it. A result
        that only repeats what its own request said brought nothing.
        """
        origin = self.origin(token, turn)
        if origin is None or origin.call is None:
            return []
        calls = [origin.call] if self.calls[origin.call].turn < turn else []
        for index in reversed(self.where(token)):
            part = self.parts[index]
            if part.kind != "result" or part.call is None or self.calls[part.call].turn >= turn:
                continue
            request = self.calls[part.call].request
            if request is None or token not in self.held[request]:
                return list(dict.fromkeys([*calls, part.call]))
        return calls

    @cached_property
    def leaves(self) -> set[str]:
        """Whole values of results that are JSON, as tokens: names, symbols, ids without digits."""
        _ = self._texts  # Results are decoded once, for both.
        return self._leaves

    @cached_property
    def spoken(self) -> dict[int, list[int]]:
        """Turn -> the parts with its texts and reasoning."""
        parts: dict[int, list[int]] = {}
        for index, part in enumerate(self.parts):
            if part.made is not None and part.kind in ("text", "reasoning") and part.text.strip():
                parts.setdefault(part.made, []).append(index)
        return parts

    @cached_property
    def parts_of_turns(self) -> dict[int, list[int]]:
        """Turn -> the parts that it wrote: texts, reasoning, requests."""
        parts: dict[int, list[int]] = {}
        for index, part in enumerate(self.parts):
            if part.made is not None:
                parts.setdefault(part.made, []).append(index)
        return parts

    @cached_property
    def tools_of_turns(self) -> dict[int, set[str]]:
        """Turn -> the tools that it called."""
        tools: dict[int, set[str]] = {}
        for call in self.calls:
            tools.setdefault(call.turn, set()).add(call.tool)
        return tools

    @cached_property
    def hidden_after(self) -> int:
        """The last turn whose reasoning was not written down; -1 when none is known of."""
        turns = (p.made for p in self.parts if p.kind == "reasoning" and not p.text)
        return max((turn for turn in turns if turn is not None), default=-1)


def decode_values(arguments: Any) -> Iterator[str]:
    """The values of a call's arguments as texts; truths and nulls say nothing."""
    for name, value in named_values(arguments):
        if value is None or isinstance(value, bool):
            continue
        if name in POSITIONS and isinstance(value, int | float):
            continue
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            value = int(value)
        yield str(value)


_WITHOUT_LETTERS = re.compile(r"[\W\d_]*\Z").match


def _whole_lines(text: str) -> set[str]:
    """Every line of a text as `text_lines` has it, and shorter ones among them."""
    lines = map(str.strip, text.split("\n"))
    return set(map(_without_number, lines) if "→" in text or "\t" in text else lines)


def text_lines(text: str) -> Iterator[str]:
    """Lines long enough to be recognised, without indentation and line numbers of a viewer."""
    for line in map(_without_number, map(str.strip, text.split("\n"))):
        if len(line) >= SHORTEST_LINE and not _WITHOUT_LETTERS(line):
            yield line


def _without_number(line: str) -> str:
    if "→" in line[:12]:
        return line.partition("→")[2].strip()
    if "\t" in line[:9] and line[:1].isdigit():
        return line.partition("\t")[2].strip()
    return line
