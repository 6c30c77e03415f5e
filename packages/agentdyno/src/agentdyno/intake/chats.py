"""Shared parts of files of chat messages, whichever API wrote them.

Takes what stands around a list of messages or around a logged call, returns the fields of a
trajectory; follows the conversations of a log. Of messages it has the shape alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, Generic

from msgspec import Raw, Struct

from agentdyno.intake.conversation import Conversation, Message
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, take_record
from agentdyno.records import BadRecord, Trajectory, UnreadableError

Mark = bool | int | float | None
MAX_OPEN = 4096
"""Conversations of a log followed at a time; the one that was quiet longest is closed first."""


class Function(Struct, gc=False):
    """The function of a call; `arguments` is JSON text, or an object where a framework parsed
    it.
    """

    name: str | None = None
    arguments: Any = None
    input: Any = None


class Call(Struct, gc=False):
    """An entry of `tool_calls`; ids may be empty or reused."""

    id: str | None = None
    function: Function | None = None
    custom: Function | None = None


class ChatMessage(Struct, gc=False):
    """A message of any role in the shape of OpenAI's chat API."""

    role: str
    content: str | list[Any] | dict[str, Any] | None = None
    tool_calls: list[Call] | None = None
    function_call: Function | None = None
    tool_call_id: str | None = None
    name: str | None = None
    reasoning_content: str | None = None


class ChatFacts(Struct, gc=False, kw_only=True):
    """Fields that people write beside a list of messages."""

    model: str | None = None
    deployment_name: str | None = None
    """The model's name for clients of a deployment."""
    task_id: str | int | None = None
    benchmark: str | None = None
    variant: str | None = None
    correct: Mark = None
    reward: Mark = None
    score: Any = None
    level: str | int | None = None
    trial: int | None = None
    session_id: str | int | None = None
    conversation_id: str | int | None = None
    expected: str | int | float | None = None

    def __post_init__(self) -> None:
        self.model = self.model or self.deployment_name


class CallFacts(Struct, gc=False, kw_only=True):
    """Fields that loggers write beside a request and its response."""

    latency_seconds: float | None = None
    trajectory_id: str | int | None = None
    session_id: str | int | None = None
    conversation_id: str | int | None = None
    task_id: str | int | None = None
    correct: Mark = None
    request_id: str | int | None = None
    response_cost: float | None = None


def about(facts: ChatFacts) -> dict[str, Any]:
    """The fields of a trajectory that stand beside its messages."""
    mark = facts.correct if facts.correct is not None else facts.reward
    if mark is None and isinstance(facts.score, (int, float)):
        mark = facts.score
    return {
        "model": facts.model,
        "benchmark": facts.benchmark,
        "variant": facts.variant,
        "task_id": first_id(facts.task_id),
        "attempt": facts.trial,
        "correct": is_correct(mark),
        "score": _as_score(mark),
        "level": first_id(facts.level),
        "expected": None if facts.expected is None else str(facts.expected),
        "session_id": first_id(facts.session_id, facts.conversation_id),
    }


def first_id(*ids: str | int | None) -> str | None:
    """The first of these ids that is there."""
    for name in ids:
        if name is not None:
            return str(name)
    return None


def is_correct(mark: Mark) -> bool | None:
    """1 is solved, 0 is not; a mark in between is neither."""
    return bool(mark) if mark in (0, 1) else None


def _as_score(mark: Mark) -> float | None:
    try:
        return None if mark is None else float(mark)
    except OverflowError:
        raise UnreadableError("a mark", "a number too large") from None


class LoggedTalk(Generic[Message]):
    """A conversation in a log of calls, which may go on."""

    def __init__(self, locator: str, location: str, line: int | None, recall: bool = False) -> None:
        self.locator = locator
        self.talk: Conversation[Message] = Conversation(recall)
        self.model: str | None = None
        self._place = location
        self._line = line
        self._session_id: str | None = None
        self._task_id: str | None = None
        self._correct: bool | None = None

    def note(self, logged: CallFacts) -> None:
        """Note the fields beside a call."""
        ids = (logged.session_id, logged.conversation_id, logged.trajectory_id)
        self._task_id = self._task_id or first_id(logged.task_id)
        self._session_id = self._session_id or first_id(*ids)
        if logged.correct is not None:
            self._correct = is_correct(logged.correct)

    def build(self, source: Source, format: str, expected: str) -> Trajectory | BadRecord:
        """The trajectory; `expected` names what is missing where there is none."""
        if not self.talk.builder.turns:
            problem = UnreadableError(expected, "no answer in the conversation")
            return bad(source, format, self._place, problem)
        return self.talk.builder.build(
            source.id_of(self.locator),
            source.name,
            format,
            model=self.model,
            task_id=self._task_id,
            correct=self._correct,
            session_id=self._session_id,
            line=self._line,
        )


def name_talk(logged: CallFacts) -> bytes:
    """By what a call says that it belongs to a conversation; empty where it does not."""
    name = first_id(logged.trajectory_id, logged.session_id, logged.conversation_id)
    return b"" if name is None else b"id:" + name.encode()


def digest_prefixes(messages: Iterable[bytes | Raw]) -> list[bytes]:
    """A digest of the first message, of the first two, and so on."""
    running, digests = blake2b(digest_size=16), []
    for message in messages:
        running.update(message)
        digests.append(running.copy().digest())
    return digests


def read_talks(
    source: Source,
    format: str,
    records: Iterator[Record],
    take: Callable[[Record], None],
    open: Mapping[str, LoggedTalk[Any]],
    close: Callable[[], Trajectory | BadRecord],
) -> Iterator[Trajectory | BadRecord]:
    """The conversations of a log; those that are `open` wait for more, as far as memory allows."""
    for record in records:
        yield from take_record(source, format, record, take)
        while len(open) > MAX_OPEN:
            yield close()
    while open:
        yield close()
