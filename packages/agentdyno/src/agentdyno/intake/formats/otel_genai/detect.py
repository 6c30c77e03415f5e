"""Recognises spans: OTLP JSON, Tempo's `batches`, Jaeger's `data`, bare spans by line."""

from typing import Any

from agentdyno.intake.head import Head

_GENAI = (b"gen_ai.", b"openinference.", b'"llm.', b"gcp.vertex.agent.", b'"ai.')


def detect(head: Head) -> float:
    """0.95 for GenAI spans; 0.7 for spans whose beginning tells of no model."""
    if not (_holds_spans(head) or any(is_span(line) for line in head.lines[:20])):
        return 0.0
    return 0.95 if any(word in head.data for word in _GENAI) else 0.7


def is_span(record: Any) -> bool:
    """Whether the record is a span itself, as OTLP or as the SDKs print it."""
    if not isinstance(record, dict) or not isinstance(record.get("attributes"), dict | list):
        return False
    context = record.get("context")
    return {"traceId", "spanId"} <= record.keys() or (
        isinstance(context, dict) and {"trace_id", "span_id"} <= context.keys()
    )


def _holds_spans(head: Head) -> bool:
    data, keys = head.data, set(head.keys)
    for line in head.lines[:20]:
        keys.update(line if isinstance(line, dict) else ())
    if "resourceSpans" in keys:
        return True
    if "batches" in keys or "trace" in keys or "resourceLogs" in keys:
        return b'"scopeSpans"' in data or b'"instrumentationLibrarySpans"' in data
    if "data" in keys or {"traceID", "spans"} <= keys:
        return b'"traceID"' in data and b'"operationName"' in data
    return head.is_list and {"context", "attributes"} <= keys and b'"trace_id"' in data
