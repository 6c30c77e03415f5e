"""One span of any exporter as one value, with what it is to an agent: model call, tool, agent.

Takes the bytes of a span or of a log record, returns a `Span`. Does not know how spans belong
together.
"""

import re
from typing import Any

from msgspec import Struct

from agentdyno.intake.formats.otel_genai.agent_telemetry import (
    AGENTS,
    CLAUDE,
    event_spans,
    is_agents,
)
from agentdyno.intake.formats.otel_genai.attribute_shapes import flatten, read_columns, read_mlflow
from agentdyno.intake.formats.otel_genai.wire import (
    LOG,
    ROW,
    SPAN,
    Status,
    WireEvent,
    WireLog,
    WireSpan,
    attributes_of,
    plain,
)
from agentdyno.intake.spans.evaluations import is_mark
from agentdyno.intake.spans.span import Event, Kind, Span
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import first, number, seconds, text_of
from agentdyno.records import UnreadableError
from agentdyno.records.secrets.excerpts import cut_text

_OPERATIONS: dict[str, Kind | None] = {
    "chat": "model", "generate_content": "model", "text_completion": "model",
    "completion": "model", "responses": "model", "messages": "model",
    "execute_tool": "tool", "invoke_agent": "agent", "evaluate": "evaluator",
    "create_agent": None, "embeddings": None, "invoke_workflow": None, "retrieval": None,
    "rerank": None, "plan": None, "handoff": None, "fetch_response": None,
    "create_memory": None, "search_memory": None, "update_memory": None, "upsert_memory": None,
    "delete_memory": None, "create_memory_store": None, "delete_memory_store": None,
}  # fmt: skip
_OPENINFERENCE: dict[str, Kind] = {
    "LLM": "model", "TOOL": "tool", "AGENT": "agent", "GUARDRAIL": "guard",
    "EVALUATOR": "evaluator",
}  # fmt: skip
_TRACELOOP: dict[str, Kind] = {"agent": "agent", "tool": "tool"}
_ERROR_CODES = {2, "2", "STATUS_CODE_ERROR", "ERROR", "Error", "StatusCode.ERROR"}
_STEP = '{"memory_step": "ActionStep('
"""The input of a step of smolagents, which runs what its model wrote: calls, or code."""
CODEX_RESPONSE = "handle_responses"
"""Codex's span around a response; its events say the same, and more."""
DETAILS = "gen_ai.client.inference.operation.details"


class SpanLog(Struct, gc=False):
    """A GenAI event that was exported as a log record."""

    trace: str
    span: str
    event: Event


def span_of(data: bytes) -> Span:
    wire: WireSpan = decode(data, SPAN)
    trace, span_id = wire.ids
    if wire.row_span_id:
        row = decode(data, ROW)
        wire.attributes = read_columns(row)
        wire.events = None
    if not trace or not span_id:
        raise UnreadableError("a span with a trace id and a span id", "none")
    try:
        return _span(wire, trace, span_id)
    except RecursionError:
        raise UnreadableError("attributes of ordinary depth", "nesting too deep") from None


def _span(wire: WireSpan, trace: str, span_id: str) -> Span:
    reported = first((wire.attributes, wire.tags, wire.span_attributes))
    attributes = read_mlflow(flatten(attributes_of(reported)))
    events = [_event(e) for e in (wire.events if wire.events is not None else wire.logs) or ()]
    name = wire.name or wire.operation or wire.span_name or ""
    if wire.span_kind in _OPENINFERENCE:
        attributes.setdefault("openinference.span.kind", wire.span_kind)
    kind = kind_of(attributes)
    if name == CODEX_RESPONSE and "gen_ai.usage.input_tokens" in attributes:
        kind = "model"
    start, end = _times(wire)
    span = Span(
        trace,
        span_id,
        _parent(wire),
        name,
        kind,
        start,
        end,
        attributes,
        events,
        _error(wire, attributes, events),
        text_of(attributes.get("gen_ai.conversation.id") or attributes.get("session.id")),
        text_of(attributes.get("gen_ai.task.id")),
        kind is not None or name.startswith(CLAUDE) or _is_genai(attributes),
    )
    return span if name.startswith(CLAUDE) else _shorten(span)


def _is_genai(attributes: dict[str, Any]) -> bool:
    return any(key.startswith("gen_ai.") for key in attributes)


def _shorten(span: Span) -> Span:
    """A trace is mostly plumbing; of that, only place and marks are kept in memory."""
    for event in span.events:
        if event.name == DETAILS:
            span.attributes = event.body | span.attributes
    span.events = [event for event in span.events if event.name.startswith("gen_ai.")]
    if span.kind is None:
        marks = {k: v for k, v in span.attributes.items() if is_mark(k)}
        span.attributes = marks
    return span


def log_of(data: bytes) -> SpanLog | list[Span] | None:
    """Decodes one log record: an event of a span, or what a coding agent reports by itself."""
    wire: WireLog = decode(data, LOG)
    attributes, body = attributes_of(wire.attributes), plain(wire.body)
    name = _event_name(wire.event_name, attributes.get("event.name"), body)
    if is_agents(name):
        return event_spans(name, attributes, _moment(wire, attributes))
    if not name.startswith("gen_ai.") or not wire.trace_id or not wire.span_id:
        return None
    merged = attributes | (body if isinstance(body, dict) else {})
    return SpanLog(wire.trace_id, wire.span_id, Event(name, merged))


def _event_name(*reported: Any) -> str:
    """Claude Code writes the name without its own before it, and in full as the body."""
    named = [name for name in reported if isinstance(name, str)]
    return next((n for n in named if n.startswith((*AGENTS, "gen_ai."))), "")


def _moment(wire: WireLog, attributes: dict[str, Any]) -> float | None:
    at = seconds(number(wire.time_unix_nano)) or seconds(attributes.get("event.timestamp"))
    return at or _pair(wire.hr_time) or seconds(number(wire.observed_time_unix_nano))


def _pair(value: Any) -> float | None:
    """Seconds and nanoseconds."""
    if not isinstance(value, list) or len(value) != 2:
        return None
    total_seconds, nanos = (_scale(part, 1.0) for part in value)
    return None if total_seconds is None else seconds(total_seconds + (nanos or 0.0) / 1e9)


def add_log(span: Span, event: Event) -> None:
    """Puts an event that came apart from its span back where it belongs."""
    if event.name == DETAILS:
        span.attributes = event.body | span.attributes
    else:
        span.events.append(event)


def kind_of(attributes: dict[str, Any]) -> Kind | None:
    """The span's role for an agent; None for plumbing, embeddings, workflows."""
    operation = attributes.get("gen_ai.operation.name")
    if isinstance(operation, str) and operation in _OPERATIONS:
        return _OPERATIONS[operation]
    for key, kinds in (
        ("openinference.span.kind", _OPENINFERENCE),
        ("traceloop.span.kind", _TRACELOOP),
    ):
        if isinstance(kind := attributes.get(key), str):
            is_step = kind == "CHAIN" and str(attributes.get("input.value")).startswith(_STEP)
            return "step" if is_step else kinds.get(kind)
    if isinstance(operation := attributes.get("ai.operationId"), str):
        return _vercel(operation)
    if "llm.request.type" in attributes:
        return "model" if attributes["llm.request.type"] in ("chat", "completion") else None
    if "gen_ai.tool.name" in attributes or "gen_ai.tool.call.id" in attributes:
        return "tool"
    return "model" if _answers(attributes) else None


def _vercel(operation: str) -> Kind | None:
    if operation.endswith((".doGenerate", ".doStream")):
        return "model"
    return "tool" if operation == "ai.toolCall" else None


def _answers(attributes: dict[str, Any]) -> bool:
    """A span that names no operation is a model call when it names a model and no agent's sum."""
    if "gen_ai.operation.name" in attributes and "gen_ai.response.id" not in attributes:
        return False
    return "gen_ai.request.model" in attributes or "gen_ai.response.model" in attributes


def _event(wire: WireEvent) -> Event:
    body = attributes_of(wire.attributes if wire.attributes is not None else wire.fields)
    return Event(wire.name or text_of(body.get("event")) or "", body)


def _parent(wire: WireSpan) -> str | None:
    for reference in wire.references or ():
        if reference.ref_type in ("CHILD_OF", None) and reference.span_id:
            return reference.span_id
    return (
        wire.parent_span_id
        or wire.jaeger_parent_id
        or wire.parent_id
        or wire.plain_parent_id
        or None
    )


def _times(wire: WireSpan) -> tuple[float | None, float | None]:
    start = seconds(number(first((wire.start_nano, wire.start_unix))))
    pair = _pair(wire.start_micro)
    start = first((start, pair, seconds(number(wire.start_micro)), seconds(wire.start_time)))
    start = first((start, seconds(wire.timestamp)))
    end = first((seconds(number(first((wire.end_nano, wire.end_unix)))), seconds(wire.end_time)))
    end = first((end, _pair(wire.end_pair)))
    if end is None and (duration := _duration(wire.duration_micro)) is not None:
        end = start + duration if start is not None else None
    return start, end if start is not None and end is not None and end >= start else None


def _duration(value: Any) -> float | None:
    """Microseconds in Jaeger, `PT2M43.5S` in TRAIL."""
    if isinstance(value, str) and (match := _ISO.fullmatch(value)):
        parts = (float(part or 0) for part in match.groups())
        return sum(part * size for part, size in zip(parts, (86400, 3600, 60, 1), strict=True))
    return _scale(value, 1e6)


_ISO = re.compile(r"P(?:([\d.]{1,9})D)?T?(?:([\d.]{1,9})H)?(?:([\d.]{1,9})M)?(?:([\d.]{1,16})S)?")


def _scale(value: Any, per_second: float) -> float | None:
    count = number(value)
    if isinstance(count, bool) or not isinstance(count, int | float):
        return None
    return count / per_second if 0 <= count < 2**63 else None


def _error(wire: WireSpan, attributes: dict[str, Any], events: list[Event]) -> str | None:
    status = wire.status or Status()
    code = first((status.code, status.status_code, wire.status_code))
    failed = (
        code in _ERROR_CODES
        or attributes.get("otel.status_code") == "ERROR"
        or attributes.get("error") in (True, "true")
        or attributes.get("error.type") not in (None, "")
    )
    if not failed:
        return None
    exception = next((e.body for e in events if e.name == "exception"), {})
    reported = (
        status.message,
        status.description,
        wire.status_message,
        attributes.get("otel.status_description"),
        attributes.get("error.message"),
        exception.get("exception.message"),
        exception.get("exception.type"),
        attributes.get("error.type"),
    )
    return next(
        (cut_text(text, 500) for text in reported if isinstance(text, str) and text), "error"
    )
