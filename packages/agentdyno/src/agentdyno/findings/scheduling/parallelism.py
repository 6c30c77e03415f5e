"""How parallel a trajectory was: calls per turn, and overlap of calls in time.

    overlap = sum of call times / length of the union of their intervals     (1 = none)

Worked: calls from 0 to 2 s and from 1 to 3 s, another from 5 to 6 s: 5 s of calls in 4 s, 1.25.
"""

from collections import Counter

from agentdyno.records import Trajectory
from agentdyno.records.scheduling import Parallelism


def measure_parallelism(trajectory: Trajectory) -> Parallelism:
    """Counts turns and overlaps of the calls that ran."""
    executed = [call for call in trajectory.calls if call.executed]
    width = Counter(call.turn for call in executed)
    spans = [(call.started_at, call.ended_at) for call in executed]
    known = [(a, b) for a, b in spans if a is not None and b is not None and b >= a]
    return Parallelism(
        calls=len(executed),
        call_turns=len(width),
        calls_per_turn=len(executed) / len(width) if width else None,
        widest_turn=max(width.values(), default=0),
        overlap=_overlap(known) if known and len(known) == len(executed) else None,
    )


def _overlap(spans: list[tuple[float, float]]) -> float | None:
    union, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        union += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    total = sum(end - start for start, end in spans)
    return total / union if union > 0 else None
