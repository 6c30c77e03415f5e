"""What files of chat messages share, whichever API wrote them.

Takes what stands around a list of messages or around a logged call, returns the fields of a
trajectory; reads files in which every record is one list. Of messages it has the shape alone.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from agentdyno.intake.format import Source
from agentdyno.intake.streams import Record, bad, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError

Mark = bool | int | float | None


class Function(Struct, gc=False):
    """What a call names; `arguments` is JSON text, or an object where a framework parsed it."""

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
    """What people write beside a list of messages."""

    model: str | None = None
    deployment_name: str | None = None
    """What clients of a deployment call the model."""
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
    """What loggers write beside a request and its response."""

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


def read_chats(
    source: Source,
    format: str,
    records: Iterator[Record],
    trajectory_of: Callable[[Source, Record], Trajectory],
) -> Iterator[Trajectory | BadRecord]:
    """One trajectory per record; a bad record costs only itself."""
    for record in records:
        try:
            if record.problem:
                raise record.problem
            yield trajectory_of(source, record)
        except UnreadableError as problem:
            yield bad(source, format, record.place, problem)
        except RecursionError:
            yield bad(source, format, record.place, too_deep())
