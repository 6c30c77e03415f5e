"""Sessions of OpenCode 1: messages made of parts, one step a model call.

Compaction: a message with a part of that type asks for it, and the answer that is marked as a
summary takes the place of everything before, but for the messages from `tail_start_id` on. A
result that was cleared to make room leaves the context with the first call after that moment.
Commands that a person runs (`!ls`, sub-tasks) are written as answers without a step: no turn.
"""

from typing import Any

from agentdyno.intake.split_usage import known_price
from agentdyno.intake.texts import compact_json, flat_text, seconds
from agentdyno_daily.formats.opencode.talk import Answer, Talk, error_text, model_of
from agentdyno_daily.formats.opencode.wire import Info, Part, State, Time

_CLEARED = "[Old tool result content cleared]"
_STEP = ("step-start", "step-finish")
_ABORTED = "MessageAbortedError"


class FirstVersion(Talk):
    """A session under construction, message by message."""

    def __init__(self, version: str | None) -> None:
        super().__init__(version)
        self._places: dict[str | None, int] = {}
        """Messages by id, with the first part of each."""
        self._compaction: tuple[int, str | None] | None = None
        """Where the last request for a summary stands, and the first message that outlives it."""
        self._cleared: list[tuple[float, int]] = []
        """Results that were cleared: when, and the call of each."""
        self._marks: list[int] = []
        """What stands in the place of cleared results."""

    def add(self, info: Info, parts: list[Part]) -> None:
        self._places[info.id] = len(self.builder.parts)
        if info.role == "user":
            self._ask(parts)
        elif info.role == "assistant":
            self._answer_with(info, parts)

    def _ask(self, parts: list[Part]) -> None:
        for part in parts:
            if part.type == "compaction":
                self._compaction = len(self.builder.parts), part.tail_start_id
            elif part.type == "text" and part.text and not part.ignored:
                self.builder.user(part.text)

    def _answer_with(self, info: Info, parts: list[Part]) -> None:
        first = len(self.builder.parts)
        if _is_by_a_person(info, parts):
            self._write_history(parts)
            return
        if info.error and not _has_content(parts) and not self.usage(info.tokens, info.providerID):
            self.builder.retries += 1
            return
        self._write_steps(info, parts)
        if info.summary is True and not info.error:
            self._compact(first)
        if info.error and not (_is_aborted(info.error) and _has_content(parts)):
            self.builder.retire_from(first)

    # Steps --------------------------------------------------------------------------------------

    def _write_steps(self, info: Info, parts: list[Part]) -> None:
        time = info.time or Time()
        answer = Answer(info.modelID or model_of(info.model)[0], info.providerID, time, -1)
        steps = _split_steps(parts)
        for number, step in enumerate(steps):
            is_last = number == len(steps) - 1
            finish = next((part for part in step if part.type == "step-finish"), None)
            answer.step = number
            tokens = finish.tokens if finish and finish.tokens else info.tokens if is_last else None
            started = time.created if number == 0 else None
            ended = seconds(_streamed_until(step) or (time.completed if is_last else None))
            self._clear_results(seconds(started))
            begun = seconds(started)
            latency = ended - begun if begun is not None and ended is not None else None
            cost = finish.cost if finish else info.cost if len(steps) == 1 else None
            self.builder.turn(
                answer.model,
                **self.usage(tokens, info.providerID),
                identity=self.identity(answer, tokens),
                started_at=begun,
                ended_at=ended,
                latency_seconds=latency if latency is not None and latency >= 0 else None,
                finish=(finish and finish.reason) or (info.finish if is_last else None),
                error=error_text(info.error) if is_last else None,
                reported_usd=known_price(cost),
            )
            self._write_parts(step)

    def _write_parts(self, parts: list[Part]) -> None:
        for part in parts:
            if part.type == "reasoning":
                self.builder.reasoning(part.text or "")
            elif part.type == "text" and part.text and not part.ignored:
                self.builder.text(part.text)
            elif part.type == "tool":
                state = part.state or State()
                time = state.time or Time()
                call = self.tool(part.tool or "", part.callID, state, time)
                cleared = seconds(time.compacted)
                if cleared is not None and self.builder.is_answered(call):
                    self._cleared.append((cleared, call))

    def _write_history(self, parts: list[Part]) -> None:
        """Add a command that a person ran: the model reads it, but did not ask for it."""
        for part in parts:
            if part.type == "tool":
                state = part.state or State()
                written = f"{part.tool} {compact_json(state.input or {})}"
                self.builder.given("request", written, part.tool)
                self.builder.given("result", flat_text(state.output or ""), part.tool)

    # Context ------------------------------------------------------------------------------------

    def _compact(self, summary: int) -> None:
        """Retire everything but the summary and the parts to keep."""
        request, tail = self._compaction or (summary, None)
        self._compaction = None
        first_kept = self._places.get(tail, request) if tail else request
        self.builder.retire([*range(min(first_kept, request)), *self._marks])
        self._marks = []

    def _clear_results(self, begun: float | None) -> None:
        """Results that were cleared before this moment are replaced by a mark."""
        gone = [call for at, call in self._cleared if begun is not None and at <= begun]
        self._cleared = [pending for pending in self._cleared if pending[1] not in gone]
        for call in gone:
            self._marks.append(self.builder.replace_result(call, _CLEARED))


def _split_steps(parts: list[Part]) -> list[list[Part]]:
    """The parts of each model call; all of them are one where no step is marked."""
    steps: list[list[Part]] = [[]]
    for part in parts:
        if part.type == "step-start" and any(p.type == "step-finish" for p in steps[-1]):
            steps.append([])
        steps[-1].append(part)
    return steps


def _streamed_until(parts: list[Part]) -> float | None:
    """The last moment at which something of the answer is known to have come."""
    moments: list[float | None] = []
    for part in parts:
        if part.type == "tool":
            moments.append(((part.state or State()).time or Time()).start)
        elif part.type in ("text", "reasoning"):
            moments.append((part.time or Time()).end)
    return max((moment for moment in moments if moment), default=None)


def _is_by_a_person(info: Info, parts: list[Part]) -> bool:
    """True when no model was called: counts of zero, and a tool without a step around it."""
    tokens, kinds = info.tokens, {part.type for part in parts}
    if tokens is None or tokens.input or tokens.output or (tokens.cache and tokens.cache.read):
        return False
    return "tool" in kinds and kinds.isdisjoint({*_STEP, "text", "reasoning"})


def _has_content(parts: list[Part]) -> bool:
    return any(part.type in ("text", "tool") for part in parts)


def _is_aborted(error: Any) -> bool:
    return isinstance(error, dict) and error.get("name") == _ABORTED
