"""Reads traces of the OpenAI Agents SDK: generations and responses are model calls."""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchanges import exchange_attributes, usage_attributes
from agentdyno.intake.loose_bodies import loose_request, loose_response
from agentdyno.intake.source import Source
from agentdyno.intake.spans.attempts import read_spans
from agentdyno.intake.spans.span import Kind, Span
from agentdyno.intake.texts import seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "agents_sdk"
_KINDS: dict[str, Kind] = {
    "generation": "model", "response": "model", "function": "tool", "agent": "agent",
    "guardrail": "guard",
}  # fmt: skip
Fields = dict[str, Any]


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace."""
    yield from read_spans(source, FORMAT_NAME, any_records(source), _spans)


def _spans(record: Fields) -> Iterator[Span]:
    """The spans of a record: itself, or what it exports in one batch."""
    listed = record.get("data")
    for item in listed if isinstance(listed, list) else [record]:
        if isinstance(item, dict) and item.get("object") == "trace.span":
            yield _span(item)


def _span(fields: Fields) -> Span:
    trace, span_id, data = fields.get("trace_id"), fields.get("id"), fields.get("span_data")
    if not isinstance(trace, str) or not isinstance(span_id, str) or not isinstance(data, dict):
        raise UnreadableError("a span with id, trace_id and span_data", "none")
    kind = _KINDS.get(str(data.get("type")))
    parent, error = fields.get("parent_id"), fields.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return Span(
        trace,
        span_id,
        parent if isinstance(parent, str) and parent else None,
        str(data.get("name") or ""),
        kind,
        seconds(fields.get("started_at")),
        seconds(fields.get("ended_at")),
        _call(data) if kind == "model" else _tool(data) if kind == "tool" else {},
        error=str(message) if message else None,
    )


def _call(data: Fields) -> Fields:
    response = data.get("response")
    answer = response if isinstance(response, dict) else loose_response(data.get("output"))
    request = loose_request(data.get("input"))
    if isinstance(response, dict):
        offered = {name: response.get(name) for name in ("instructions", "tools")}
        request = {**{name: value for name, value in offered.items() if value}, **request}
    attributes = exchange_attributes(request, answer)
    counted = usage_attributes(data.get("usage"))
    if "gen_ai.usage.input_tokens" not in attributes:
        # The SDK's counts include what was cached, whichever names it gives them.
        attributes |= {**counted, "gen_ai.usage.input_tokens": _input(data.get("usage"))}
    attributes.setdefault("gen_ai.request.model", data.get("model"))
    attributes.setdefault("gen_ai.response.id", data.get("response_id"))
    return {name: value for name, value in attributes.items() if value is not None}


def _input(usage: Any) -> Any:
    fields = usage if isinstance(usage, dict) else {}
    return fields.get("input_tokens", fields.get("prompt_tokens"))


def _tool(data: Fields) -> Fields:
    return {
        "gen_ai.tool.name": data.get("name"),
        "gen_ai.tool.call.arguments": data.get("input"),
        "gen_ai.tool.call.result": data.get("output"),
    }
