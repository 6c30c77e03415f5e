"""What an OTLP request holds: records with the resource and scope they came under, as OTLP JSON.

Reads requests in JSON (`protobuf` reads the others) and writes the lines of segments. A record that
cannot be read costs only itself: it is named by its number in the request, and by its span's id
where that can be seen. Knows nothing of networks and files.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from agentdyno.records import printable

Signal = Literal["traces", "logs"]
Encoding = Literal["json", "protobuf"]
LARGEST_RECORD = 32 * 2**20
"""Bytes of JSON; the reader of segments takes records up to twice as large."""
MOST_NAMED = 100
"""Rejected records of a request that are named, each; the others are counted."""
SESSION_KEYS = ("session.id", "gen_ai.conversation.id", "conversation.id")
"""Attributes that name the session of a record that has no trace, or one of its own."""
_ID = re.compile(r"[\w+/=.:-]{1,64}", re.ASCII)
_SPAN_ID = re.compile(rb'"spanId"\s*:\s*"([0-9A-Fa-f]{1,32})"')
_PAIR = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*(.*)', re.DOTALL)
_HEX = re.compile(r"[0-9A-Fa-f]{1,32}")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{},:]', re.DOTALL)


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
    resource: dict[str, Any]
    scope: dict[str, Any]
    """The instrumentation that wrote them."""


class Record(Struct, eq=False):
    """A span or a log record."""

    origin: Origin
    """Its resource and scope; the same object for those that share them."""
    value: dict[str, Any]
    """The record as OTLP JSON."""
    place: int
    """How many records of the request come before it."""


class Rejection(Struct, frozen=True):
    """A record that was not kept."""

    signal: Signal
    record: int
    """Its number in the request, from 1."""
    reason: str
    """What was expected, and what was found."""
    span: str | None = None
    """The id that it gives itself; None where none can be seen."""

    def __str__(self) -> str:
        span = f" (span {self.span})" if self.span else ""
        return f"record {self.record:,}{span}: {self.reason}"


class Decoded(Struct, eq=False):
    """What a request holds."""

    signal: Signal
    records: list[Record]
    """Records in the order of the request."""
    rejected: int = 0
    named: list[Rejection] = []
    """The first of them."""

    def keep(self, use: Callable[[Record], None]) -> None:
        """Uses each record; those that raise ValueError are rejected."""
        records = []
        for record in self.records:
            try:
                use(record)
            except (ValueError, RecursionError) as error:
                span = str(record.value.get("spanId"))
                self.reject(error, record.place, span if _HEX.fullmatch(span) else None)
            else:
                records.append(record)
        self.records = records

    def reject(self, error: Exception, index: int, span: str | None) -> None:
        """Counts a record that cannot be kept."""
        self.rejected += 1
        if len(self.named) < MOST_NAMED:
            is_deep = isinstance(error, RecursionError)
            reason = "expected a value, found one nested too deep" if is_deep else str(error)
            self.named.append(Rejection(self.signal, index + 1, printable(reason, 200), span))


def check_record(value: Any, signal: Signal) -> None:
    """Raises ValueError with what was expected of a record and what was found."""
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {type(value).__name__}")
    for name in ("traceId", "spanId"):
        identifier = value.get(name)
        if signal == "logs" and identifier in (None, ""):
            continue
        if (
            not isinstance(identifier, str)
            or not _ID.fullmatch(identifier)
            or not identifier.strip("0")
        ):
            raise ValueError(f"expected an id at {name}, got {type(identifier).__name__}")
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
            attribute_value = attribute.get("value")
            name = attribute_value.get("stringValue") if isinstance(attribute_value, dict) else None
            if isinstance(name, str) and name:
                keys.append(f"session:{name}")
    return keys


def encode_line(origin: Origin, records: list[bytes]) -> bytes:
    """A line of a segment: one export request of one resource and scope."""
    names = NAMES[origin.signal]
    scope = {"scope": origin.scope, names.records: [Raw(record) for record in records]}
    line = {names.resources: [{"resource": origin.resource, names.scopes: [scope]}]}
    return msgspec.json.encode(line) + b"\n"


def encode_rejections(rejected: list[bytes]) -> bytes:
    """A line of a segment that names records which were not kept; the ledger has them as bad."""
    return msgspec.json.encode({"rejectedRecords": [Raw(record) for record in rejected]}) + b"\n"


class Undecoded(Struct, frozen=True):
    """A record that is still to be decoded, alone."""

    origin: Origin
    read: Callable[[], Any]
    """Its value as OTLP JSON; raises ValueError or RecursionError."""
    find_span: Callable[[], str | None] = lambda: None
    """The id that it gives itself, as far as it can be seen without decoding it."""


Found = Iterator[Undecoded]


_UNREADABLE = (ValueError, RecursionError)
"""What msgspec raises: text that is no UTF-8 is found when it is decoded, later than the rest."""


def read_json(body: bytes, signal: Signal) -> Found:
    """The records of an export request in JSON, each to be decoded alone."""
    names = NAMES[signal]
    try:
        request = _decode_fields(body)
        resources = _decode_list(request.get(names.resources))
    except _UNREADABLE as error:
        raise MalformedRequest(f"expected an OTLP {signal} request in JSON: {error}") from None
    if not resources and request:
        raise MalformedRequest(f"expected {names.resources}, found {', '.join(request)[:200]}")
    return _walk_json(resources, signal)


def _walk_json(resources: Sequence[Raw | bytes], signal: Signal) -> Found:
    names = NAMES[signal]
    for raw in resources:
        try:
            level = _decode_fields(raw)
            resource = _decode_object(level.get("resource"))
            scopes = _decode_list(level.get(names.scopes))
        except _UNREADABLE as error:
            yield Undecoded(Origin(signal, {}, {}), partial(fail, error))
            continue
        for inner in scopes:
            try:
                below = _decode_fields(inner)
                origin = Origin(signal, resource, _decode_object(below.get("scope")))
                records = _decode_list(below.get(names.records))
            except _UNREADABLE as error:
                yield Undecoded(Origin(signal, {}, {}), partial(fail, error))
                continue
            for record in records:
                yield Undecoded(
                    origin, partial(msgspec.json.decode, record), partial(_find_span, record)
                )


def _find_span(record: Raw | bytes) -> str | None:
    match = _SPAN_ID.search(bytes(record))
    return match[1].decode() if match else None


def _decode_fields(data: Raw | bytes) -> dict[str, Raw | bytes]:
    try:
        return dict(msgspec.json.decode(data, type=dict[str, Raw]))
    except _UNREADABLE:
        pairs = (_PAIR.fullmatch(part) for part in _split(bytes(data), b"{"))
        return {msgspec.json.decode(pair[1], type=str): pair[2] for pair in pairs if pair}


def _decode_list(data: Raw | bytes | None) -> Sequence[Raw | bytes]:
    if data is None:
        return []
    try:
        return msgspec.json.decode(data, type=list[Raw] | None) or []
    except _UNREADABLE:
        return _split(bytes(data), b"[")


def _split(data: bytes, opening: bytes) -> list[bytes]:
    """What stands between the commas of a list or an object, without a look inside: msgspec gives
    up on all of it where one value is nested too deep or has half a character."""
    if not data.lstrip().startswith(opening):
        raise ValueError(f"expected {'a list' if opening == b'[' else 'an object'}")
    parts: list[bytes] = []
    depth = start = 0
    for token in _TOKEN.finditer(data):
        kind = data[token.start()]
        if kind in b"[{":
            depth += 1
            start = token.end() if depth == 1 else start
        elif kind in b"]}":
            depth -= 1
            if depth == 0:
                last = data[start : token.start()].strip()
                return [*parts, last] if last or parts else []
        elif kind in b"," and depth == 1:
            parts.append(data[start : token.start()].strip())
            start = token.end()
    raise ValueError("expected the whole of it, found it cut off")


def _decode_object(raw: Raw | bytes | None) -> dict[str, Any]:
    """A resource or a scope; one that cannot be read is left out, not what it describes."""
    try:
        return msgspec.json.decode(raw, type=dict[str, Any] | None) or {} if raw is not None else {}
    except _UNREADABLE:
        return {}


def fail(error: Exception) -> Any:
    """In the place of a record: what holds it cannot be read."""
    raise ValueError(str(error))
