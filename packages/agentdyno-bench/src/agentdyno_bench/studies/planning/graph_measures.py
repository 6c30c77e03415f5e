"""A schedule against a known graph: turns, makespan, speed-up, calls made too early.

Takes the graph and the executed calls placed on it; returns `ScheduleMeasures`. A call is early
when it was made in a turn in which something it needs had not been done in an earlier turn.

    speed-up taken     = sum of call times / makespan
    speed-up available = sum of the plan's times / critical path

Worked: a (2 s), b (1 s), c (3 s, needs a). Turn 0: a and b; turn 1: c. Makespan 2 + 3 = 5 s, busy
6 s, speed-up 1.2 of 6/5 = 1.2; two turns of two. All in turn 0: makespan 3 s and one early call.
"""

from collections.abc import Sequence

from agentdyno.findings.scheduling import graph
from agentdyno.records.scheduling import GraphNode, ScheduledCall, ScheduleMeasures


def measure_schedule(
    nodes: Sequence[GraphNode], calls: Sequence[ScheduledCall], one_at_a_time: bool = False
) -> ScheduleMeasures:
    """Measures calls that ran; with `one_at_a_time` those of a turn ran one after the other."""
    failed, calls = sum(call.failed for call in calls), [call for call in calls if call.ran]
    turns = sorted({call.turn for call in calls})
    busy = sum(call.seconds for call in calls)
    makespan = busy if one_at_a_time else _makespan(calls)
    critical, serial = graph.critical_seconds(nodes), graph.serial_seconds(nodes)
    by_turns, best_turns = graph.by_turns_seconds(nodes), graph.depth(nodes)
    return ScheduleMeasures(
        turns=len(turns),
        best_turns=best_turns,
        turns_over_best=_over(len(turns), best_turns) if calls else None,
        calls=len(calls),
        best_calls=len(nodes),
        busy_seconds=round(busy, 6),
        makespan_seconds=round(makespan, 6),
        critical_path_seconds=round(critical, 6),
        by_turns_seconds=round(by_turns, 6),
        makespan_over_critical=_over(makespan, critical) if calls else None,
        speedup_taken=_over(busy, makespan) if calls else None,
        speedup_available=_over(serial, critical) or 1.0,
        speedup_by_turns=_over(serial, by_turns) or 1.0,
        early_calls=sum(early_calls(nodes, calls)),
        repeated_calls=sum(call.repeated for call in calls),
        unneeded_calls=sum(call.node is None for call in calls),
        failed_calls=failed,
    )


def _makespan(calls: Sequence[ScheduledCall]) -> float:
    slowest: dict[int, float] = {}
    for call in calls:
        slowest[call.turn] = max(slowest.get(call.turn, 0.0), call.seconds)
    return sum(slowest.values())


def early_calls(nodes: Sequence[GraphNode], calls: Sequence[ScheduledCall]) -> list[bool]:
    """For each call whether something that it needs had not been done in an earlier turn."""
    needs = {node.node: node.needs for node in nodes}
    done: dict[str, int] = {}
    for call in calls:
        for node in call.did:
            done[node] = min(done.get(node, call.turn), call.turn)
    return [
        any(done.get(need, call.turn) >= call.turn for need in needs.get(call.node or "", []))
        for call in calls
    ]


def _over(value: float, base: float) -> float | None:
    return value / base if base else None
