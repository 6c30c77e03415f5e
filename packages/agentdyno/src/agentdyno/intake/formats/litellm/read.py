"""Reads spend logs of LiteLLM's proxy: one row a call, texts only where they were stored."""

import csv
from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.exchanges import usage_attributes
from agentdyno.intake.formats.litellm import is_csv
from agentdyno.intake.head import Head
from agentdyno.intake.loose_bodies import decode_twice
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Fields, bad, or_no_response, too_large
from agentdyno.intake.texts import seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "litellm"
_CALLS = ("completion", "responses", "messages", "generate_content")
"""Words in the type of a call to a language model; others are embeddings, tools, images."""
LONGEST_FIELD = 32 * 2**20


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session or conversation."""
    rows = _csv(source) if is_csv(Head(source.path)) else _json(source)
    return or_no_response(source, FORMAT_NAME, read_exchanges(source, FORMAT_NAME, rows))


def _json(source: Source) -> Iterator[Exchange | BadRecord]:
    for record in any_records(source, "data"):
        try:
            yield from _exchange(record.decode(), record.locator)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)


def _csv(source: Source) -> Iterator[Exchange | BadRecord]:
    csv.field_size_limit(LONGEST_FIELD)
    with source.path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
        rows = csv.DictReader(line.replace("\0", "") for line in file)
        try:
            for row in rows:
                yield from _exchange(dict(row), str(rows.line_num))
        except csv.Error:
            problem = too_large(LONGEST_FIELD, LONGEST_FIELD)
            yield bad(source, FORMAT_NAME, f"line {rows.line_num}", problem)


def _exchange(row: Fields, locator: str) -> Iterator[Exchange]:
    kind = row.get("call_type")
    if isinstance(kind, str) and kind and not any(word in kind for word in _CALLS):
        return
    start, end = seconds(row.get("startTime")), seconds(row.get("endTime"))
    session = row.get("session_id") or row.get("trace_id")
    failed = row.get("status") == "failure"
    yield Exchange(
        locator=locator,
        request=_request(row),
        response=decode_twice(row.get("response")) or None,
        attributes=_attributes(row, start),
        start=start,
        end=end,
        session=session if isinstance(session, str) else None,
        error=str(row.get("error_str") or "failed") if failed else None,
    )


def _request(row: Fields) -> Fields:
    """The body as it came in, else the messages that were sent on."""
    body = decode_twice(row.get("proxy_server_request"))
    inner = body.get("body", body) if isinstance(body, dict) else None
    if isinstance(inner, dict) and inner.keys() & {"messages", "input", "contents"}:
        return inner
    messages = decode_twice(row.get("messages"))
    parameters = decode_twice(row.get("model_parameters"))
    options = parameters if isinstance(parameters, dict) else {}
    listed = messages if isinstance(messages, list) and messages else None
    return {**options, **({"messages": listed} if listed else {})}


def _attributes(row: Fields, start: float | None) -> Fields:
    metadata = decode_twice(row.get("metadata"))
    usage = metadata.get("usage_object") if isinstance(metadata, dict) else None
    plain = {name: _number(row.get(name)) for name in ("prompt_tokens", "completion_tokens")}
    counted = usage_attributes(plain)
    finer = usage_attributes(usage)
    first = seconds(row.get("completionStartTime"))
    is_streamed = first is not None and start is not None and first > start
    attributes = {
        **counted,
        **{name: value for name, value in finer.items() if value is not None},
        "gen_ai.request.model": row.get("model"),
        "gen_ai.response.id": row.get("request_id") or row.get("id"),
        "gen_ai.usage.cost": _number(row.get("spend", row.get("response_cost"))),
        "gen_ai.response.time_to_first_chunk": first - start if is_streamed else None,  # type: ignore[operator]
    }
    return {name: value for name, value in attributes.items() if value not in (None, "")}


def _number(value: Any) -> Any:
    """A number, which a table holds as text."""
    try:
        number = float(value) if isinstance(value, str) else value
    except ValueError:
        return None
    is_count = isinstance(number, float) and number.is_integer()
    return int(number) if is_count else number
