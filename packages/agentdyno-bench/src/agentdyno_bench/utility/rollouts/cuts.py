"""Where a trajectory is cut for each of its calls: just before it, and just after.

The state after a call has every answer and result up to it. Of a turn with several calls it has
only the calls up to this one, as if the model had made no others; so the state before the second
call of a turn is the state after the first. The state before the first call of a turn is the one in
which the model was about to write that turn: what it says there belongs to the call.

Two calls in a row share a cut: after the one is before the other, unless the model wrote something
in between.
"""

from collections import Counter

from msgspec import Struct

from agentdyno.records import Trajectory


class Cut(Struct, frozen=True, order=True, gc=False):
    """A moment between two calls."""

    answers: int
    """Turns before it, all of whose text is known to the model."""
    calls: int
    """Calls that the last of these turns keeps, with their results."""

    def before(self, turn: int, call: int) -> bool:
        """True when a call was made before the cut."""
        return turn + 1 < self.answers or (turn + 1 == self.answers and call < self.calls)


class CallCuts(Struct, frozen=True, gc=False):
    """One call with the moments around it."""

    index: int
    """Its place among the trajectory's calls."""
    before: Cut
    """The cut just before the call."""
    after: Cut
    """The cut just after the call."""


def call_cuts(trajectory: Trajectory) -> list[CallCuts]:
    """Every call that has a result; a call without one changed nothing that the model saw."""
    answered = [(i, c) for i, c in enumerate(trajectory.calls) if c.result is not None]
    call_counts = Counter(call.turn for _, call in answered)
    seen: Counter[int] = Counter()
    cuts = []
    for index, call in answered:
        call_number = seen[call.turn]
        seen[call.turn] += 1
        start = Cut(call.turn, call_counts[call.turn - 1])
        before = Cut(call.turn + 1, call_number) if call_number else start
        cuts.append(CallCuts(index, before, Cut(call.turn + 1, call_number + 1)))
    return cuts
