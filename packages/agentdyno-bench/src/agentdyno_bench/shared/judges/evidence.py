"""A trajectory as a judge is told it: its task, and the things that happened, in order.

Texts are the trace's own and have to be quoted; what is said about them is ours.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct

from agentdyno.records import Part, Trajectory

REPORTED = {"user": "user", "reasoning": "agent thinks", "text": "agent says"}
_SETTING = ("system", "schema", "unseen")
"""Parts that belong to the setting and are no events."""


class Event(Struct, frozen=True):
    """One thing that happened."""

    what: str
    """Who said it or which call it belongs to, in our words."""
    text: str
    """Its text, as the trace has it."""
    turn: int | None
    """The turn that made it; None for what was given at the start."""


def task_of(trajectory: Trajectory) -> str:
    """The agent's task: its first message, and the system prompt before it."""
    first = first_user(trajectory)
    system = [part.text for part in trajectory.parts if part.kind == "system" and not part.enters]
    task_texts = [] if first is None else [trajectory.parts[first].text]
    # The question last: it is what survives when the beginning has to be cut.
    return "\n\n".join(text for text in [*system, *task_texts] if text)


def events_of(trajectory: Trajectory, expected: Callable[[Part], bool]) -> Iterator[Event]:
    """Wanted events after the task was given."""
    first = first_user(trajectory)
    for index, part in enumerate(trajectory.parts):
        if index != first and part.kind not in _SETTING and part.text and expected(part):
            yield Event(_what(trajectory, part), part.text, part.made)


def first_user(trajectory: Trajectory) -> int | None:
    """The part that puts the task."""
    kinds = (index for index, part in enumerate(trajectory.parts) if part.kind == "user")
    return next(kinds, None)


def _what(trajectory: Trajectory, part: Part) -> str:
    if part.call is None:
        return REPORTED.get(part.kind, part.kind)
    other = trajectory.calls[part.call]
    verb = "calls" if part.kind == "request" else "result of"
    failed = ", which failed" if part.kind == "result" and other.error else ""
    return f"{verb} call {other.turn}.{other.call}{failed}"
