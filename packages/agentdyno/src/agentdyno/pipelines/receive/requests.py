"""What an OTLP request holds: records with the resource and scope they came under, as OTLP JSON.

Reads requests in JSON (`protobuf` reads the others) and writes the lines of segments. Knows nothing
of networks and files.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

Signal = Literal["traces", "logs"]
Encoding = Literal["json", "protobuf"]
SIGNALS: tuple[Signal, ...] = ("traces", "logs")
LARGEST_RECORD = 32 * 2**20
"""Bytes of JSON; the reader of segments takes records up to twice as large."""
SESSION_KEYS = ("session.id", "gen_ai.conversation.id", "conversation.id")
"""Attributes that name the session of a record that has no trace, or one of its own."""
_ID = re.compile(r"[\w+/=.:-]{1,64}", re.ASCII)


class Names(Struct, frozen=True):
    """How OTLP JSON calls the levels of a signal."""

    resources: str
    """The list of resources in a request."""
    scopes: str
    """The list of scopes in a resource."""
    records: str
    """The list of records in a scope."""


NAMES: dict[Signal, Names] = {
    "traces": Names("resourceSpans", "scopeSpans", "spans"),
    "logs": Names("resourceLogs", "scopeLogs", "logRecords"),
}


class MalformedRequest(Exception):
    """The body as a whole cannot be read; its text says why."""


class Origin(Struct, eq=False):
    """The resource and the scope of some records, as OTLP JSON."""

    signal: Signal
    """Spans or log records."""
    resource: dict[str, Any]
    """What sent them."""
    scope: dict[str, Any]
    """The instrumentation that wrote them."""


class Record(Struct, eq=False):
    """A span or a log record."""

    origin: Origin
    """Its resource and scope; the same object for those that share them."""
    value: dict[str, Any]
    """The record as OTLP JSON."""


class Decoded(Struct, eq=False):
    """What a request holds."""

    records: list[Record]
    """Records in the order of the request."""
    rejected: int
    """Records that could not be read."""
    reason: str
    """Why the first of them could not; empty when all could."""

    def keep(self, use: Callable[[Record], None]) -> None:
        """Uses each record; those that raise ValueError are rejected."""
        kept = []
        for record in self.records:
            try:
                use(record)
            except (ValueError, RecursionError) as error:
                self.reject(error)
            else:
                kept.append(record)
        self.records = kept

    def reject(self, error: Exception) -> None:
        """Counts a record that cannot be kept."""
        self.rejected += 1
        self.reason = self.reason or str(error)[:300]


def check_record(value: Any, signal: Signal) -> None:
    """Raises ValueError with what was expected of a record and what was found."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {type(value).__name__}")
    for name in ("traceId", "spanId"):
        held = value.get(name)
        if signal == "logs" and held in (None, ""):
            continue
        if not isinstance(held, str) or not _ID.fullmatch(held) or not held.strip("0"):
            raise ValueError(f"expected an id at {name}, got {type(held).__name__}")
    attributes = value.get("attributes")
    if attributes is not None and not isinstance(attributes, list):
        raise ValueError(f"expected a list at attributes, got {type(attributes).__name__}")
    if not all(isinstance(a, dict) and isinstance(a.get("key"), str) for a in attributes or ()):
        raise ValueError("expected key and value of each attribute, got something else")


def find_keys(value: dict[str, Any]) -> list[str]:
    """What a record has in common with others of its file: its trace, then its session."""
    keys = [f"trace:{value['traceId']}"] if value.get("traceId") else []
    for attribute in value.get("attributes") or ():
        if attribute["key"] in SESSION_KEYS:
            held = attribute.get("value")
            name = held.get("stringValue") if isinstance(held, dict) else None
            if isinstance(name, str) and name:
                keys.append(f"session:{name}")
    return keys


def encode_line(origin: Origin, records: list[bytes]) -> bytes:
    """A line of a segment: one export request of one resource and scope."""
    names = NAMES[origin.signal]
    scope = {"scope": origin.scope, names.records: [Raw(record) for record in records]}
    line = {names.resources: [{"resource": origin.resource, names.scopes: [scope]}]}
    return msgspec.json.encode(line) + b"\n"


Found = Iterator[tuple[Origin, Callable[[], Any]]]
"""Records that are still to be decoded, each alone."""


_UNREADABLE = (ValueError, RecursionError)
"""What msgspec raises: text that is no UTF-8 is found when it is decoded, later than the rest."""


def read_json(body: bytes, signal: Signal) -> Found:
    """The records of an export request in JSON, each to be decoded alone."""
    names = NAMES[signal]
    try:
        request = msgspec.json.decode(body, type=dict[str, Raw])
        resources = _decode_list(request.get(names.resources))
    except _UNREADABLE as error:
        raise MalformedRequest(f"expected an OTLP {signal} request in JSON: {error}") from None
    if not resources and request:
        raise MalformedRequest(f"expected {names.resources}, found {', '.join(request)[:200]}")
    return _walk_json(resources, signal)


def _walk_json(resources: list[Raw], signal: Signal) -> Found:
    names = NAMES[signal]
    for raw in resources:
        try:
            level = msgspec.json.decode(raw, type=dict[str, Raw])
            resource = _decode_object(level.get("resource"))
            scopes = _decode_list(level.get(names.scopes))
        except _UNREADABLE as error:
            yield Origin(signal, {}, {}), partial(fail, error)
            continue
        for inner in scopes:
            try:
                below = msgspec.json.decode(inner, type=dict[str, Raw])
                origin = Origin(signal, resource, _decode_object(below.get("scope")))
                records = _decode_list(below.get(names.records))
            except _UNREADABLE as error:
                yield Origin(signal, {}, {}), partial(fail, error)
                continue
            for record in records:
                yield origin, partial(msgspec.json.decode, record)


def _decode_list(raw: Raw | None) -> list[Raw]:
    return msgspec.json.decode(raw, type=list[Raw] | None) or [] if raw is not None else []


def _decode_object(raw: Raw | None) -> dict[str, Any]:
    """A resource or a scope; one that cannot be read is left out, not what it describes."""
    try:
        return msgspec.json.decode(raw, type=dict[str, Any] | None) or {} if raw is not None else {}
    except _UNREADABLE:
        return {}


def fail(error: Exception) -> Any:
    """In the place of a record: what holds it cannot be read."""
    raise ValueError(str(error))
