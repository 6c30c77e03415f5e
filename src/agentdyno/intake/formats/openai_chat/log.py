"""Reads logs in which every record is one request with its response.

A request that repeats all messages of an earlier one and adds to them continues that
conversation; any other starts a new one. An id in the record (`session_id`, …) settles it.
"""

from collections.abc import Iterator
from hashlib import blake2b

from agentdyno.intake.conversation import Conversation
from agentdyno.intake.format import Source
from agentdyno.intake.formats.openai_chat.convert import give, is_correct, offered, take_turn
from agentdyno.intake.formats.openai_chat.wire import (
    LOGGED,
    MESSAGE,
    Failure,
    LoggedCall,
    Message,
    Request,
    Response,
)
from agentdyno.intake.streams import Record, bad, decode
from agentdyno.intake.texts import first
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "openai_chat"
MAX_OPEN = 4096
"""Conversations followed at a time; the one that was quiet longest is closed first."""


class _Open:
    """A conversation that may go on."""

    def __init__(self, locator: str) -> None:
        self.locator = locator
        self.talk: Conversation[bytes] = Conversation()
        self.model: str | None = None
        self.task_id: str | None = None
        self.correct: bool | None = None
        self.keys: set[bytes] = set()


def read_log(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation in the log."""
    log = _Log()
    for record in records:
        try:
            if record.problem:
                raise record.problem
            log.take(decode(record.data, LOGGED), record.locator)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        while len(log.open) > MAX_OPEN:
            yield from _finished(source, log.close_oldest())
    while log.open:
        yield from _finished(source, log.close_oldest())


class _Log:
    """The open conversations, by the digest of the last request and by id."""

    def __init__(self) -> None:
        self.open: dict[str, _Open] = {}
        self.by_key: dict[bytes, list[_Open]] = {}

    def take(self, logged: LoggedCall, locator: str) -> None:
        request = logged.request or logged.body
        if request is None:
            raise UnreadableError("a request with messages", "none")
        digests = _prefix_digests(request)
        mine = self._continued(logged, digests) or self._start(locator)
        # Closed or moved on: quiet conversations drift to the front of the dict.
        self.open[mine.locator] = self.open.pop(mine.locator)
        _follow(mine, request, logged)
        self._remember(mine, logged, digests[-1] if digests else b"")

    def _start(self, locator: str) -> _Open:
        mine = self.open[locator] = _Open(locator)
        return mine

    def _continued(self, logged: LoggedCall, digests: list[bytes]) -> _Open | None:
        if key := _named(logged):
            return next(iter(self.by_key.get(key, ())), None)
        for digest in reversed(digests[:-1]):
            if waiting := self.by_key.get(digest):
                return waiting[0]
        return None

    def _remember(self, mine: _Open, logged: LoggedCall, digest: bytes) -> None:
        self._forget(mine)
        key = _named(logged) or digest
        mine.keys.add(key)
        self.by_key.setdefault(key, []).append(mine)

    def _forget(self, mine: _Open) -> None:
        for key in mine.keys:
            waiting = self.by_key[key]
            waiting.remove(mine)
            if not waiting:
                del self.by_key[key]
        mine.keys.clear()

    def close_oldest(self) -> _Open:
        mine = self.open.pop(next(iter(self.open)))
        self._forget(mine)
        return mine


def _named(logged: LoggedCall) -> bytes:
    name = first((logged.trajectory_id, logged.session_id, logged.conversation_id))
    return b"" if name is None else b"id:" + str(name).encode()


def _prefix_digests(request: Request) -> list[bytes]:
    """A digest of the first message, of the first two, and so on."""
    running, digests = blake2b(digest_size=16), []
    for message in request.messages:
        running.update(message)
        digests.append(running.copy().digest())
    return digests


def _follow(mine: _Open, request: Request, logged: LoggedCall) -> None:
    """Brings the context up to this request and adds what the model answered."""
    talk = mine.talk
    talk.builder.offer(offered(bytes(request.tools), bytes(request.functions)))
    raw = [bytes(message) for message in request.messages]
    talk.align(raw, lambda m: m, lambda m: _message(m).role == "assistant", _add)
    response = logged.response or Response()
    mine.model = response.model or request.model or mine.model
    mine.task_id = mine.task_id or (None if logged.task_id is None else str(logged.task_id))
    mine.correct = is_correct(logged.correct) if logged.correct is not None else mine.correct
    before = len(talk.builder.parts)
    if _answer(mine, response, logged):
        talk.answered(before)


def _add(builder: object, raw: bytes) -> None:
    give(builder, _message(raw))  # type: ignore[arg-type]


def _message(raw: bytes) -> Message:
    message: Message = decode(raw, MESSAGE)
    return message


def _answer(mine: _Open, response: Response, logged: LoggedCall) -> bool:
    """Adds the turn; False when the call failed without the model having said anything."""
    builder = mine.talk.builder
    choice = response.choices[0] if response.choices else None
    if choice is not None and choice.message is not None:
        usage = response.usage
        latency = logged.latency_seconds
        if latency is None and usage is not None and usage.total_time is not None:
            latency = usage.total_time
        take_turn(
            builder,
            choice.message,
            mine.model,
            usage,
            latency_seconds=latency,
            finish=choice.finish_reason,
        )
        return True
    failure = response.error if isinstance(response.error, Failure) else Failure()
    if failure.failed_generation:
        builder.turn(mine.model, error=failure.message or "the call failed")
        builder.text(failure.failed_generation)
        return True
    builder.retries += 1
    return False


def _finished(source: Source, mine: _Open) -> Iterator[Trajectory | BadRecord]:
    if not mine.talk.builder.turns:
        problem = UnreadableError("a response with choices", "no answer in the conversation")
        yield bad(source, FORMAT_NAME, f"record {mine.locator}", problem)
        return
    yield mine.talk.builder.build(
        source.id_of(mine.locator),
        source.name,
        FORMAT_NAME,
        model=mine.model,
        task_id=mine.task_id,
        correct=mine.correct,
    )
