"""What the agent knew before a call, and what the call brought: a trajectory in, a state out.

Nothing that happened later is in it: utility asks about the odds at that moment. A call made in
parallel with others is set against the state before the turn plus the earlier calls of its turn.
"""

from collections.abc import Iterator

from msgspec import Struct

from agentdyno.records import Part, ToolCall, Trajectory

TOLD = {"user": "user", "reasoning": "agent thinks", "text": "agent says"}


class Event(Struct, frozen=True):
    """One thing that happened before the call."""

    what: str
    """Who said it or which call it belongs to, in our words."""
    text: str
    """Its text, as the trace has it."""
    turn: int | None
    """The turn that made it; None for what was given at the start."""


class CallState(Struct, frozen=True):
    """Everything that a judge of one call may see."""

    task: str
    """What the agent was asked to do: its first message, and the system prompt before it."""
    expected: str | None
    """The right answer, where the trace holds it."""
    before: tuple[Event, ...]
    """What happened between the task and the call, in order."""
    tool: str
    """The tool, as a person would name it."""
    arguments: str
    """What was asked of it."""
    result: str | None
    """What came back; None when nothing is recorded."""
    error: str | None
    """What went wrong, in the words of the trace."""


def state_of(trajectory: Trajectory, index: int, tool: str | None = None) -> CallState:
    """The state around `trajectory.calls[index]`."""
    call = trajectory.calls[index]
    first_user = _first_user(trajectory)
    return CallState(
        task=_task(trajectory, first_user),
        expected=trajectory.expected,
        before=tuple(_events(trajectory, call, first_user)),
        tool=tool or call.tool,
        arguments=call.arguments,
        result=None if call.result is None else trajectory.parts[call.result].text,
        error=call.error,
    )


def _first_user(trajectory: Trajectory) -> int | None:
    kinds = (index for index, part in enumerate(trajectory.parts) if part.kind == "user")
    return next(kinds, None)


def _task(trajectory: Trajectory, first_user: int | None) -> str:
    system = [part.text for part in trajectory.parts if part.kind == "system" and not part.enters]
    asked = [] if first_user is None else [trajectory.parts[first_user].text]
    # The question last: it is what survives when the beginning has to be cut.
    return "\n\n".join(text for text in [*system, *asked] if text)


def _events(trajectory: Trajectory, call: ToolCall, first_user: int | None) -> Iterator[Event]:
    for index, part in enumerate(trajectory.parts):
        if index != first_user and _is_before(trajectory, part, call) and part.text:
            yield Event(_what(trajectory, part), part.text, part.made)


def _is_before(trajectory: Trajectory, part: Part, call: ToolCall) -> bool:
    if part.kind in ("system", "schema", "unseen"):
        return False
    if part.call is not None:
        other = trajectory.calls[part.call]
        return (other.turn, other.call) < (call.turn, call.call)
    if part.made is not None:
        return part.made <= call.turn
    return part.enters is not None and part.enters <= call.turn


def _what(trajectory: Trajectory, part: Part) -> str:
    if part.call is None:
        return TOLD.get(part.kind, part.kind)
    other = trajectory.calls[part.call]
    verb = "calls" if part.kind == "request" else "result of"
    failed = ", which failed" if part.kind == "result" and other.error else ""
    return f"{verb} call {other.turn}.{other.call}{failed}"
