"""Reads a folder of raw API bodies as Claude Code writes them: requests and responses apart.

`<uuid>.request.json` and `<request id>.response.json` do not name each other. A later request
repeats the messages of an earlier one and then its answer: that is whose response it was. What is
left, last answers mostly, goes by the time of the files. The newest file of the folder stands for
all of them, so that a folder that grew is read again.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.formats.api_log.session import find_session
from agentdyno.intake.source import Source
from agentdyno.intake.spans.messages import conversation_of, parse_message
from agentdyno.intake.streams import bad, or_no_response, too_large
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.regular_files import read_regular

REQUEST, RESPONSE = ".request.json", ".response.json"


class _Body(Struct):
    path: Path
    at: float
    """When the file was written."""
    fields: dict[str, Any]
    digest: bytes = b""
    """Of a request: of all its messages. Of a response: of what it says."""


def read_bodies(source: Source, format: str) -> Iterator[Trajectory | BadRecord]:
    """Yields the conversations of the folder; nothing but for its newest file."""
    files = [*source.path.parent.glob(f"*{REQUEST}"), *source.path.parent.glob(f"*{RESPONSE}")]
    newest = max(files, key=lambda path: (path.stat().st_mtime_ns, path.name), default=None)
    if newest is None or newest.name != source.path.name:
        return
    items = read_exchanges(source, format, _exchanges(source, format, sorted(files)))
    yield from or_no_response(source, format, items)


def _exchanges(source: Source, format: str, files: list[Path]) -> Iterator[Exchange | BadRecord]:
    requests: list[_Body] = []
    responses: list[_Body] = []
    for path in files:
        try:
            body = _load(path, source.max_record_bytes)
        except UnreadableError as problem:
            yield bad(source, format, path.name, problem)
            continue
        (requests if path.name.endswith(REQUEST) else responses).append(body)
    requests.sort(key=lambda body: (body.at, body.path.name))
    responses.sort(key=lambda body: (body.at, body.path.name))
    for request, response in _pairs(requests, responses):
        yield _exchange(request, response)


def _load(path: Path, limit: int) -> _Body:
    stat = path.stat()
    if stat.st_size > limit:
        raise too_large(stat.st_size, limit)
    try:
        decoded = msgspec.json.decode(read_regular(path, limit))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        decoded = None
    if not isinstance(decoded, dict):
        raise UnreadableError("a body, an object in JSON", "none")
    return _Body(path, stat.st_mtime, decoded)


def _pairs(
    requests: list[_Body], responses: list[_Body]
) -> Iterator[tuple[_Body | None, _Body | None]]:
    """Requests with their responses, in order of time."""
    follows = _index(requests)
    for response in responses:
        response.digest = parse_message({"role": "assistant", **response.fields}).spoken_key
    free = {id(response): response for response in responses}
    response_of: dict[int, _Body] = {}
    for request in requests:
        digests = follows.get(request.digest, set())
        match = next((r for r in free.values() if r.digest in digests), None)
        if match is not None:
            response_of[id(request)] = free.pop(id(match))
    for request in requests:
        match = response_of.get(id(request))
        later = (r for r in free.values() if r.at >= request.at)
        if match is None and (match := next(later, None)) is not None:
            free.pop(id(match))
        yield request, match
    for response in free.values():
        yield None, response


def _index(requests: list[_Body]) -> dict[bytes, set[bytes]]:
    """Answers by the messages they follow, as later requests repeat them."""
    follows: dict[bytes, set[bytes]] = {}
    for request in requests:
        running = blake2b(digest_size=16)
        for record in conversation_of(request.fields.get("messages") or []):
            if record.is_answer:
                follows.setdefault(running.digest(), set()).add(record.spoken_key)
            running.update(record.spoken_key)
        request.digest = running.digest()
    return follows


def _exchange(request: _Body | None, response: _Body | None) -> Exchange:
    named = response or request
    assert named is not None
    name = named.path.name.removesuffix(RESPONSE).removesuffix(REQUEST)
    body = request.fields if request is not None else None
    return Exchange(
        locator=name,
        request=body,
        response=response.fields if response is not None else None,
        session=find_session(body),
        attributes={"request_id": name} if name.startswith("req_") else {},
        error=None if response is not None else "no response file",
    )
