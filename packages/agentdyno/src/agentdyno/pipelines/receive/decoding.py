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
    decoded = Decoded(signal, [])
    for place, each in enumerate(found):
        try:
            value = each.read()
            check_record(value, signal)
        except (ValueError, RecursionError) as error:
            decoded.reject(error, place, each.find_span())
        else:
            decoded.records.append(Record(each.origin, value, place))
    return decoded
