"""Reads Bedrock's invocation logs: a body on either side, and counts beside them."""

from collections.abc import Iterator

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.exchanges import usage_attributes
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import parse_json
from agentdyno.intake.streams import Fields, Record, or_no_response, read_each
from agentdyno.intake.texts import fields_of, seconds
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "bedrock"
_COUNTS = {
    "inputTokenCount": "inputTokens",
    "cacheReadInputTokenCount": "cacheReadInputTokens",
    "cacheWriteInputTokenCount": "cacheWriteInputTokens",
}


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation."""
    records = any_records(source, "events", "logEvents")
    calls = read_each(source, FORMAT_NAME, records, _exchanges)
    return or_no_response(source, FORMAT_NAME, read_exchanges(source, FORMAT_NAME, calls))


def _exchanges(source: Source, record: Record) -> Iterator[Exchange]:
    decoded = record.decode()
    inner = parse_json(decoded.get("message"))
    invocation = inner if isinstance(inner, dict) else decoded
    if invocation.get("schemaType") == "ModelInvocationLog":
        yield _exchange(invocation, record.locator)


def _exchange(fields: Fields, locator: str) -> Exchange:
    into, out = fields_of(fields.get("input")), fields_of(fields.get("output"))
    usage = {name: into.get(key) for key, name in _COUNTS.items()}
    code = fields.get("errorCode")
    at = seconds(fields.get("timestamp"))
    session = fields_of(fields.get("requestMetadata")).get("session_id")
    model = str(fields.get("modelId") or "").rpartition("/")[2]
    counts = usage_attributes({**usage, "outputTokens": out.get("outputTokenCount")})
    return Exchange(
        locator=locator,
        request={"modelId": model, **fields_of(parse_json(into.get("inputBodyJson")))},
        response=parse_json(out.get("outputBodyJson")),
        attributes={
            **{name: value for name, value in counts.items() if value is not None},
            "request_id": fields.get("requestId"),
        },
        start=at,
        session=session if isinstance(session, str) else None,
        error=str(code) if code else None,
    )
