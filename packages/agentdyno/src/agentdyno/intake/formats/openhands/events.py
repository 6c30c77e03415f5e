"""Events of OpenHands V0 into a trajectory.

An action of the agent carries the whole response that asked for it, and the observation repeats it:
responses are told apart by id. Costs are running sums.
"""

from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.exchanges import exchange_attributes
from agentdyno.intake.spans.messages import parse_message
from agentdyno.intake.texts import (
    compact_json,
    error_in,
    fields_of,
    first_line,
    flat_text,
    function_schemas,
    seconds,
)
from agentdyno.intake.transcripts import turn_fields, write_answer

Fields = dict[str, Any]
_SILENT = ("recall", "change_agent_state", "null", "agent_state_changed", "think")
"""Events that no model sees, unless a call of it led to them."""


class EventWriter:
    def __init__(self, model: str | None = None, latencies: dict[str, float] | None = None) -> None:
        self.builder = TrajectoryBuilder()
        self._model = model
        self._latencies = latencies or {}
        self._response: str | None = None
        self._calls: dict[Any, int] = {}
        """Calls by the id of the action that they became."""
        self._began: dict[int, float] = {}
        self._parts: dict[Any, range] = {}
        self._at: float | None = None
        self._paid = 0.0
        self._last: Any = None
        """The id of the last action."""

    def take(self, event: Fields) -> None:
        if "source" not in event:
            event = _as_event(event, self._last)
        before, at = len(self.builder.parts), seconds(event.get("timestamp"))
        if event.get("observation") is not None:
            self._observe(event, at)
        elif event.get("action") is not None:
            self._act(event, at)
        self._last = event.get("id") if event.get("action") else self._last
        self._parts[event.get("id")] = range(before, len(self.builder.parts))
        self._at = at if at is not None else self._at

    def _act(self, event: Fields, at: float | None) -> None:
        action, args = event.get("action"), fields_of(event.get("args"))
        if action == "condensation":
            self._condense(args)
        elif action == "system":
            self.builder.system(flat_text(args.get("content")))
            self.builder.offer(function_schemas(args.get("tools")))
        elif event.get("source") == "agent":
            self._answer(event, args, at)
        elif action == "message":
            self.builder.user(flat_text(args.get("content")))

    def _answer(self, event: Fields, args: Fields, at: float | None) -> None:
        metadata = fields_of(event.get("tool_call_metadata"))
        response = fields_of(metadata.get("model_response"))
        if not metadata and event.get("action") in _SILENT:
            return
        response_id = response.get("id")
        if not response or response_id != self._response:
            self._begin(event, args, response, at)
            self._response = response_id if isinstance(response_id, str) else None
        called = metadata.get("tool_call_id")
        if isinstance(called, str):
            index = self.builder.call_index(called)
        else:
            index = self._bare_call(event, args)
        if index is not None:
            self._calls[event.get("id")] = index
            if at is not None:
                self._began[index] = at

    def _begin(self, event: Fields, args: Fields, response: Fields, at: float | None) -> None:
        fields = turn_fields(exchange_attributes({}, response))
        latency = self._latencies.get(str(response.get("id")))
        start = at - latency if latency is not None and at is not None else self._at
        if latency is None and at is not None and start is not None and at >= start:
            latency = at - start
        fields |= {"started_at": start, "ended_at": at, "latency_seconds": latency}
        fields["model"] = fields["model"] or self._model
        fields["reported_usd"] = self._price(fields_of(event.get("llm_metrics")))
        self.builder.turn(**fields)
        message = next(iter(response.get("choices") or ()), None)
        if isinstance(message, dict) and isinstance(message.get("message"), dict):
            write_answer(self.builder, parse_message(message["message"], "assistant"))
        else:
            text = args.get("content") if event.get("action") == "message" else args.get("thought")
            if text:
                self.builder.text(flat_text(text))

    def _price(self, metrics: Fields) -> float | None:
        total = metrics.get("accumulated_cost")
        if not isinstance(total, int | float) or total <= 0:
            return None
        paid, self._paid = total - self._paid, float(total)
        return paid if paid >= 0 else None

    def _bare_call(self, event: Fields, args: Fields) -> int | None:
        """Before version 0.12 the action itself is all that is known of a call."""
        action = str(event.get("action"))
        if action in ("message", *_SILENT):
            return None
        arguments = {k: v for k, v in args.items() if k != "thought"}
        return self.builder.call(action, compact_json(arguments))

    def _observe(self, event: Fields, at: float | None) -> None:
        metadata = fields_of(event.get("tool_call_metadata"))
        tool_call_id = metadata.get("tool_call_id")
        index = self._calls.get(event.get("cause"))
        if index is None and isinstance(tool_call_id, str):
            index = self.builder.call_index(tool_call_id)
        text = flat_text(event.get("content"))
        if index is None or self.builder.is_answered(index):
            if event.get("observation") == "recall":
                self._recall(fields_of(event.get("extras")))
            return
        began = self._began.get(index)
        duration = at - began if at is not None and began is not None and at >= began else None
        self.builder.answer(
            index,
            text,
            error=_error(event, text),
            wait_seconds=duration,
            started_at=began,
            ended_at=at,
        )

    def _recall(self, extras: Fields) -> None:
        """Add the texts that the workspace adds to the conversation."""
        for key in ("repo_instructions", "additional_agent_instructions"):
            if isinstance(text := extras.get(key), str) and text:
                self.builder.user(text)

    def _condense(self, args: Fields) -> None:
        """Retire forgotten events; a summary takes their place."""
        listed = args.get("forgotten_event_ids")
        first, last = args.get("forgotten_events_start_id"), args.get("forgotten_events_end_id")
        if not isinstance(listed, list) and isinstance(first, int) and isinstance(last, int):
            listed = [event_id for event_id in self._parts if isinstance(event_id, int)
                      and first <= event_id <= last]  # fmt: skip
        self.forget(listed if isinstance(listed, list) else [], args.get("summary"))

    def forget(self, ids: list[Any], summary: Any) -> None:
        """Retires the parts of these events."""
        for event_id in ids:
            if isinstance(event_id, str | int):
                self.builder.retire(self._parts.get(event_id, range(0)))
        if isinstance(summary, str) and summary:
            self.builder.user(summary)


def _as_event(flat: Fields, last: Any) -> Fields:
    """An event of the first versions, whose arguments stand beside its name and which has no id."""
    if flat.get("observation") is not None:
        return {**flat, "extras": flat, "cause": last}
    by_user = flat.get("action") == "message" and last is None
    args = {name: value for name, value in flat.items() if name not in _NO_ARGUMENT}
    source, event_id = "user" if by_user else "agent", (last or 0) + 1
    return {"action": flat.get("action"), "args": args, "source": source, "id": event_id}


_NO_ARGUMENT = ("action", "is_confirmed", "action_risk", "keep_prompt", "kernel_init_code")


def _error(event: Fields, text: str) -> str | None:
    extras = fields_of(event.get("extras"))
    code = fields_of(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
    if event.get("observation") == "error":
        return first_line(text) or "error"
    if isinstance(code, int) and code not in (0, -1):
        return f"exit code {code}"
    return error_in(text) if event.get("observation") != "read" else None
