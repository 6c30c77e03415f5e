"""A trajectory's turns as token windows: each turn behind its context, and each token read once.

Takes a trajectory and a model, returns turns that lie in windows. A turn whose context goes on
from the one before (all that it had and wrote, and then some) shares its window, so that a long
trajectory is read in one pass instead of once for each turn. Where something left the context (a
compaction, dropped reasoning), or no room is left, a new window begins with the latest 4,096
tokens of context. What the model cannot hold is cut: the oldest context first, then the end of the
turn. How messages become tokens is the voice's part (`voices`).
"""

import math
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from agentdyno.records import Trajectory
from agentdyno_depth.probes.voices import voice_of

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel
    from agentdyno_depth.probes.recording import TokenSequence

CONTEXT_TOKENS = 4096
"""Context that a turn has at least, where there is so much."""
WINDOW = 2
"""A window is at most so many times as long: attention to more would cost more than it tells."""
LETTERS_PER_TOKEN = 16


class Window(Struct, frozen=True):
    """Tokens that are read in one pass."""

    prompt: tuple[int, ...]
    """The context of its first turn, at least one token."""
    response: tuple[int, ...]
    """Its turns, and what came between them."""


class TurnText(Struct, frozen=True):
    """A turn as the model reads it."""

    turn: int
    window: Window
    """The window that holds the turn."""
    start: int
    """Its first token's place in the window's response."""
    calls: tuple[int | None, ...]
    """For each generated token the place of its call in the turn; None outside of calls."""

    def sequence(self, begin: int = 0, tokens: int | None = None) -> "TokenSequence":
        """The turn's tokens from one on, behind all that precedes them."""
        from agentdyno_depth.probes.recording import TokenSequence

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
        self._trajectory, self._voice = trajectory, voice_of(trajectory, opened)
        self._context_tokens = context_tokens
        self._room = int(min(_positions(opened.model), WINDOW * context_tokens))
        self._done: list[TurnText] = []
        self._clear()

    def _clear(self) -> None:
        self._first = 0
        self._held: tuple[int, ...] = ()
        self._prompt: tuple[int, ...] = ()
        self._response: list[int] = []
        self._spans: list[tuple[int, int, tuple[int | None, ...]]] = []

    def turns(self) -> list[TurnText]:
        for turn in range(len(self._trajectory.turns)):
            self._read(turn)
        self._close()
        return sorted(self._done, key=lambda text: text.turn)

    def _read(self, turn: int) -> None:
        written, calls = self._voice.tokenize_turn(turn)
        if not written:
            self._done.append(TurnText(turn, Window((0,), ()), 0, ()))
            return
        if not self._go_on(turn, len(written)):
            self._close()
            written, calls = written[: self._room - 1], calls[: self._room - 1]
            self._begin(turn, len(written))
        self._spans.append((turn, len(self._response), calls))
        self._response += written
        self._held += written

    def _go_on(self, turn: int, written: int) -> bool:
        """Adds what came since the last turn, where that is all that changed and there is room."""
        if not self._spans:
            return False
        context = self._voice.context(turn, self._first)
        between = context[len(self._held) :]
        length = len(self._prompt) + len(self._response) + len(between) + written
        if context[: len(self._held)] != self._held or length > self._room:
            return False
        self._response += between
        self._held = context
        return True

    def _begin(self, turn: int, written: int) -> None:
        space = max(1, min(self._context_tokens, self._room - written))
        # A text of so many letters has more tokens than are kept; older messages are cut anyway.
        self._first = self._voice.latest(turn, LETTERS_PER_TOKEN * space)
        self._held = self._voice.context(turn, self._first)
        self._prompt = self._held[-space:]

    def _close(self) -> None:
        window = Window(self._prompt, tuple(self._response))
        self._done += [TurnText(turn, window, start, calls) for turn, start, calls in self._spans]
        self._clear()


def _positions(model: Any) -> float:
    """Tokens that the model can tell apart by place."""
    from agentdyno_depth.probes.recording import positions

    return positions(model) or math.inf
