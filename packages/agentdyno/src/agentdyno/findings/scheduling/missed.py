"""Missed parallelism on a known graph: independent calls made one after the other, and their cost.

A turn joins the batch before it when both made calls, with the same model, all calls of the batch
succeeded, nothing but results came in since it began, and no call of it depends on one of them.
Only a task's own graph says the last: inferred edges are too few. What such turns cost:

    turns    the turns that would not exist
    seconds  waits of the joined turns, less the longest one; and at most their generation time
    pte      prefill + gamma * decode * (context - context of the earlier turn), per joined turn:
             what it wrote would still be written, over the shorter context; of its prefill only
             what no later turn has to prefill in its place

Worked: three searches in three turns that wait 1, 2 and 1 s: two turns missed, 4 - 2 = 2 s. Second
turn with 1,200 tokens prefilled, 50 decoded, gamma 0.002, joining a turn with 1,000 in context:
1,200 + 0.002 * 50 * 200 = 1,220.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping

from msgspec import Struct

from agentdyno.measures.pte import reading
from agentdyno.measures.pte import turn as turn_pte
from agentdyno.records import Part, ToolCall, Trajectory
from agentdyno.records.scheduling import CallEdge, Join, MissedParallelism

_ENDING = re.compile(
    r"(?:mark_)?(?:task_)?(?:complete|finish|submit|done|end)(?:_(?:task|answer|work))?"
    r"|final_answer|attempt_completion|exit_?plan_?mode|give_up"
)
"""Tools that end the work: they rest on all that came before."""
REASON = "the task's graph lets them be one"


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
) -> MissedParallelism:
    """Which turns could have joined an earlier one, and what they cost; `edges` are the graph's."""
    joins = find_joins(trajectory, edges)
    joined = {join.turn: join.into for join in joins}
    return MissedParallelism(
        turns=len(joined),
        joined=joined,
        joins=joins,
        tool_seconds=_tool_seconds(trajectory, joined),
        model_seconds_at_most=_model_seconds(trajectory, joined),
        pte=_pte(joined, costs),
    )


def find_joins(trajectory: Trajectory, edges: Iterable[CallEdge]) -> list[Join]:
    """Every turn that could have been part of an earlier one; a chain all joins the first of it."""
    calls: list[list[int]] = [[] for _ in trajectory.turns]
    for position, call in enumerate(trajectory.calls):
        if _was_answered(call):
            calls[call.turn].append(position)
    needs: dict[int, set[int]] = {}
    for edge in edges:
        needs.setdefault(edge.target, set()).add(edge.source)
    spoken = sorted(e for part in trajectory.parts if (e := _find_given_turn(part)) is not None)
    joins: list[Join] = []
    head, batch = 0, set[int]()
    for turn, own in enumerate(calls):
        must_wait = bisect_right(spoken, head) < bisect_right(spoken, turn) or any(
            batch & needs.get(position, set()) for position in own
        )
        if batch and own and not must_wait and _fits(trajectory, turn, head, batch):
            joins.append(Join(turn, head, REASON))
            batch |= set(own)
        else:
            head, batch = turn, set(own)
    return joins


def _fits(trajectory: Trajectory, turn: int, head: int, batch: set[int]) -> bool:
    """Whether the same model made both, all of the batch succeeded, and the turn ends nothing."""
    calls = trajectory.calls
    return (
        trajectory.turns[turn].model == trajectory.turns[head].model
        and all(calls[position].executed and calls[position].error is None for position in batch)
        and not any(_ENDING.fullmatch(call.tool.lower()) for call in calls if call.turn == turn)
    )


def _find_given_turn(part: Part) -> int | None:
    """The turn before which the model was given something that is no result of a call."""
    if part.kind == "result" or part.enters is None:
        return None
    is_from_agent = part.made is not None and part.made >= part.enters - 1
    return None if is_from_agent else part.enters


def _was_answered(call: ToolCall) -> bool:
    """Whether the model saw anything of the call; what was written in vain is no call here."""
    return call.executed or call.result is not None or call.error is not None


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
