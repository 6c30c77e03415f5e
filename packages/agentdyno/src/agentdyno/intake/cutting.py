"""A trajectory without the turns that count elsewhere, as the ledger holds it.

Takes a trajectory as it was read and the places of turns to leave out; returns what is left, its
turns numbered from 0 again. What stood in the context of a turn that remains still does: a text
that a left-out turn wrote is one that was given here.

Worked: turns 0, 1, 2 without 0 and 1: turn 2 becomes turn 0, and everything that it had in context
enters with it.
"""

from bisect import bisect_left

from msgspec import structs

from agentdyno.records import Part, ToolCall, Trajectory


def without(trajectory: Trajectory, left_out: set[int]) -> Trajectory | None:
    """The trajectory as it counts; None when nothing of it does."""
    counted = [turn for turn in range(len(trajectory.turns)) if turn not in left_out]
    if not left_out or len(counted) == len(trajectory.turns):
        return trajectory
    if not counted:
        return None
    calls = [index for index, call in enumerate(trajectory.calls) if call.turn not in left_out]
    number_of_call = {index: number for number, index in enumerate(calls)}
    return structs.replace(
        trajectory,
        turns=tuple([trajectory.turns[turn] for turn in counted]),
        parts=tuple([_part(part, counted, number_of_call) for part in trajectory.parts]),
        calls=tuple([_call(trajectory.calls[index], counted) for index in calls]),
    )


def _part(part: Part, counted: list[int], calls: dict[int, int]) -> Part:
    produced = _own(part.made, counted)
    enters, leaves = _after(part.enters, counted), _after(part.leaves, counted)
    if enters is not None and leaves is not None and leaves <= enters:
        enters = leaves = None
    call = None if part.call is None else calls.get(part.call)
    return structs.replace(part, made=produced, enters=enters, leaves=leaves, call=call)


def _call(call: ToolCall, counted: list[int]) -> ToolCall:
    turn = _own(call.turn, counted)
    assert turn is not None
    return structs.replace(call, turn=turn)


def _own(turn: int | None, counted: list[int]) -> int | None:
    """The new number of just that turn; None when it is left out."""
    number = _after(turn, counted)
    return number if number is not None and counted[number] == turn else None


def _after(turn: int | None, counted: list[int]) -> int | None:
    """The new number of the first counted turn from there on; None when none is left."""
    if turn is None:
        return None
    number = bisect_left(counted, turn)
    return number if number < len(counted) else None
