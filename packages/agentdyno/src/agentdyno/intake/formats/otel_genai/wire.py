"""The shapes of spans on disk: OTLP JSON, its Tempo and Jaeger relatives, and bare spans.

Everything that holds spans is one loose `Envelope`; everything that is a span is one `WireSpan`
with the fields of all of them. Spans stay raw until each is decoded alone, so that a damaged one
costs only itself.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from agentdyno.intake.texts import number


class KeyValue(Struct, gc=False):
    """An attribute; the value is typed in OTLP ({"intValue": "7"}) and plain in Jaeger."""

    key: str
    value: Any = None


Attributes = list[KeyValue] | dict[str, Any] | None


class RejectedRecord(Struct, gc=False):
    """A record that came in a request and was not kept."""

    signal: str = "records"
    record: int = 0
    reason: str = ""
    span: str | None = None


class Envelope(Struct, rename="camel", gc=False):
    """Any level above the spans: an export request, a resource, a scope, a Jaeger trace."""

    resource_spans: "list[Envelope] | None" = None
    batches: "list[Envelope] | None" = None
    scope_spans: "list[Envelope] | None" = None
    instrumentation_library_spans: "list[Envelope] | None" = None
    data: "list[Envelope] | Envelope | None" = None
    """Jaeger's traces, or the spans of one MLflow trace."""
    trace: "Envelope | None" = None
    spans: list[Raw] | None = None
    resource_logs: "list[Envelope] | None" = None
    scope_logs: "list[Envelope] | None" = None
    log_records: list[Raw] | None = None
    rejected_records: "list[RejectedRecord] | None" = None
    """Records that `agentdyno receive` could not keep."""
    span_id: Any = None
    """Set when the record is a span itself."""
    context: Any = None
    """Set when the record is a span as the SDKs print it."""
    row_id: Any = field(default=None, name="context.span_id")
    """Set when the record is a row of a table of spans, as Phoenix exports them."""
    body: Any = None
    hr_time: Any = None
    """Set with `body` or `attributes` when the record is a log record as the SDKs print it."""

    @property
    def is_span(self) -> bool:
        """True when the record is a span itself."""
        return any(e is not None for e in (self.span_id, self.context, self.row_id))

    def inside(self) -> "list[Envelope]":
        """The next levels down, in order."""
        levels = (
            self.resource_spans,
            self.batches,
            self.scope_spans,
            self.instrumentation_library_spans,
            self.data if isinstance(self.data, list) else None,
            self.resource_logs,
            self.scope_logs,
        )
        below = [envelope for level in levels if level for envelope in level]
        return [*below, *(e for e in (self.trace, self.data) if isinstance(e, Envelope))]


class WireEvent(Struct, gc=False):
    """An event of a span; Jaeger calls it a log and its name is one of the fields."""

    name: str | None = None
    attributes: Attributes = None
    fields: Attributes = None


class Status(Struct, gc=False):
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
    end_pair: Any = field(default=None, name="endTime")
    """Seconds and nanoseconds, as JavaScript's SDK writes them; so may `startTime` be."""
    tags: Attributes = None
    logs: list[WireEvent] | None = None
    # As the SDKs print it
    context: Context | None = None
    parent_id: str | None = None
    start_time: Any = None
    end_time: Any = None
    # Phoenix, MLflow and TRAIL: the same with other names
    plain_trace_id: str | None = field(default=None, name="trace_id")
    plain_span_id: str | None = field(default=None, name="span_id")
    plain_parent_id: str | None = field(default=None, name="parent_span_id")
    start_unix: Any = field(default=None, name="start_time_unix_nano")
    end_unix: Any = field(default=None, name="end_time_unix_nano")
    timestamp: Any = None
    span_name: str | None = None
    span_attributes: Attributes = None
    span_kind: str | None = None
    status_code: int | str | None = None
    status_message: str | None = None
    row_trace_id: str | None = field(default=None, name="context.trace_id")
    row_span_id: str | None = field(default=None, name="context.span_id")

    @property
    def ids(self) -> tuple[str | None, str | None]:
        inner = self.context or Context()
        trace = self.trace_id or self.jaeger_trace_id or inner.trace_id or self.plain_trace_id
        span = self.span_id or self.jaeger_span_id or inner.span_id or self.plain_span_id
        return trace or self.row_trace_id, span or self.row_span_id


class Nested(Struct, gc=False):
    """A span that holds those below it."""

    child_spans: list[Raw] = []


class WireLog(Struct, rename="camel", gc=False):
    """A log record; GenAI events may be exported this way, tied to their span by its id."""

    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None
    body: Any = None
    attributes: Attributes = None
    time_unix_nano: Any = None
    observed_time_unix_nano: Any = None
    hr_time: Any = None


ENVELOPE = msgspec.json.Decoder(Envelope)
SPAN = msgspec.json.Decoder(WireSpan)
LOG = msgspec.json.Decoder(WireLog)
ROW = msgspec.json.Decoder(dict[str, Any])


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


def iterate_nested(spans: Iterable[Raw]) -> Iterator[bytes]:
    """Every span, also those that stand inside another, as in TRAIL; without recursion."""
    waiting = [bytes(raw) for raw in reversed(list(spans))]
    while waiting:
        data = waiting.pop()
        yield data
        if b'"child_spans"' in data:
            try:
                inner = msgspec.json.decode(data, type=Nested).child_spans
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            waiting += [bytes(raw) for raw in reversed(inner)]
