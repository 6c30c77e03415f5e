"""The agent's state before a call, and the call's result: a trajectory in, a state out.

Nothing that happened later is in it: utility asks about the odds at that moment. A call made in
parallel with others is set against the state before the turn plus the earlier calls of its turn.
"""

from msgspec import Struct

from agentdyno.records import Part, ToolCall, Trajectory
from agentdyno_bench.shared.judges.evidence import Event, events_of, task_of


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
    return CallState(
        task=task_of(trajectory),
        expected=trajectory.expected,
        before=tuple(events_of(trajectory, lambda part: _is_before(trajectory, part, call))),
        tool=tool or call.tool,
        arguments=call.arguments,
        result=None if call.result is None else trajectory.parts[call.result].text,
        error=call.error,
    )


def _is_before(trajectory: Trajectory, part: Part, call: ToolCall) -> bool:
    if part.call is not None:
        other = trajectory.calls[part.call]
        return (other.turn, other.call) < (call.turn, call.call)
    if part.made is not None:
        return part.made <= call.turn
    return part.enters is not None and part.enters <= call.turn
