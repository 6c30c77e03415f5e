"""Builds one trajectory, event by event, in the order in which things happened.

Formats say what happened (`user`, `turn`, `text`, `call`, `result`, `retire`); the builder works
out which part stands in which turn's context. Knows nothing of files or of any format.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec import structs

from agentdyno.records import Part, PartKind, ToolCall, Trajectory, Turn

Schemas = Sequence[tuple[str, str]]
"""Offered tools as (name, schema text)."""


class TrajectoryBuilder:
    """Collects parts, turns and calls; `build` freezes them."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.turns: list[Turn] = []
        self.retries = 0
        self.line: int | None = None
        """The line that is being read, where a trajectory is spread over several."""
        self._calls: list[ToolCall] = []
        self._unanswered: dict[str | None, list[int]] = {}
        self._latest: dict[str, int] = {}
        self._calls_this_turn = 0
        self._offered: Schemas = ()
        self._offered_parts: list[int] = []

    # What is given to the model -----------------------------------------------------------------

    def given(
        self, kind: PartKind, text: str, name: str | None = None, call: int | None = None
    ) -> int:
        """A text that the next turn has in its context; returns the part's index."""
        turn = len(self.turns)
        self.parts.append(Part(kind, text, name, call, None, turn, None, None, self.line))
        return len(self.parts) - 1

    def system(self, text: str) -> int:
        """A system prompt, or an addition to it."""
        return self.given("system", text)

    def user(self, text: str) -> int:
        """A user's message."""
        return self.given("user", text)

    def offer(self, schemas: Schemas) -> None:
        """The tools offered from the next turn on, all of them; those not named are withdrawn."""
        if schemas == self._offered:
            return
        if not self._offered:
            first = len(self.parts)
            self.parts += _schema_parts(tuple(schemas), len(self.turns))
            self._offered, self._offered_parts = schemas, list(range(first, len(self.parts)))
            return
        before = dict(zip(self._offered, self._offered_parts, strict=True))
        self.retire(index for schema, index in before.items() if schema not in set(schemas))
        self._offered = schemas
        self._offered_parts = [
            before[schema] if schema in before else self.given("schema", schema[1], schema[0])
            for schema in schemas
        ]

    def resend(self, index: int) -> None:
        """A decoded part that was not expected back is in the next turn's context after all."""
        if self.parts[index].enters is None:
            self.parts[index] = structs.replace(self.parts[index], enters=len(self.turns))

    def retire(self, indices: Iterable[int]) -> None:
        """These parts are not in the next turn's context any more (compaction, edited history)."""
        for index in indices:
            self.parts[index] = _retired(self.parts[index], len(self.turns))

    # What the model does ------------------------------------------------------------------------

    def turn(self, model: str | None = None, **fields: Any) -> int:
        """A model call; what is decoded until the next one belongs to it. Fields as in `Turn`."""
        self.begin(Turn(model, line=self.line, **fields))
        return len(self.turns) - 1

    def begin(self, turn: Turn) -> None:
        """The same with a turn that is already made."""
        self.turns.append(turn)
        self._calls_this_turn = 0

    def amend_turn(self, index: int, **fields: Any) -> None:
        """Replaces fields of an earlier turn with what became known later."""
        self.turns[index] = structs.replace(self.turns[index], **fields)

    def decoded(
        self,
        kind: PartKind,
        text: str,
        name: str | None = None,
        *,
        call: int | None = None,
        resent: bool = True,
        tokens: int | None = None,
    ) -> int:
        """A text that the last turn generated; `resent` is whether later turns have it too."""
        made = len(self.turns) - 1
        enters = made + 1 if resent else None
        self.parts.append(Part(kind, text, name, call, made, enters, None, tokens, self.line))
        return len(self.parts) - 1

    def reasoning(self, text: str, *, resent: bool = True, tokens: int | None = None) -> int:
        """Reasoning of the last turn; without text when only its size is known."""
        return self.decoded("reasoning", text, resent=resent, tokens=tokens)

    def text(self, text: str) -> int:
        """Visible text of the last turn."""
        return self.decoded("text", text)

    def call(
        self, tool: str, arguments: str, call_id: str | None = None, error: str | None = None
    ) -> int:
        """A call made by the last turn; returns its index. `error`: it could not even be run."""
        index, turn = len(self._calls), len(self.turns) - 1
        # What the model decodes of a call is its name and its arguments.
        written = f"{tool} {arguments}"
        self.parts.append(
            Part("request", written, tool, index, turn, turn + 1, None, None, self.line)
        )
        key = call_id or None
        request = len(self.parts) - 1
        place = self._calls_this_turn
        made = ToolCall(turn, place, tool, arguments, key, request, None, False, error)
        self._calls.append(made if self.line is None else structs.replace(made, line=self.line))
        self._calls_this_turn = place + 1
        waiting = self._unanswered.get(key)
        if waiting is None:
            self._unanswered[key] = [index]
        else:
            waiting.append(index)
        if key is not None:
            self._latest[key] = index
        return index

    def result(
        self,
        text: str,
        call_id: str | None = None,
        *,
        name: str | None = None,
        error: str | None = None,
        executed: bool = True,
        **timing: float | None,
    ) -> int | None:
        """A result for the oldest unanswered call with that id (or of any, when it has none).

        A second result for an answered call is that call's too, but changes nothing about it.
        """
        key = call_id or None
        waiting = self._unanswered.get(key) or self._other_waiting(key)
        if waiting:
            index = waiting.pop(0)
            self._fill(index, text, error, executed)
            if timing:
                self.annotate(index, **timing)
            return index
        known = self._latest.get(call_id or "")
        self.given("result", text, name if known is None else self._calls[known].tool, known)
        return None

    def _other_waiting(self, key: str | None) -> list[int] | None:
        """Calls that a result may be meant for when none waits under its id."""
        if key is None:
            return next((waiting for waiting in self._unanswered.values() if waiting), None)
        # An id that no call has: calls without one are all it can be meant for.
        return None if key in self._unanswered else self._unanswered.get(None)

    def answer(
        self,
        index: int,
        text: str,
        *,
        error: str | None = None,
        executed: bool = True,
        **timing: float | None,
    ) -> None:
        """A result for just that call."""
        waiting = self._unanswered.get(self._calls[index].call_id)
        if waiting and index in waiting:
            waiting.remove(index)
        self._fill(index, text, error, executed)
        if timing:
            self.annotate(index, **timing)

    def _fill(self, index: int, text: str, error: str | None, executed: bool) -> None:
        made = self._calls[index]
        turn = len(self.turns)
        self.parts.append(Part("result", text, made.tool, index, None, turn, None, None, self.line))
        self._calls[index] = ToolCall(
            made.turn,
            made.call,
            made.tool,
            made.arguments,
            made.call_id,
            made.request,
            len(self.parts) - 1,
            # What could not even be run is answered by a refusal.
            executed and made.error is None,
            made.error or error,
            made.wait_seconds,
            made.started_at,
            made.ended_at,
            made.line,
        )

    def is_answered(self, index: int) -> bool:
        """Whether the call has a result."""
        return self._calls[index].result is not None

    def annotate(self, index: int, **fields: Any) -> None:
        """Adds what became known later about a call (timings, an error)."""
        known = {name: value for name, value in fields.items() if value is not None}
        self._calls[index] = structs.replace(self._calls[index], **known)

    def call_index(self, call_id: str) -> int | None:
        """The latest call with that id, answered or not."""
        return self._latest.get(call_id)

    # The end ------------------------------------------------------------------------------------

    def build(self, trajectory_id: str, source: str, format: str, **fields: Any) -> Trajectory:
        """The finished value. Fields as in `Trajectory`."""
        count = len(self.turns)
        return Trajectory(
            trajectory_id,
            source,
            format,
            tuple([p if p.enters is None or p.enters < count else _never(p) for p in self.parts]),
            tuple(self.turns),
            tuple(self._calls),
            retries=self.retries,
            **fields,
        )


@lru_cache(maxsize=256)
def _schema_parts(schemas: Schemas, turn: int) -> list[Part]:
    """Agents offer the same tools in every trajectory; parts are frozen, so they can be shared."""
    return [Part("schema", text, name, None, None, turn) for name, text in schemas]


def _retired(part: Part, turn: int) -> Part:
    if part.leaves is not None or part.enters is None:
        return part
    # Withdrawn before any turn saw it: it never entered.
    return _never(part) if part.enters >= turn else structs.replace(part, leaves=turn)


def _never(part: Part) -> Part:
    return structs.replace(part, enters=None)
