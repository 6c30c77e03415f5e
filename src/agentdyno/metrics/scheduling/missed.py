"""Missed parallelism: independent calls made one after the other, and what that cost.

A turn could have been part of an earlier one when none of its calls depends on a call made since
(by the given edges), all calls since have succeeded, and nobody spoke in between. What it costs:

    turns    the turns that would not exist
    seconds  waits of the joined turns, less the longest one; and at most their generation time
    pte      prefill + gamma * decode * (context - context of the earlier turn), per joined turn:
             what it wrote would still be written, over the shorter context

Worked: three searches in three turns that wait 1, 2 and 1 s: two turns missed, 4 - 2 = 2 s. Second
turn with 1,200 tokens prefilled, 50 decoded, gamma 0.002, joining a turn with 1,000 in context:
1,200 + 0.002 * 50 * 200 = 1,220.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from agentdyno.records import ToolCall, Trajectory
from agentdyno.records.scheduling import InferredEdge, MissedParallelism


class TurnCost(Struct, frozen=True):
    """What one turn cost, as the ledger has it."""

    prefill: float
    """Tokens prefilled."""
    context: float
    """Tokens in context before decoding."""
    decode: float
    """Tokens generated."""
    gamma: float
    """Cost of a pair of context and decoded token."""


def missed_parallelism(
    trajectory: Trajectory,
    edges: Sequence[InferredEdge],
    costs: Mapping[int, TurnCost] | None = None,
) -> MissedParallelism:
    """Which turns could have joined an earlier one, and what they cost."""
    joined = joinable_turns(trajectory, edges)
    latencies = [trajectory.turns[turn].latency_seconds for turn in joined]
    return MissedParallelism(
        turns=len(joined),
        joined=joined,
        tool_seconds=_tool_seconds(trajectory, joined),
        model_seconds_at_most=_sum(latencies),
        pte=_pte(joined, costs),
    )


def joinable_turns(trajectory: Trajectory, edges: Sequence[InferredEdge]) -> dict[int, int]:
    """Turn -> the earlier turn whose calls it could have joined."""
    by_turn = _calls_by_turn(trajectory)
    needs: dict[int, set[int]] = {}
    for edge in edges:
        needs.setdefault(edge.target, set()).add(edge.source)
    spoken = _spoken_before(trajectory)
    joined: dict[int, int] = {}
    head: int | None = None
    batch: set[int] = set()
    for turn, places in enumerate(by_turn):
        if not places:
            head, batch = None, set()
            continue
        depends = any(needs.get(place, set()) & batch for place in places)
        failed = any(not _succeeded(trajectory.calls[place]) for place in batch)
        if head is None or depends or failed or turn in spoken:
            head, batch = turn, set(places)
        else:
            joined[turn] = head
            batch |= set(places)
    return joined


def _calls_by_turn(trajectory: Trajectory) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in trajectory.turns]
    for place, call in enumerate(trajectory.calls):
        rows[call.turn].append(place)
    return rows


def _succeeded(call: ToolCall) -> bool:
    return call.executed and call.error is None


def _spoken_before(trajectory: Trajectory) -> set[int]:
    """Turns that were given something else than results since the turn before."""
    kinds = ("user", "system")
    return {p.enters for p in trajectory.parts if p.kind in kinds and p.enters is not None}


def _tool_seconds(trajectory: Trajectory, joined: dict[int, int]) -> float | None:
    waits: dict[int, list[float]] = {}
    for turn, places in enumerate(_calls_by_turn(trajectory)):
        if not places:
            continue
        known = [trajectory.calls[place].wait_seconds for place in places]
        times = [seconds for seconds in known if seconds is not None]
        if len(times) < len(known):
            if turn in joined or turn in joined.values():
                return None
            continue
        waits.setdefault(joined.get(turn, turn), []).append(max(times))
    return sum(sum(group) - max(group) for group in waits.values())


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _pte(joined: dict[int, int], costs: Mapping[int, TurnCost] | None) -> float | None:
    if costs is None or any(t not in costs or h not in costs for t, h in joined.items()):
        return None
    total = 0.0
    for turn, head in joined.items():
        cost = costs[turn]
        total += cost.prefill + cost.gamma * cost.decode * (cost.context - costs[head].context)
    return total
