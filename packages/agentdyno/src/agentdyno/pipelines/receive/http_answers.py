"""What goes back to a client: export responses and errors, in the encoding of the request."""

import zlib

import msgspec
from msgspec import Struct

from agentdyno.pipelines.receive.committer import Accepted
from agentdyno.pipelines.receive.requests import Encoding, Signal

ENCODINGS: dict[str, Encoding] = {
    "application/json": "json",
    "application/x-protobuf": "protobuf",
}
"""By media type."""
_REJECTED: dict[Signal, str] = {"traces": "rejectedSpans", "logs": "rejectedLogRecords"}


class Refused(Exception):
    """A request that gets an error for an answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Answer(Struct, frozen=True):
    """What goes back."""

    status: int
    body: bytes
    """In the encoding of the request."""
    type: str


def unpack(body: bytes, coding: str, most: int) -> bytes:
    """The body without its compression, at most so many bytes."""
    if coding in ("", "identity"):
        return body
    if coding != "gzip":
        raise Refused(415, f"expected gzip or no Content-Encoding, found {coding[:40]}")
    data = b""
    while body:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            data += unpacker.decompress(body, most + 1 - len(data))
        except zlib.error as error:
            raise Refused(400, f"expected a gzip body: {error}") from None
        if len(data) > most:
            raise Refused(413, describe_limit(most))
        if not unpacker.eof:
            raise Refused(400, "expected a gzip body, found one that is cut off")
        body = unpacker.unused_data
    return data


def encode_answer(accepted: Accepted, signal: Signal, encoding: Encoding) -> Answer:
    """An export response, in the encoding of its request."""
    encode = _encode_json if encoding == "json" else encode_protobuf
    media = next(media for media, name in ENCODINGS.items() if name == encoding)
    return Answer(200, encode(accepted, signal), media)


def encode_refusal(refused: Refused, media: str) -> Answer:
    """An error as OTLP has it: a `Status` with a message, in the encoding of the request."""
    message = str(refused)
    if ENCODINGS.get(media.partition(";")[0].strip().lower()) == "protobuf":
        return Answer(refused.status, _field(2, message.encode()), "application/x-protobuf")
    body = msgspec.json.encode({"message": message})
    return Answer(refused.status, body, "application/json")


def _encode_json(accepted: Accepted, signal: Signal) -> bytes:
    if not accepted.rejected:
        return b"{}"
    partial = {_REJECTED[signal]: str(accepted.rejected), "errorMessage": accepted.reason}
    return msgspec.json.encode({"partialSuccess": partial})


def encode_protobuf(accepted: Accepted, signal: Signal) -> bytes:
    """An export response in protobuf; all signals number their fields alike."""
    if not accepted.rejected:
        return b""
    partial = b"\x08" + _varint(accepted.rejected) + _field(2, accepted.reason.encode())
    return _field(1, partial)


def _field(number: int, data: bytes) -> bytes:
    """A length-delimited field of protobuf."""
    return bytes([number << 3 | 2]) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes([*encoded, value])


def describe_limit(limit: int) -> str:
    """What a request that is too large is told."""
    return f"expected at most {limit:,} bytes in a request, sent and unpacked"
