"""Reads captures of API calls: one exchange a record, whatever the proxy calls its fields."""

import base64
import re
from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.formats.api_log import BODIES, STREAMED, is_har
from agentdyno.intake.formats.api_log.bodies import read_bodies
from agentdyno.intake.formats.api_log.session import find_session
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import parse_json
from agentdyno.intake.streams import Fields, Record, or_no_response, read_each
from agentdyno.intake.texts import dicts_of, fields_of, seconds
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "api_log"
_WRAPPED = {"body", "body_raw", "ws_events", "headers"} | STREAMED
"""Keys around a body, and never in one."""
_NO_CALL = re.compile(r"count_?tokens|/embeddings|/models(?!.*generateContent)", re.IGNORECASE)
"""Addresses at which no model answers; Gemini's models answer below `/models`."""


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation."""
    head = Head(source.path)
    if source.path.name.endswith(BODIES):
        return read_bodies(source, FORMAT_NAME)
    take = _har if is_har(head) else _captured
    calls = read_each(source, FORMAT_NAME, any_records(source), take)
    return or_no_response(source, FORMAT_NAME, read_exchanges(source, FORMAT_NAME, calls))


def _captured(source: Source, record: Record) -> Iterator[Exchange]:
    """One record of a proxy; a socket's holds several calls."""
    fields = record.decode()
    request = fields_of(fields.get("request"))
    response = fields_of(fields.get("response")) or (fields if "output" in fields else {})
    address = request.get("path") or request.get("url") or fields.get("uri") or ""
    if _NO_CALL.search(str(address)):
        return
    start, end = _times(fields, request, response)
    bodies = [pair for pair in _bodies(request, response) if not _is_token_count(pair[1])]
    for number, (sent, answered) in enumerate(bodies):
        yield Exchange(
            locator=record.locator if len(bodies) == 1 else f"{record.locator}.{number}",
            request=sent,
            response=answered,
            start=start if len(bodies) == 1 else None,
            end=end if len(bodies) == 1 else None,
            session=find_session(sent, _headers(request)) or _word(fields.get("session_id")),
            task=_word(fields.get("task_id")),
            correct=correct if isinstance(correct := fields.get("correct"), bool) else None,
            variant=_word(fields.get("variant")),
            attributes=_ids(_headers(response), fields),
            error=_failure(response, answered),
        )


def _bodies(request: Fields, response: Fields) -> Iterator[tuple[Any, Any]]:
    body_sent = parse_json(request.get("body", request))
    sent = [e for e in dicts_of(request.get("ws_events")) if e.get("type") == "response.create"]
    events = dicts_of(response.get("ws_events"))
    if len(sent) > 1:
        yield from zip(sent, _split(events), strict=False)
        return
    listed = next((response[name] for name in STREAMED if response.get(name)), None)
    streamed = listed or response.get("body_raw") or events
    body = response.get("body", None if response.keys() & _WRAPPED else response)
    yield body_sent, parse_json(body) if body else streamed


def _is_token_count(answered: Any) -> bool:
    """True when no model was called: the answer is the size of the request, and nothing else."""
    return isinstance(answered, dict) and answered.keys() in ({"input_tokens"}, {"totalTokens"})


def _split(events: list[Fields]) -> list[list[Fields]]:
    """The events of each response that a socket carried, one after the other."""
    responses: list[list[Fields]] = []
    for event in events:
        if event.get("type") == "response.created" or not responses:
            responses.append([])
        responses[-1].append(event)
    return responses


def _times(fields: Fields, *sides: Fields) -> tuple[float | None, float | None]:
    start, end = (seconds(side.get("timestamp")) for side in sides)
    start = start if start is not None else seconds(fields.get("timestamp"))
    duration_ms = fields.get("duration_ms")
    if (
        end is None
        and start is not None
        and isinstance(duration_ms, int | float)
        and duration_ms >= 0
    ):
        end = start + duration_ms / 1000
    return start, end


def _ids(headers: Fields, fields: Fields) -> Fields:
    """The request's id; a proxy's own number for it is none."""
    reported = headers.get("request-id") or headers.get("x-request-id")
    request_id = reported or fields.get("request_id")
    return {"request_id": request_id} if isinstance(request_id, str) else {}


def _failure(response: Fields, answered: Any) -> str | None:
    status = response.get("status", response.get("status_code"))
    if isinstance(status, int) and status >= 400:
        return f"status {status}"
    return None if answered else "no answer was captured"


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _har(source: Source, record: Record) -> Iterator[Exchange]:
    log = fields_of(record.decode().get("log"))
    for number, entry in enumerate(dicts_of(log.get("entries"))):
        request, response = fields_of(entry.get("request")), fields_of(entry.get("response"))
        body = parse_json(fields_of(request.get("postData")).get("text"))
        address = str(request.get("url"))
        if not isinstance(body, dict) or _NO_CALL.search(address):
            continue
        if not body.keys() & {"messages", "input", "contents"}:
            continue
        start, duration_ms = seconds(entry.get("startedDateTime")), entry.get("time")
        is_timed = start is not None and isinstance(duration_ms, int | float)
        answered = _text(fields_of(response.get("content")))
        headers = {
            str(h.get("name")).lower(): h.get("value") for h in dicts_of(request.get("headers"))
        }
        yield Exchange(
            locator=str(number),
            request={**_model_of(address), **body},
            response=answered,
            start=start,
            end=start + duration_ms / 1000 if is_timed else None,  # type: ignore[operator]
            session=find_session(body, headers),
            error=_failure(response, answered),
        )


def _model_of(address: str) -> Fields:
    """Gemini and Bedrock name the model in the address alone."""
    match = _MODEL.search(address)
    return {"model": match[1]} if match else {}


_MODEL = re.compile(r"/models?/([\w.:%-]{1,200}?)(?:[:/](?:stream)?[gG]enerate|/converse|/invoke)")


def _text(content: Fields) -> Any:
    text = content.get("text")
    if isinstance(text, str) and content.get("encoding") == "base64":
        try:
            text = base64.b64decode(text, validate=True).decode("utf-8", "replace")
        except ValueError:
            return None
    return parse_json(text)


def _headers(side: Fields) -> Fields:
    return {str(name).lower(): value for name, value in fields_of(side.get("headers")).items()}
