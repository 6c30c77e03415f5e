"""Records what a client of OpenAI or Anthropic sends and receives: one line for each call.

    client = agentdyno.record(OpenAI(), "runs/agent.jsonl", task="t1", outcome=lambda: solved)

Takes a client, sync or async, and hangs itself on the hooks of its HTTP client; returns the same
client. A line is written when the answer is complete, given up or broken off, streamed or not, with
its request, its times and what the user says of the task, in the form that `agentdyno measure`
reads (`api_log`). Secrets are taken out before anything is written. Whatever goes wrong here is a
warning: a call is never changed, delayed by more than its writing, or broken.
"""

import json
import os
import time
import warnings
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from agentdyno.records.secrets.cleaning import clean_name, clean_text

Client = TypeVar("Client")
MOST_BYTES = 64 << 20
"""Of an answer; a larger one is noted without its body."""
_BEGAN = "agentdyno_began"
_ENDS = (b"[DONE]", b"message_stop", b"response.completed", b"response.incomplete")
"""The last event of a stream, after which clients close it without reading on."""


def record(
    client: Client,
    path: "str | os.PathLike[str]",
    *,
    task: "str | Callable[[], str | None] | None" = None,
    outcome: "bool | Callable[[], bool | None] | None" = None,
    session: "str | Callable[[], str | None] | None" = None,
    variant: str | None = None,
) -> Client:
    """Records every call of the client into a file of JSON lines, and returns the client.

    `task`, `outcome` (solved or not) and `session` may be functions: they are asked at every call,
    so that one client can serve many tasks. The last known outcome of a conversation counts.
    """
    http = getattr(client, "_client", None)
    hooks = getattr(http, "event_hooks", None)
    if http is None or hooks is None:
        raise TypeError(
            f"record: expected a client of openai or anthropic, found {type(client).__name__}."
        )
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    facts = {"task_id": task, "correct": outcome, "session_id": session, "variant": variant}
    recorder = _Recorder(file, facts, _byte_streams(type(http)))
    is_async = any(base.__name__ == "AsyncClient" for base in type(http).__mro__)
    before, after = (
        (recorder.begin_async, recorder.answer_async)
        if is_async
        else (recorder.begin, recorder.answer)
    )
    http.event_hooks = {
        "request": [*_others(hooks["request"], file), before],
        "response": [*_others(hooks["response"], file), after],
    }
    http.headers["accept-encoding"] = "gzip, deflate"
    return client


def _others(hooks: list[Any], file: Path) -> list[Any]:
    """Hooks but those of an earlier recording into the file: each call is written once."""
    owners = [(hook, getattr(hook, "__self__", None)) for hook in hooks]
    return [hook for hook, o in owners if not (isinstance(o, _Recorder) and o.file == file)]


def _byte_streams(kind: type) -> tuple[type, type]:
    """The classes of byte streams of the HTTP package that the client is built on."""
    package = next(b for b in kind.__mro__ if b.__name__ in ("Client", "AsyncClient")).__module__
    http = import_module(package.partition(".")[0])
    return _tee(http.SyncByteStream), _tee_async(http.AsyncByteStream)


class _Recorder:
    """Writes the exchanges of one client."""

    def __init__(self, file: Path, facts: dict[str, Any], streams: tuple[type, type]) -> None:
        self.file, self._facts, self._streams = file, facts, streams

    def begin(self, request: Any) -> None:
        request.extensions = {**request.extensions, _BEGAN: time.time()}

    async def begin_async(self, request: Any) -> None:
        self.begin(request)

    def answer(self, response: Any) -> None:
        self._listen(response, self._streams[0])

    async def answer_async(self, response: Any) -> None:
        self._listen(response, self._streams[1])

    def _listen(self, response: Any, stream: type) -> None:
        try:
            sent = json.loads(response.request.content)
        except (ValueError, RuntimeError):  # No JSON, or a body that was streamed.
            return
        response.stream = stream(response.stream, lambda data, error: self._write(
            response, sent, data, error))  # fmt: skip

    def _write(self, response: Any, sent: Any, data: bytes | None, error: str | None) -> None:
        try:
            line = json.dumps(self._describe(response, sent, data, error)) + "\n"
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(self.file, flags, 0o600)
            with os.fdopen(descriptor, "ab", buffering=0) as out:
                out.write(line.encode("utf-8", "replace"))
        except Exception as problem:
            warnings.warn(f"agentdyno: a call was not recorded: {problem}", stacklevel=2)

    def _describe(
        self, response: Any, sent: Any, data: bytes | None, error: str | None
    ) -> dict[str, Any]:
        facts = {name: value() if callable(value) else value for name, value in self._facts.items()}
        answered: dict[str, Any] = {
            "status": response.status_code,
            "timestamp": time.time(),
            "headers": {
                name: response.headers[name]
                for name in ("request-id", "x-request-id")
                if name in response.headers
            },
        }
        if error and not any(end in (data or b"")[-400:] for end in _ENDS):
            answered["error"] = error
        request = {
            "path": response.request.url.path,
            "timestamp": response.request.extensions.get(_BEGAN),
            "body": _clean(sent),
        }
        known = {name: value for name, value in facts.items() if value is not None}
        return {**known, "request": request, "response": answered | _read_body(response, data)}


def _read_body(response: Any, data: bytes | None) -> dict[str, Any]:
    """The answer without secrets: JSON as `body`, a stream as `sse_lines`."""
    if data is None:
        return {}
    if response.headers.get("content-encoding", "") in ("gzip", "deflate"):
        # 47: zlib's and gzip's headers alike. What a broken stream brought is kept.
        data = zlib.decompressobj(47).decompress(data)
    text = data.decode("utf-8", "replace")
    if "event-stream" in response.headers.get("content-type", ""):
        return {"sse_lines": _clean_stream(text.splitlines())}
    try:
        return {"body": _clean(json.loads(text))}
    except ValueError:
        return {"body": _clean(text)}


@lru_cache(maxsize=4096)
def _clean_once(text: str) -> str:
    """A conversation's messages come again with every request."""
    return clean_text(text)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return _clean_once(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {
            _clean_once(name): clean_name(item)
            if name in _IDS and isinstance(item, str)
            else _clean(item)
            for name, item in value.items()
        }
    return value


_IDS = frozenset(
    ["id", "tool_call_id", "tool_use_id", "call_id", "item_id", "previous_response_id", "model"]
)
"""Fields whose random letters are no secret."""


def _clean_stream(lines: list[str]) -> list[str]:
    """Lines of a stream; a secret that came in pieces stands, cleaned, in the first of them."""
    events = [_parse_event(line) for line in lines]
    pieces: dict[tuple[Any, ...], list[tuple[dict[str, Any], str]]] = {}
    for event in events:
        if event is not None:
            _collect(event, (), pieces)
    for parts in pieces.values():
        whole = "".join(holder[name] for holder, name in parts)
        if (cleaned := clean_text(whole)) != whole:
            for number, (holder, name) in enumerate(parts):
                holder[name] = "" if number else cleaned
    return [
        clean_text(line) if event is None else "data: " + json.dumps(_clean(event))
        for line, event in zip(lines, events, strict=True)
    ]


def _parse_event(line: str) -> dict[str, Any] | None:
    try:
        event = json.loads(line.removeprefix("data:")) if line.startswith("data:") else None
    except ValueError:
        return None
    return event if isinstance(event, dict) else None


_WRITTEN = frozenset(
    ["content", "text", "partial_json", "thinking", "arguments", "delta", "reasoning_content",
     "reasoning", "refusal"]
)  # fmt: skip
"""Fields in which an answer comes in pieces."""
_PLACES = ("index", "item_id", "output_index", "content_index")
"""Fields that say to which part of an answer a piece of it belongs."""


def _collect(value: Any, where: tuple[Any, ...], pieces: dict[tuple[Any, ...], Any]) -> None:
    """The strings of an event by where they stand: those of one place are one text."""
    if isinstance(value, dict):
        where = (*where, *(value.get(name) for name in _PLACES))
        for name, item in value.items():
            if isinstance(item, str):
                if name in _WRITTEN:
                    pieces.setdefault((*where, name), []).append((value, name))
            else:
                _collect(item, (*where, name), pieces)
    elif isinstance(value, list):
        for item in value:
            _collect(item, where, pieces)


Finish = Callable[[bytes | None, str | None], None]


class _Copy:
    """What came through a stream, handed over once: at its end, its error or its closing."""

    def __init__(self, finish: Finish) -> None:
        self._data: bytearray | None = bytearray()
        self._finish: Finish | None = finish

    def add(self, chunk: bytes) -> None:
        if self._data is not None and len(self._data) + len(chunk) <= MOST_BYTES:
            self._data += chunk
        else:
            self._data = None

    def end(self, error: str | None = None) -> None:
        finish, self._finish = self._finish, None
        if finish is not None:
            finish(None if self._data is None else bytes(self._data), error)


def _tee(base: type) -> type:
    class Tee(base):  # type: ignore[misc]
        def __init__(self, inner: Any, finish: Finish) -> None:
            self._inner, self._copy = inner, _Copy(finish)

        def __iter__(self) -> Iterator[bytes]:
            try:
                for chunk in self._inner:
                    self._copy.add(chunk)
                    yield chunk
            except Exception as problem:
                self._copy.end(type(problem).__name__)
                raise
            self._copy.end()

        def close(self) -> None:
            self._inner.close()
            self._copy.end("closed before its end")

    return Tee


def _tee_async(base: type) -> type:
    class Tee(base):  # type: ignore[misc]
        def __init__(self, inner: Any, finish: Finish) -> None:
            self._inner, self._copy = inner, _Copy(finish)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            try:
                async for chunk in self._inner:
                    self._copy.add(chunk)
                    yield chunk
            except Exception as problem:
                self._copy.end(type(problem).__name__)
                raise
            self._copy.end()

        async def aclose(self) -> None:
            await self._inner.aclose()
            self._copy.end("closed before its end")

    return Tee
