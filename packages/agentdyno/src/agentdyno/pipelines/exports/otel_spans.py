"""Writes OpenTelemetry GenAI spans as OTLP JSON: a line a trajectory.

An agent's span holds one span a model call and one a tool call. A sub-agent belongs to the trace of
the session that started it, inside of the call that did. Input messages are the whole context of a
call, as the conventions have them; where that would make a line too large to be read again, only
those that are new since the call before.
"""

from pathlib import Path
from typing import Any

import msgspec

from agentdyno.pipelines.exports.source import ExportSource, hex_id
from agentdyno.pipelines.exports.transcript import (
    Block,
    Message,
    list_messages,
    list_tools,
    read_object,
)
from agentdyno.records import ToolCall, Trajectory, Turn
from agentdyno.records.escaped_json import encode_json
from agentdyno.version import __version__

MOST_CONTEXT_BYTES = 16 * 2**20
"""Characters of input messages in one line; beyond it only new ones are written."""


def write_otel_spans(source: ExportSource, file: Path) -> None:
    """Writes the lines."""
    with file.open("wb") as stream:
        for trajectory in source.trajectories():
            stream.write(encode_json(build_request(trajectory, source)) + b"\n")


def build_request(trajectory: Trajectory, source: ExportSource) -> dict[str, Any]:
    """An export request with the spans of the trajectory."""
    spans = Spans(trajectory, source).build()
    resource = {"attributes": list_attributes({"service.name": trajectory.format})}
    scope = {"name": "agentdyno", "version": __version__}
    scopes = [{"scope": scope, "spans": spans}]
    return {"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}


class Spans:
    """The spans of one trajectory."""

    def __init__(self, trajectory: Trajectory, source: ExportSource) -> None:
        self._trajectory, self._source = trajectory, source
        name = trajectory.trajectory_id
        self._trace = hex_id(source.root(name), 16)
        self._agent = hex_id(name, 8)
        self._messages = list_messages(trajectory)
        size = sum(len(part.text) for part in trajectory.parts)
        self._is_whole = size * len(trajectory.turns) <= MOST_CONTEXT_BYTES

    def build(self) -> list[dict[str, Any]]:
        """The agent's span, then those of its calls."""
        turns = [self._build_turn(number) for number in range(len(self._trajectory.turns))]
        calls = [self._build_call(call) for call in self._trajectory.calls]
        times = [span["startTimeUnixNano"] for span in turns if span["startTimeUnixNano"] != "0"]
        ends = [span["endTimeUnixNano"] for span in turns if span["endTimeUnixNano"] != "0"]
        attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": self._trajectory.agent_id or self._trajectory.format,
            "gen_ai.conversation.id": self._trajectory.session_id,
            "gen_ai.task.id": self._trajectory.task_id,
        }
        agent = self._span(self._agent, self._find_parent(), "invoke_agent", attributes)
        agent["startTimeUnixNano"] = min(times, key=int, default="0")
        agent["endTimeUnixNano"] = max(ends, key=int, default="0")
        return [agent, *turns, *calls]

    def _find_parent(self) -> str | None:
        parent = self._source.parent(self._trajectory.trajectory_id)
        if parent is None:
            return None
        call = self._trajectory.parent_call_id
        return hex_id(f"{parent} {call}", 8) if call else hex_id(parent, 8)

    def _build_turn(self, number: int) -> dict[str, Any]:
        turn = self._trajectory.turns[number]
        name = hex_id(f"{self._trajectory.trajectory_id} turn {number}", 8)
        attributes = _describe_turn(turn)
        attributes |= {
            "gen_ai.input.messages": _encode(self._list_input(number)),
            "gen_ai.output.messages": _encode(self._list_output(number)),
        }
        if tools := list_tools(self._trajectory):
            described = [{"type": "function", **tool["function"]} for tool in tools]
            attributes["gen_ai.tool.definitions"] = _encode(described)
        span = self._span(name, self._agent, f"chat {turn.model or ''}".strip(), attributes)
        span |= _describe_times(turn.started_at, turn.ended_at)
        return span | _describe_status(turn.error)

    def _list_input(self, number: int) -> list[dict[str, Any]]:
        """The messages in the context of a turn, or those that are new in it."""
        messages = []
        for message in self._messages:
            blocks = [block for block in message.blocks if self._is_in_context(block, number)]
            if blocks:
                messages.append(_describe_message(message, blocks))
        return messages

    def _is_in_context(self, block: Block, number: int) -> bool:
        part = block.part
        if part is None or part.enters is None or part.enters > number:
            return False
        is_new = part.enters == number
        return is_new or (self._is_whole and (part.leaves is None or number < part.leaves))

    def _list_output(self, number: int) -> list[dict[str, Any]]:
        return [
            _describe_message(message, message.blocks)
            for message in self._messages
            if message.turn == number and message.blocks
        ]

    def _build_call(self, call: ToolCall) -> dict[str, Any]:
        call_id = call.call_id or f"call_{call.turn}_{call.call}"
        result = None if call.result is None else self._trajectory.parts[call.result].text
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.tool,
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.call.arguments": call.arguments,
            "gen_ai.tool.call.result": result,
        }
        name = hex_id(f"{self._trajectory.trajectory_id} {call_id}", 8)
        span = self._span(name, self._agent, f"execute_tool {call.tool}", attributes)
        span |= _describe_times(call.started_at, call.ended_at)
        return span | _describe_status(call.error)

    def _span(
        self, name: str, parent: str | None, title: str, attributes: dict[str, Any]
    ) -> dict[str, Any]:
        span: dict[str, Any] = {
            "traceId": self._trace,
            "spanId": name,
            "name": title,
            "kind": 1,
            "attributes": list_attributes(attributes),
        }
        return span | ({} if parent is None else {"parentSpanId": parent})


def _describe_turn(turn: Turn) -> dict[str, Any]:
    prefill = turn.prefill if turn.prefill and turn.prefill.source == "reported" else None
    decode = turn.decode if turn.decode and turn.decode.source == "reported" else None
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": turn.model,
        "gen_ai.response.model": turn.model,
        "gen_ai.response.id": turn.response_id,
        "gen_ai.response.finish_reasons": [turn.finish] if turn.finish else None,
        "gen_ai.usage.input_tokens": prefill.tokens if prefill else None,
        "gen_ai.usage.output_tokens": decode.tokens if decode else None,
        "gen_ai.usage.cache_read.input_tokens": turn.cached_tokens,
        "gen_ai.usage.cache_creation.input_tokens": turn.cache_write_tokens,
        "gen_ai.usage.reasoning.output_tokens": turn.reasoning_tokens,
    }


def _describe_message(message: Message, blocks: list[Block]) -> dict[str, Any]:
    return {"role": message.role, "parts": [_describe_block(block) for block in blocks]}


def _describe_block(block: Block) -> dict[str, Any]:
    if block.kind == "call" and block.call is not None:
        arguments = read_object(block.text)
        return {
            "type": "tool_call",
            "id": block.call_id,
            "name": block.call.tool,
            "arguments": block.text if arguments is None else arguments,
        }
    if block.kind == "result":
        return {"type": "tool_call_response", "id": block.call_id, "response": block.text}
    return {"type": block.kind, "content": block.text}


def _describe_times(start: float | None, end: float | None) -> dict[str, Any]:
    """Zero is how OTLP writes a time that is not known."""
    return {"startTimeUnixNano": _nanoseconds(start), "endTimeUnixNano": _nanoseconds(end)}


def _nanoseconds(moment: float | None) -> str:
    return "0" if moment is None or moment < 0 else str(round(moment * 1e6) * 1000)


def _describe_status(error: str | None) -> dict[str, Any]:
    return {} if error is None else {"status": {"code": 2, "message": error}}


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def list_attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Attributes as OTLP JSON has them; what is unknown is left out."""
    return [
        {"key": key, "value": _describe_value(value)}
        for key, value in values.items()
        if value is not None
    ]


def _describe_value(value: Any) -> dict[str, Any]:
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, list):
        return {"arrayValue": {"values": [_describe_value(item) for item in value]}}
    return {"stringValue": str(value)}
