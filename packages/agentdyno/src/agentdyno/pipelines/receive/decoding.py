"""Turns the body of an OTLP request, in JSON or protobuf, into records."""

from agentdyno.pipelines.receive.requests import (
    Decoded,
    Encoding,
    Record,
    Signal,
    check_record,
    read_json,
)


def decode_request(body: bytes, signal: Signal, encoding: Encoding) -> Decoded:
    """The records of a request; raises `MalformedRequest` where nothing of it can be read."""
    if encoding == "json":
        found = read_json(body, signal)
    else:
        from agentdyno.pipelines.receive.protobuf import read_protobuf

        found = read_protobuf(body, signal)
    decoded = Decoded([], 0, "")
    for origin, read in found:
        try:
            value = read()
            check_record(value, origin.signal)
        except (ValueError, RecursionError) as error:
            decoded.reject(error)
        else:
            decoded.records.append(Record(origin, value))
    return decoded
