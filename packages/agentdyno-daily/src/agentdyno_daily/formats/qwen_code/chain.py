"""One conversation of a chat file: the session's, or a sub-agent's.

How the numbers come about:
- A record of the assistant is a response; of a sub-agent's response the calls follow in records of
  their own, without counts.
- Telemetry repeats the counts of a response, with its times: those are taken from there, the counts
  from the response. A call that no record shows is a turn without text. Should a sub-agent's file
  show it after all, that one counts.
- A tool's time is used where nobody had to be asked first.
"""

from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.identity import is_random
from agentdyno.intake.texts import error_in, function_schemas, thousandth, whole
from agentdyno.records.secrets.excerpts import cut_text
from agentdyno_daily.formats.qwen_code.wire import Content, Line, Payload, Telemetry
from agentdyno_daily.intake.gemini_parts import (
    FunctionResponse,
    Usage,
    iterate_calls,
    iterate_responses,
    thought_text,
    usage_fields,
    visible_text,
)

_SHELLS = {"run_shell_command", "shell"}


class Call(Struct, frozen=True):
    """A model call that telemetry measured."""

    event: Telemetry
    at: float | None


class Chain:
    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self.model: str | None = None
        self.session: str | None = None
        """The session that the record which is being read was first written in."""
        self._is_open = False
        """Whether the last turn may go on: nothing was given since."""
        self._timed = 0
        """Turns before this one have their times, or will never have."""
        self._pending: Call | None = None
        self._tools: dict[str, str] = {}
        self._durations: dict[str, float] = {}
        self._fixed = 0

    # What the model is given ----------------------------------------------------------------------

    def prompt(self, line: Line) -> None:
        """A user's message, or what stands for one."""
        if line.message is not None and (text := visible_text(line.message.parts)):
            self.builder.user(text)
        self._is_open = False

    def bootstrap(self, payload: Payload) -> None:
        """Add the context that a forked sub-agent inherits from its parent."""
        if text := visible_text(_parts(payload.systemInstruction)):
            self.builder.system(text)
        tools = payload.tools if isinstance(payload.tools, list) else []
        if schemas := function_schemas([tool for tool in tools if isinstance(tool, dict)]):
            self.builder.offer(schemas)
        self._fixed = len(self.builder.parts)
        self._give_all(payload.history or [])

    def compress(self, payload: Payload) -> None:
        """The context is replaced by a summary and the last messages."""
        if payload.compressedHistory:
            self.builder.retire_from(self._fixed)
            self._give_all(payload.compressedHistory)
            self._is_open = False

    def _give_all(self, history: list[Content]) -> None:
        for content in history:
            if text := visible_text(content.parts):
                self.builder.given("text" if content.role == "model" else "user", text)
            for call in iterate_calls(content.parts):
                self.builder.given("request", f"{call.name} {call.arguments}", call.name)
            for response in iterate_responses(content.parts):
                self.builder.given("result", response.text, response.name)

    def go_back(self, parts: int) -> None:
        """Take back everything behind that part."""
        self.builder.retire_from(max(parts, self._fixed))
        self._is_open = False

    # What the model does --------------------------------------------------------------------------

    def answer(self, line: Line, at: float | None) -> None:
        """A response, or the calls of the one before."""
        parts = line.message.parts if line.message is not None else None
        fields = usage_fields(line.usageMetadata)
        if not self._is_open or fields:
            self._begin(line, fields, at)
        if thoughts := thought_text(parts):
            size = whole(line.usageMetadata.thoughtsTokenCount) if line.usageMetadata else None
            self.builder.reasoning(thoughts, resent=False, tokens=size or None)
        if text := visible_text(parts):
            self.builder.text(text)
        for call in iterate_calls(parts):
            self.builder.call(call.name, call.arguments, call.id)
            self._tools[call.id or ""] = call.name

    def _begin(self, line: Line, fields: dict[str, Any], at: float | None) -> None:
        pending = self._pending
        if pending is not None and not _is_same(pending.event, line.usageMetadata):
            self.flush()
            pending = None
        self._pending = None
        self.model = line.model or self.model
        identity = f"qwen {line.uuid}" if line.uuid and is_random(line.uuid) else None
        same = self._same(line.usageMetadata) if fields else None
        turn = self.builder.turn(
            self.model, **fields, ended_at=at, identity=identity, stands_for=same
        )
        if pending is not None:
            self._time(turn, pending)
        else:
            self._timed = turn
        self._is_open = True

    def measure(self, event: Telemetry, at: float | None) -> None:
        """A model call's telemetry: of the response that follows, or of the one before."""
        call, last = Call(event, at), len(self.builder.turns) - 1
        self.flush()
        if self._is_open and last == self._timed and self._is_like(last, event):
            self._time(last, call)
        else:
            self._pending = call

    def _is_like(self, turn: int, event: Telemetry) -> bool:
        row = self.builder.turns[turn]
        fields = usage_fields(event.usage())
        return bool(fields) and (row.prefill, row.decode) == (fields["prefill"], fields["decode"])

    def _time(self, turn: int, call: Call) -> None:
        duration, first = thousandth(call.event.duration_ms), thousandth(call.event.ttft_ms)
        timing = {
            "latency_seconds": duration,
            "first_token_seconds": first,
            "started_at": call.at - duration
            if call.at is not None and duration is not None
            else None,
            "ended_at": call.at,
            "response_id": call.event.response_id,
        }
        fields = {name: value for name, value in timing.items() if value is not None}
        self.builder.amend_turn(turn, **fields)
        self._timed = turn + 1

    def flush(self) -> None:
        """A measured call that no record shows is a turn of its own."""
        call, self._pending = self._pending, None
        if call is None or not (fields := usage_fields(call.event.usage())):
            return
        same = self._same(call.event.usage())
        turn = self.builder.turn(call.event.model, **fields, identity=same, stands_for=same)
        self._time(turn, call)
        self._is_open = False

    def _same(self, usage: Usage | None) -> str | None:
        """By what a call is known in telemetry and in a sub-agent's file alike."""
        if usage is None or self.session is None:
            return None
        counts = (
            usage.promptTokenCount, usage.candidatesTokenCount, usage.cachedContentTokenCount,
        )  # fmt: skip
        return f"qwen {self.session} {'/'.join(str(whole(count) or 0) for count in counts)}"

    # Tools ----------------------------------------------------------------------------------------

    def note_run(self, event: Telemetry) -> None:
        """A tool's run as telemetry has it, before its result."""
        duration = thousandth(event.duration_ms)
        if event.call_id and duration is not None and event.decision in (None, "auto_accept"):
            self._durations[event.call_id] = duration

    def finish(self, line: Line, at: float | None) -> None:
        outcome = line.toolCallResult
        for response in iterate_responses(line.message.parts if line.message else None):
            call_id = response.id or (outcome.callId if outcome is not None else None)
            duration = self._durations.pop(call_id or "", None)
            if duration is None and outcome is not None:
                duration = thousandth(outcome.durationMs)
            status = outcome.status if outcome is not None else None
            self.builder.result(
                response.text,
                call_id,
                name=response.name,
                error=self._error(response, status),
                executed=status != "cancelled",
                wait_seconds=duration,
                started_at=at - duration if at is not None and duration is not None else None,
                ended_at=at,
            )
        self._is_open = False

    def _error(self, response: FunctionResponse, status: str | None) -> str | None:
        if status == "cancelled":
            return "cancelled"
        if response.error is not None or status == "error":
            return response.error or cut_text(response.text, 200) or "error"
        tool = response.name or self._tools.get(response.id or "")
        return error_in(response.text) if tool in _SHELLS else None


def _is_same(event: Telemetry, usage: Usage | None) -> bool:
    """True when telemetry and a response state the same counts; without counts, the next one
    fits.
    """
    if usage is None:
        return True
    of_event = (event.input_token_count, event.output_token_count)
    of_usage = (usage.promptTokenCount, usage.candidatesTokenCount)
    return [whole(n) or 0 for n in of_event] == [whole(n) or 0 for n in of_usage]


def _parts(instruction: Any) -> Any:
    return instruction.get("parts") if isinstance(instruction, dict) else instruction
