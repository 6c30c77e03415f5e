"""Reads logs in which every record is one request with its response.

A request that repeats all messages of an earlier one and adds to them continues that
conversation; so does a request that was sent again because it had failed. Any other starts a new
one. An id in the record (`session_id`, …) settles it.
"""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.chats import LoggedTalk, digest_prefixes, first_id, name_talk, read_talks
from agentdyno.intake.formats.openai_chat.convert import give, read_offered, take_turn
from agentdyno.intake.formats.openai_chat.wire import (
    FAILED_CALL,
    LOGGED,
    MESSAGE,
    Failure,
    LoggedCall,
    Message,
    Request,
    Response,
)
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode
from agentdyno.intake.texts import flat_text, seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "openai_chat"


class _Open(LoggedTalk[bytes]):
    """A conversation that may go on."""

    def __init__(self, record: Record) -> None:
        super().__init__(record.locator, record.place, record.line, recall=True)
        self.keys: set[bytes] = set()
        self.failed = False
        """Whether the last request was not answered, so that it may come again."""
        self.answer: Message | None = None
        """The last answer."""
        self.first_part = 0
        """Where the parts of the last answer begin."""


def read_log(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation in the log."""
    log = _Log()

    def close() -> Trajectory | BadRecord:
        return log.close_oldest().build(source, FORMAT_NAME, "a response with choices")

    return read_talks(source, FORMAT_NAME, records, log.take, log.open, close)


class _Log:
    """The open conversations, by the digest of the last request and by id."""

    def __init__(self) -> None:
        self.open: dict[str, _Open] = {}
        self.by_key: dict[bytes, list[_Open]] = {}

    def take(self, record: Record) -> None:
        logged: LoggedCall = record.decode(LOGGED)
        request = logged.request or logged.body or _flat_request(logged)
        if request is None:
            raise UnreadableError("a request with messages", "none")
        digests = digest_prefixes(request.messages)
        talk = self._find_continued(logged, request, digests) or _Open(record)
        # Closed or moved on: quiet conversations drift to the front of the dict.
        self.open[talk.locator] = self.open.pop(talk.locator, talk)
        try:
            talk.talk.builder.line = record.line
            _follow(talk, request, logged)
        except (UnreadableError, RecursionError):
            if not talk.keys:
                del self.open[talk.locator]  # It was to begin with the record that is bad.
            raise
        self._remember(talk, logged, digests[-1] if digests else b"")

    def _find_continued(
        self, logged: LoggedCall, request: Request, digests: list[bytes]
    ) -> _Open | None:
        if key := name_talk(logged):
            return next(iter(self.by_key.get(key, ())), None)
        for talk in self.by_key.get(digests[-1], ()) if digests else ():
            if talk.failed:
                return talk
        for index in range(len(digests) - 2, -1, -1):
            if waiting := self.by_key.get(digests[index]):
                return _find_attempt(waiting, bytes(request.messages[index + 1]))
        return None

    def _remember(self, talk: _Open, logged: LoggedCall, digest: bytes) -> None:
        self._forget(talk)
        key = name_talk(logged) or digest
        talk.keys.add(key)
        self.by_key.setdefault(key, []).append(talk)

    def _forget(self, talk: _Open) -> None:
        for key in talk.keys:
            waiting = self.by_key[key]
            waiting.remove(talk)
            if not waiting:
                del self.by_key[key]
        talk.keys.clear()

    def close_oldest(self) -> _Open:
        talk = self.open.pop(next(iter(self.open)))
        self._forget(talk)
        return talk


def _flat_request(logged: LoggedCall) -> Request | None:
    return Request(logged.messages, logged.model, logged.tools) if logged.messages else None


def _find_attempt(waiting: list[_Open], raw: bytes) -> _Open:
    """Of attempts that begin alike, the one whose answer this request repeats."""
    if len(waiting) == 1:
        return waiting[0]
    message = _message(raw)
    return next((attempt for attempt in waiting if _is_same(attempt.answer, message)), waiting[0])


def _is_same(answer: Message | None, message: Message) -> bool:
    if answer is None or (answer.content or None) != (message.content or None):
        return False
    return [c.id for c in answer.tool_calls or ()] == [c.id for c in message.tool_calls or ()]


def _follow(open_talk: _Open, request: Request, logged: LoggedCall) -> None:
    """Bring the context up to this request and add the model's answer."""
    talk, length = open_talk.talk, open_talk.talk.length
    talk.builder.offer(read_offered(bytes(request.tools), bytes(request.functions)))
    raw = [bytes(message) for message in request.messages]
    talk.align(raw, lambda m: m, lambda m: _message(m).role == "assistant", _add)
    if open_talk.answer is not None and 0 < length < len(raw):
        _keep_reasoning(open_talk, _message(raw[length - 1]))
    response = logged.response or Response()
    response = response.body or response
    open_talk.model = response.model or request.model or open_talk.model
    open_talk.note(logged)
    open_talk.first_part = len(talk.builder.parts)
    open_talk.failed = not _answer(open_talk, response, logged)
    if not open_talk.failed:
        talk.answered(open_talk.first_part)


def _keep_reasoning(open_talk: _Open, echo: Message) -> None:
    """Where the answer comes back with its reasoning, the reasoning is in the context after all."""
    parts = open_talk.talk.builder.parts
    for index in range(open_talk.first_part, len(parts)):
        part = parts[index]
        if part.made is not None and part.kind == "reasoning" and part.text:
            reported = (
                echo.reasoning_content or flat_text(echo.reasoning) or flat_text(echo.content)
            )
            if echo.role == "assistant" and part.text in reported:
                open_talk.talk.builder.resend(index)
    open_talk.answer = None


def _add(builder: TrajectoryBuilder, raw: bytes) -> None:
    give(builder, _message(raw))


def _message(raw: bytes) -> Message:
    message: Message = decode(raw, MESSAGE)
    return message


def _answer(open_talk: _Open, response: Response, logged: LoggedCall) -> bool:
    """Adds the turn; False when the call failed without the model having said anything."""
    builder = open_talk.talk.builder
    choice = response.choices[0] if response.choices else None
    if choice is not None and choice.message is not None:
        usage = response.usage
        latency = logged.latency_seconds
        if latency is None and usage is not None and usage.total_time is not None:
            latency = usage.total_time
        open_talk.answer = choice.message
        take_turn(
            builder,
            choice.message,
            open_talk.model,
            usage,
            latency_seconds=latency,
            finish=choice.finish_reason,
        )
        builder.amend_turn(len(builder.turns) - 1, **_find_identity(response, logged, builder.line))
        return True
    failure = response.error if isinstance(response.error, Failure) else Failure()
    if failure.failed_generation:
        _take_failed(open_talk, failure.failed_generation, failure.message or "the call failed")
        return True
    builder.retries += 1
    return False


def _find_identity(response: Response, logged: LoggedCall, line: int | None) -> dict[str, Any]:
    """The response's ids, and its price."""
    fields = {
        "response_id": response.id,
        "request_id": first_id(logged.request_id),
        "service_tier": response.service_tier,
        "started_at": seconds(logged.start_time),
        "ended_at": seconds(logged.end_time),
        "line": line,
    }
    return (
        fields if logged.response_cost is None else {**fields, "reported_usd": logged.response_cost}
    )


def _take_failed(open_talk: _Open, generated: str, error: str) -> None:
    """Add the output that the provider refused: most often a call of the wrong shape."""
    builder = open_talk.talk.builder
    builder.turn(open_talk.model, error=error)
    try:
        call = decode(generated.encode(), FAILED_CALL)
        builder.call(call.name, bytes(call.arguments).decode(), None, error)
    except UnreadableError:
        builder.text(generated)
