"""A trajectory laid out for the detectors: who said what when, each text looked at once.

Enters a `Trajectory`, leaves views of it that are worked out when first asked for. Knows nothing of
any pattern.
"""

from functools import cached_property
from typing import Any

import msgspec

from agentdyno.metrics.patterns.effects import Effect, effect_of
from agentdyno.metrics.patterns.options import PatternOptions
from agentdyno.metrics.patterns.words import words, written_words
from agentdyno.records import Part, ToolCall, Trajectory

BROKEN = object()
"""Stands for arguments that should be JSON and are not."""

_DECODER = msgspec.json.Decoder()
_ENCODER = msgspec.json.Encoder(order="sorted")


class Reading:
    """Views of one trajectory."""

    def __init__(self, trajectory: Trajectory, options: PatternOptions) -> None:
        self.trajectory = trajectory
        self.calls = trajectory.calls
        self.options = options

    def result(self, call: ToolCall) -> Part | None:
        """What came back; None when nothing is recorded."""
        return None if call.result is None else self.trajectory.parts[call.result]

    def family(self, call: ToolCall) -> str | None:
        """The family of the call's tool."""
        return self.options.families.of(call.tool)

    @cached_property
    def said(self) -> list[list[Part]]:
        """Per turn: the texts and the reasoning that it decoded."""
        by_turn: list[list[Part]] = [[] for _ in self.trajectory.turns]
        for part in self.trajectory.parts:
            if part.made is not None and part.text and part.kind in ("text", "reasoning"):
                by_turn[part.made].append(part)
        return by_turn

    @cached_property
    def calls_by_turn(self) -> list[list[ToolCall]]:
        """Per turn: its calls."""
        by_turn: list[list[ToolCall]] = [[] for _ in self.trajectory.turns]
        for call in self.calls:
            by_turn[call.turn].append(call)
        return by_turn

    @cached_property
    def schemas(self) -> dict[str, list[Part]]:
        """Offered tools by name; empty when the trace shows none."""
        offered: dict[str, list[Part]] = {}
        for part in self.trajectory.parts:
            if part.kind == "schema":
                offered.setdefault(part.name or "", []).append(part)
        return offered

    @cached_property
    def arguments(self) -> list[Any]:
        """Per call: its arguments decoded; text that claims to be no JSON stays as it is."""
        return [decoded(call.arguments) for call in self.calls]

    @cached_property
    def keys(self) -> list[tuple[str, bytes]]:
        """Per call: tool and arguments such that the order of properties does not matter."""
        pairs = zip(self.calls, self.arguments, strict=True)
        return [(call.tool, _canonical(call.arguments, value)) for call, value in pairs]

    @cached_property
    def effects(self) -> list[Effect]:
        """Per call: what it may have done to the world."""
        pairs = zip(self.calls, self.arguments, strict=True)
        return [effect_of(call.tool, value) for call, value in pairs]

    @cached_property
    def prompts(self) -> list[int]:
        """The turns that got something new from the user, in order."""
        parts = self.trajectory.parts
        return sorted({p.enters for p in parts if p.kind == "user" and p.enters is not None})

    @cached_property
    def last_said(self) -> dict[bytes, int]:
        """Every word that the model wrote, with the last turn that wrote it."""
        last: dict[bytes, int] = {}
        for turn, written in enumerate(self.written):
            last.update(dict.fromkeys(written, turn))
        return last

    @cached_property
    def first_said(self) -> dict[bytes, int]:
        """Every word that the model wrote, with the first turn that wrote it."""
        first: dict[bytes, int] = {}
        for turn in range(len(self.written) - 1, -1, -1):
            first.update(dict.fromkeys(self.written[turn], turn))
        return first

    @cached_property
    def written(self) -> list[set[bytes]]:
        """Per turn: the words of its texts, its reasoning and its requests."""
        by_turn: list[set[bytes]] = [set() for _ in self.trajectory.turns]
        for turn, parts in enumerate(self.said):
            for part in parts:
                by_turn[turn] |= words(part.text)
        for call in self.calls:
            by_turn[call.turn] |= written_words(f"{call.tool} {call.arguments}")
        return by_turn

    @cached_property
    def last_hidden(self) -> int:
        """The last turn whose reasoning was not written down; -1 when none is known of."""
        parts = self.trajectory.parts
        hidden = (p.made for p in parts if p.kind == "reasoning" and not p.text)
        return max((turn for turn in hidden if turn is not None), default=-1)


def decoded(arguments: str) -> Any:
    """Arguments as a value: an object where it is JSON, the text where it never claimed to be."""
    bare = arguments.strip()
    if not bare:
        return {}
    if bare[0] not in "{[":
        return bare
    try:
        return _DECODER.decode(bare)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return BROKEN


def _canonical(written: str, value: Any) -> bytes:
    if value is BROKEN or isinstance(value, str):
        return written.strip().encode("utf-8", "replace")
    try:
        return _ENCODER.encode(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return written.encode("utf-8", "replace")
