"""A trajectory's turns as token windows: each turn behind its context, and each token read once.

Enters a trajectory and a tokenizer, leave turns that lie in windows. A turn whose context goes on
from the one before (all that it had and wrote, and then some) shares its window, so that a long
trajectory is read in one pass instead of once for each turn. Where something left the context (a
compaction, dropped reasoning), or no room is left, a new window begins with the latest 4,096
tokens of context. What the model cannot hold is cut: the oldest context first, then the end of the
turn. Texts are fed as data, behind plain headers; no chat template gives them a voice.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.pipelines.depth.texts import response_ids
from agentdyno.records import Part, Trajectory

if TYPE_CHECKING:
    from agentdyno.probes.loading import OpenModel
    from agentdyno.probes.recording import TokenSequence

CONTEXT_TOKENS = 4096
"""Context that a turn has at least, where there is so much."""
WINDOW = 2
"""A window is at most so many times as long: attention to more would cost more than it tells."""
SPEAKERS = {"system": "system", "schema": "system", "user": "user", "result": "result"}
TURN = "\n[assistant]\n"


class Window(Struct, frozen=True):
    """What is read in one pass."""

    prompt: tuple[int, ...]
    """The context of its first turn, at least one token."""
    response: tuple[int, ...]
    """Its turns, and what came between them."""


class TurnText(Struct, frozen=True):
    """A turn as the model reads it."""

    turn: int
    """Its place in the trajectory."""
    window: Window
    """Where it lies."""
    start: int
    """Its first token's place in the window's response."""
    calls: tuple[int | None, ...]
    """For each generated token the place of its call in the turn; None outside of calls."""

    def sequence(self, begin: int = 0, tokens: int | None = None) -> "TokenSequence":
        """The turn's tokens from one on, behind all that precedes them."""
        from agentdyno.probes.recording import TokenSequence

        first = self.start + begin
        last = self.start + len(self.calls) if tokens is None else first + tokens
        last = min(last, self.start + len(self.calls))
        response = self.window.response
        return TokenSequence(self.window.prompt + response[:first], response[first:last])


def read_turns(
    trajectory: Trajectory, opened: "OpenModel", context_tokens: int = CONTEXT_TOKENS
) -> list[TurnText]:
    """Every turn, in order; one without text has no tokens."""
    return _Reader(trajectory, opened, context_tokens).turns()


class _Reader:
    """Goes from turn to turn and fills windows."""

    def __init__(self, trajectory: Trajectory, opened: "OpenModel", context_tokens: int) -> None:
        self._trajectory, self._tokenizer = trajectory, opened.tokenizer
        self._context_tokens = context_tokens
        self._room = int(min(_positions(opened.model), WINDOW * context_tokens))
        self._shown: dict[int, list[int]] = {}
        self._done: list[TurnText] = []
        self._clear()

    def _clear(self) -> None:
        self._parts: list[int] = []
        self._prompt: list[int] = []
        self._response: list[int] = []
        self._spans: list[tuple[int, int, tuple[int | None, ...]]] = []

    def turns(self) -> list[TurnText]:
        made = self._made()
        for turn in range(len(self._trajectory.turns)):
            self._read(turn, made.get(turn, []))
        self._close()
        return sorted(self._done, key=lambda text: text.turn)

    def _read(self, turn: int, made: list[int]) -> None:
        written, calls = self._written(made)
        if not written:
            self._done.append(TurnText(turn, Window((0,), ()), 0, ()))
            return
        context = self._context(turn)
        if not self._go_on(context, len(written)):
            self._close()
            written, calls = written[: self._room - 1], calls[: self._room - 1]
            self._begin(context, len(written))
        self._spans.append((turn, len(self._response), tuple(calls)))
        self._response += written
        self._parts = context + made

    def _go_on(self, context: list[int], written: int) -> bool:
        """Adds what came since the last turn, where that is all that changed and there is room."""
        if not self._spans or context[: len(self._parts)] != self._parts:
            return False
        between = self._tokens_of(context[len(self._parts) :]) + self._tokens(TURN)
        held = len(self._prompt) + len(self._response)
        if held + len(between) + written > self._room:
            return False
        self._response += between
        return True

    def _begin(self, context: list[int], written: int) -> None:
        space = max(1, min(self._context_tokens, self._room - written))
        found = self._tokens(TURN)
        for index in reversed(context):  # The latest first, and no more than is kept.
            if len(found) >= space:
                break
            found = self._tokens_of([index]) + found
        self._prompt = found[-space:] or [0]

    def _close(self) -> None:
        window = Window(tuple(self._prompt), tuple(self._response))
        self._done += [TurnText(turn, window, start, calls) for turn, start, calls in self._spans]
        self._clear()

    def _made(self) -> dict[int, list[int]]:
        """The parts that each turn wrote."""
        found: dict[int, list[int]] = {}
        for index, part in enumerate(self._trajectory.parts):
            if part.made is not None:
                found.setdefault(part.made, []).append(index)
        return found

    def _context(self, turn: int) -> list[int]:
        return [
            index
            for index, part in enumerate(self._trajectory.parts)
            if part.enters is not None
            and part.enters <= turn
            and (part.leaves is None or part.leaves > turn)
        ]

    def _written(self, made: list[int]) -> tuple[list[int], list[int | None]]:
        tokens: list[int] = []
        calls: list[int | None] = []
        for index in made:
            part = self._trajectory.parts[index]
            own = self._tokens(part.text)
            tokens += own
            calls += [self._call(part)] * len(own)
        return tokens, calls

    def _call(self, part: Part) -> int | None:
        if part.kind != "request" or part.call is None:
            return None
        return self._trajectory.calls[part.call].call

    def _tokens_of(self, indices: Sequence[int]) -> list[int]:
        for index in indices:
            if index not in self._shown:
                self._shown[index] = self._tokens(_shown(self._trajectory.parts[index]))
        return [token for index in indices for token in self._shown[index]]

    def _tokens(self, text: str) -> list[int]:
        return list(response_ids(self._tokenizer, text)) if text else []


def _shown(part: Part) -> str:
    speaker = SPEAKERS.get(part.kind, "assistant")
    return f"\n[{speaker}]\n{part.text}" if part.text else ""


def _positions(model: Any) -> float:
    """Tokens that the model can tell apart by place."""
    known = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    return known or math.inf
