"""Missed parallelism: independent calls made one after the other, and what that cost.

Which turns could have been part of an earlier one is `joining`'s answer. What they cost:

    turns    the turns that would not exist
    seconds  waits of the joined turns, less the longest one; and at most their generation time
    pte      prefill + gamma * decode * (context - context of the earlier turn), per joined turn:
             what it wrote would still be written, over the shorter context; of its prefill only
             what no later turn has to prefill in its place

Worked: three searches in three turns that wait 1, 2 and 1 s: two turns missed, 4 - 2 = 2 s. Second
turn with 1,200 tokens prefilled, 50 decoded, gamma 0.002, joining a turn with 1,000 in context:
1,200 + 0.002 * 50 * 200 = 1,220.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from agentdyno.findings.scheduling.joining import find_joins
from agentdyno.matching.appearances import Appearances
from agentdyno.measures.pte import reading
from agentdyno.measures.pte import turn as turn_pte
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import CallEdge, EdgeSource, MissedParallelism


class TurnCost(Struct, frozen=True):
    """What one turn cost, as the ledger has it."""

    prefill: float
    """Tokens prefilled that would not be prefilled at all without the turn."""
    context: float
    """Tokens in context before decoding."""
    decode: float
    gamma: float
    """Cost of a pair of context and decoded token."""


def find_missed_parallelism(
    trajectory: Trajectory,
    edges: Iterable[CallEdge],
    costs: Mapping[int, TurnCost] | None = None,
    edge_source: EdgeSource = "inferred",
    index: Appearances | None = None,
) -> MissedParallelism:
    """Which turns could have joined an earlier one, and what they cost."""
    joins = find_joins(trajectory, edges, edge_source, index=index)
    joined = {join.turn: join.into for join in joins}
    return MissedParallelism(
        turns=len(joined),
        joined=joined,
        joins=joins,
        tool_seconds=_tool_seconds(trajectory, joined),
        model_seconds_at_most=_model_seconds(trajectory, joined),
        pte=_pte(joined, costs),
    )


def _tool_seconds(trajectory: Trajectory, joined: dict[int, int]) -> float | None:
    times: dict[int, list[float | None]] = {}
    for call in trajectory.calls:
        times.setdefault(call.turn, []).append(call.wait_seconds)
    # Without times nothing is known, also where nothing could have been joined.
    looked_at = {*joined, *joined.values()} if joined else times.keys()
    waits: dict[int, list[float]] = {}
    for turn in looked_at:
        measured = [seconds for seconds in times[turn] if seconds is not None]
        if len(measured) < len(times[turn]):
            return None
        waits.setdefault(joined.get(turn, turn), []).append(max(measured))
    return sum(sum(group) - max(group) for group in waits.values())


def _model_seconds(trajectory: Trajectory, joined: dict[int, int]) -> float | None:
    looked_at = joined or range(len(trajectory.turns))
    latencies = [trajectory.turns[turn].latency_seconds for turn in looked_at]
    measured = [seconds for seconds in latencies if seconds is not None]
    if len(measured) < len(latencies):
        return None
    return sum(measured) if joined else 0.0


def _pte(joined: dict[int, int], costs: Mapping[int, TurnCost] | None) -> float | None:
    if costs is None or any(t not in costs or h not in costs for t, h in joined.items()):
        return None
    total = 0.0
    for turn, head in joined.items():
        cost, earlier = costs[turn], costs[head]
        shorter = reading(earlier.context, cost.decode, earlier.gamma)
        total += turn_pte(cost.prefill, cost.context, cost.decode, cost.gamma) - shorter
    return total
