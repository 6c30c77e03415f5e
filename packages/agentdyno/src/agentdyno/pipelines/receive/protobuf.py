"""Reads OTLP requests in protobuf, a record at a time, into the shape of OTLP JSON.

A request is split by its outer fields alone, so that a record that protobuf refuses (a text that is
no UTF-8, say) costs only itself. Ids become hex and 64-bit numbers text, as OTLP JSON has them.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from agentdyno.pipelines.receive.requests import (
    Found,
    MalformedRequest,
    Origin,
    Signal,
    Undecoded,
    fail,
)

_OUTER, _OWN, _BELOW = 1, 1, 2
"""Field numbers: resources in a request; the resource or scope itself; the level below it."""


def read_protobuf(body: bytes, signal: Signal) -> Found:
    """The records of an export request, each to be decoded alone."""
    try:
        resources = [data for number, data in _split(memoryview(body)) if number == _OUTER]
    except ValueError as error:
        message = f"expected an OTLP {signal} request in protobuf: {error}"
        raise MalformedRequest(message) from None
    return _walk(resources, signal)


def _walk(resources: list[memoryview], signal: Signal) -> Found:
    read = _read_span if signal == "traces" else _read_log
    for whole in resources:
        try:
            level = list(_split(whole))
        except ValueError as error:
            yield Undecoded(Origin(signal, {}, {}), partial(fail, error))
            continue
        resource = _read_first(level, Resource, _describe_resource)
        for number, data in level:
            if number != _BELOW:
                continue
            try:
                below = list(_split(data))
            except ValueError as error:
                yield Undecoded(Origin(signal, {}, {}), partial(fail, error))
                continue
            origin = Origin(signal, resource, _read_first(below, InstrumentationScope, _describe))
            for inner, record in below:
                if inner == _BELOW:
                    own = bytes(record)
                    yield Undecoded(origin, partial(read, own), partial(_find_span, own, signal))


def _find_span(record: bytes, signal: Signal) -> str | None:
    field = 2 if signal == "traces" else 10
    try:
        ids = [bytes(data) for number, data in _split(memoryview(record)) if number == field]
    except ValueError:
        return None
    return ids[0].hex()[:32] if ids and ids[0] else None


def _split(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The length-delimited fields of a message, by number; other fields are passed over."""
    at, end = 0, len(data)
    while at < end:
        tag, at = _read_varint(data, at)
        kind = tag & 7
        if kind == 2:
            size, at = _read_varint(data, at)
            if at + size > end:
                raise ValueError(f"a field of {size:,} bytes where {end - at:,} are left")
            yield tag >> 3, data[at : at + size]
            at += size
        elif kind == 0:
            _, at = _read_varint(data, at)
        elif kind in (1, 5):
            at += 8 if kind == 1 else 4
        else:
            raise ValueError(f"unknown wire type {kind}")
    if at > end:
        raise ValueError("the message is cut off")


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 64:
        if at >= len(data):
            raise ValueError("the message is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
    raise ValueError("a number of more than ten bytes")


def _read_first(
    level: list[tuple[int, memoryview]], kind: Any, describe: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """The resource or the scope; one that cannot be read is left out, not what it describes."""
    try:
        return next((describe(_parse(kind, bytes(d))) for n, d in level if n == _OWN), {})
    except ValueError:
        return {}


def _parse(kind: Any, data: bytes) -> Any:
    try:
        return kind.FromString(data)
    except DecodeError as error:
        raise ValueError(str(error)) from None


def _read_span(data: bytes) -> dict[str, Any]:
    span = _parse(Span, data)
    value: dict[str, Any] = {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.start_time_unix_nano),
        "endTimeUnixNano": str(span.end_time_unix_nano),
        "attributes": _list_attributes(span.attributes),
    }
    if span.parent_span_id:
        value["parentSpanId"] = span.parent_span_id.hex()
    if span.events:
        value["events"] = [
            {
                "timeUnixNano": str(event.time_unix_nano),
                "name": event.name,
                "attributes": _list_attributes(event.attributes),
            }
            for event in span.events
        ]
    if span.status.code or span.status.message:
        value["status"] = {"code": span.status.code, "message": span.status.message}
    return value


def _read_log(data: bytes) -> dict[str, Any]:
    log = _parse(LogRecord, data)
    value: dict[str, Any] = {
        "timeUnixNano": str(log.time_unix_nano),
        "observedTimeUnixNano": str(log.observed_time_unix_nano),
        "severityNumber": log.severity_number,
        "severityText": log.severity_text,
        "attributes": _list_attributes(log.attributes),
    }
    if log.HasField("body"):
        value["body"] = _describe_value(log.body)
    if log.trace_id:
        value["traceId"] = log.trace_id.hex()
    if log.span_id:
        value["spanId"] = log.span_id.hex()
    if log.event_name:
        value["eventName"] = log.event_name
    return value


def _describe_resource(resource: Resource) -> dict[str, Any]:
    return {"attributes": _list_attributes(resource.attributes)}


def _describe(scope: InstrumentationScope) -> dict[str, Any]:
    attributes: dict[str, Any] = {"name": scope.name, "version": scope.version}
    if scope.attributes:
        attributes["attributes"] = _list_attributes(scope.attributes)
    return attributes


def _list_attributes(pairs: Any) -> list[dict[str, Any]]:
    return [_describe_pair(pair) for pair in pairs]


def _describe_pair(pair: KeyValue) -> dict[str, Any]:
    return {"key": pair.key, "value": _describe_value(pair.value)}


def _describe_value(value: AnyValue) -> dict[str, Any]:
    kind = value.WhichOneof("value")
    if kind == "string_value":
        return {"stringValue": value.string_value}
    if kind == "int_value":
        return {"intValue": str(value.int_value)}
    if kind == "double_value":
        return {"doubleValue": value.double_value}
    if kind == "bool_value":
        return {"boolValue": value.bool_value}
    if kind == "array_value":
        return {"arrayValue": {"values": [_describe_value(v) for v in value.array_value.values]}}
    if kind == "kvlist_value":
        return {"kvlistValue": {"values": _list_attributes(value.kvlist_value.values)}}
    if kind == "bytes_value":
        return {"bytesValue": b64encode(value.bytes_value).decode()}
    return {}
