"""The shapes of spans on disk: OTLP JSON, its Tempo and Jaeger relatives, and bare spans.

Everything that holds spans is one loose `Envelope`; everything that is a span is one `WireSpan`
with the fields of all of them. Spans stay raw until each is decoded alone, so that a damaged one
costs only itself.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from agentdyno.intake.texts import number


class KeyValue(Struct, gc=False):
    """An attribute; the value is typed in OTLP ({"intValue": "7"}) and plain in Jaeger."""

    key: str
    value: Any = None


Attributes = list[KeyValue] | dict[str, Any] | None


class Envelope(Struct, rename="camel", gc=False):
    """Any level above the spans: an export request, a resource, a scope, a Jaeger trace."""

    resource_spans: "list[Envelope] | None" = None
    batches: "list[Envelope] | None" = None
    scope_spans: "list[Envelope] | None" = None
    instrumentation_library_spans: "list[Envelope] | None" = None
    data: "list[Envelope] | None" = None
    trace: "Envelope | None" = None
    spans: list[Raw] | None = None
    resource_logs: "list[Envelope] | None" = None
    scope_logs: "list[Envelope] | None" = None
    log_records: list[Raw] | None = None
    span_id: Any = None
    """Set when the record is a span itself."""
    context: Any = None
    """Set when the record is a span as the SDKs print it."""

    def inside(self) -> "list[Envelope]":
        """The next levels down, in order."""
        levels = (
            self.resource_spans,
            self.batches,
            self.scope_spans,
            self.instrumentation_library_spans,
            self.data,
            self.resource_logs,
            self.scope_logs,
        )
        below = [envelope for level in levels if level for envelope in level]
        return [*below, self.trace] if self.trace is not None else below


class WireEvent(Struct, gc=False):
    """An event of a span; Jaeger calls it a log and its name is one of the fields."""

    name: str | None = None
    attributes: Attributes = None
    fields: Attributes = None


class Status(Struct, gc=False):
    """How the span ended."""

    code: int | str | None = None
    message: str | None = None
    status_code: int | str | None = None
    description: str | None = None


class Reference(Struct, gc=False):
    """Jaeger's link to the parent."""

    ref_type: str | None = field(default=None, name="refType")
    span_id: str | None = field(default=None, name="spanID")


class Context(Struct, gc=False):
    """Ids of a span as the SDKs print it."""

    trace_id: str | None = None
    span_id: str | None = None


class WireSpan(Struct, gc=False):
    """A span in any of the shapes; which fields are set tells which."""

    name: str | None = None
    attributes: Attributes = None
    events: list[WireEvent] | None = None
    status: Status | None = None
    trace_id: str | None = field(default=None, name="traceId")
    span_id: str | None = field(default=None, name="spanId")
    parent_span_id: str | None = field(default=None, name="parentSpanId")
    start_nano: Any = field(default=None, name="startTimeUnixNano")
    end_nano: Any = field(default=None, name="endTimeUnixNano")
    # Jaeger
    jaeger_trace_id: str | None = field(default=None, name="traceID")
    jaeger_span_id: str | None = field(default=None, name="spanID")
    jaeger_parent_id: str | None = field(default=None, name="parentSpanID")
    operation: str | None = field(default=None, name="operationName")
    references: list[Reference] | None = None
    start_micro: Any = field(default=None, name="startTime")
    duration_micro: Any = field(default=None, name="duration")
    tags: Attributes = None
    logs: list[WireEvent] | None = None
    # As the SDKs print it
    context: Context | None = None
    parent_id: str | None = None
    start_time: Any = None
    end_time: Any = None


class WireLog(Struct, rename="camel", gc=False):
    """A log record; GenAI events may be exported this way, tied to their span by its id."""

    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None
    body: Any = None
    attributes: Attributes = None


ENVELOPE = msgspec.json.Decoder(Envelope)
SPAN = msgspec.json.Decoder(WireSpan)
LOG = msgspec.json.Decoder(WireLog)


def attributes_of(wire: Attributes) -> dict[str, Any]:
    """Attributes by name, with plain values."""
    if isinstance(wire, dict):
        return {key: plain(value) for key, value in wire.items()}
    return {pair.key: plain(pair.value) for pair in wire or ()}


def plain(value: Any) -> Any:
    """OTLP's typed value as the value itself; anything else stays as it is."""
    if not isinstance(value, dict) or len(value) > 1:
        return value
    for kind, inner in value.items():
        if kind in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
            return inner
        if kind == "intValue":
            return number(inner)
        if kind == "arrayValue":
            return [plain(item) for item in _values(inner)]
        if kind == "kvlistValue":
            pairs = [p for p in _values(inner) if isinstance(p, dict)]
            return {str(p.get("key")): plain(p.get("value")) for p in pairs}
        return value
    return None


def _values(inner: Any) -> list[Any]:
    values = inner.get("values") if isinstance(inner, dict) else None
    return values if isinstance(values, list) else []
