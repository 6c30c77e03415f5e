"""Planning and scheduling of compound tasks: how much was done, with which tools, how fast, at
what price.

    completion rate = fully completed subtasks / subtasks                    section 3.3, Figure 9
    selection score = matching (50) + economy (30) + coverage (20) points,
                      less 5 a tool beyond ten (or as many as may be selected), 10 a missing, 8
                      an irrelevant one                                              Figure 10
    cost            = input tokens * input price + output tokens * output price      equation 2
    cost-of-pass    = cost / completion rate                                         equation 1

Source: TPS-Bench. The paper counts turns and seconds; with the graph of what needs what the best
possible schedule is known too, so that both are compared with it:

    level(n)  = 1 + max over its needs of level, from 0           turns = largest level + 1
    finish(n) = seconds(n) + max over its needs of finish         critical path = largest finish
    speed-up taken     = sum of call times / makespan
    speed-up available = sum of the plan's times / critical path

Worked: a (2 s), b (1 s), c (3 s, needs a), d (1 s, needs b and c): levels 0 0 1 2, three turns;
finishes 2 1 5 6, critical path a-c-d of 6 s; one after the other 7 s; by turns 2 + 3 + 1 = 6 s.

Errata: Table 2 swaps the cost-of-pass of GLM-4.5 and QwQ-32B on Easy (15.1 and 8.3 recompute), and
QwQ-32B's on Hard is 10.9, not 21.2.
"""

from collections.abc import Iterable, Sequence

from agentdyno.records.scheduling import GraphNode, ScheduledCall, ScheduleMeasures

MATCHING, ECONOMY, COVERAGE = 50, 30, 20
"""Most points for tools that match the task, for none too many, for every part of it covered."""
MOST_TOOLS = 10
"""The most that the paper lets an agent select."""
OFF_BEYOND, OFF_MISSING, OFF_IRRELEVANT = 5, 10, 8
"""Points off for a tool beyond ten, for an essential one missing, for one that serves nothing."""


def completion_rate(completed: int, subtasks: int) -> float:
    """Fully completed subtasks over subtasks; one that is partly done is not (Figure 9).

    >>> completion_rate(3, 4)
    0.75
    """
    if not 0 <= completed <= subtasks or not subtasks:
        raise ValueError(f"expected 0 <= completed <= subtasks > 0, got {completed} of {subtasks}")
    return completed / subtasks


def selection_score(
    matching: float,
    economy: float,
    coverage: float,
    *,
    tools: int = 0,
    missing: int = 0,
    irrelevant: int = 0,
    most_tools: int = MOST_TOOLS,
) -> float:
    """Tool selection score out of 100 (Figure 10): points less deductions, never below 0. A run
    that allows more tools than the paper's ten takes points off beyond `most_tools`.

    >>> selection_score(45, 25, 20, tools=12, irrelevant=1)  # 90 - 2 * 5 - 8
    72.0
    >>> selection_score(45, 25, 20, tools=12, irrelevant=1, most_tools=30)
    82.0
    """
    for points, most in ((matching, MATCHING), (economy, ECONOMY), (coverage, COVERAGE)):
        if not 0 <= points <= most:
            raise ValueError(f"expected points from 0 to {most}, got {points}")
    off = OFF_BEYOND * max(tools - most_tools, 0)
    off += OFF_MISSING * missing + OFF_IRRELEVANT * irrelevant
    return float(max(matching + economy + coverage - off, 0))


def cost(
    input_tokens: float, output_tokens: float, input_price: float, output_price: float
) -> float:
    """Cost of a task in the unit of the prices, which are for a million tokens (equation 2).

    >>> round(1000 * cost(6500, 800, 0.60, 2.50), 1)  # Kimi-K2 on Easy, thousandths of a dollar
    5.9
    """
    return (input_tokens * input_price + output_tokens * output_price) / 1e6


def cost_of_pass(cost: float | None, completion: float) -> float | None:
    """Expected cost of a completed task (equation 1); None where nothing is ever completed.

    >>> round(cost_of_pass(5.9, 0.7354), 1)  # Kimi-K2 on Easy, as Table 2 prints
    8.0
    """
    return cost / completion if cost is not None and completion > 0 else None


def measure_schedule(
    nodes: Sequence[GraphNode], calls: Sequence[ScheduledCall], one_at_a_time: bool = False
) -> ScheduleMeasures:
    """Calls that ran against the graph of their task; with `one_at_a_time` those of a turn ran one
    after the other.

    Worked: a (2 s), b (1 s), c (3 s, needs a). Turn 0: a and b; turn 1: c. Makespan 2 + 3 = 5 s,
    busy 6 s, speed-up 1.2 of 6/5 = 1.2; two turns of two. All in turn 0: 3 s and one early call.
    """
    failed, calls = sum(call.failed for call in calls), [call for call in calls if call.ran]
    turns = len({call.turn for call in calls})
    busy = sum(call.seconds for call in calls)
    makespan = busy if one_at_a_time else makespan_seconds((c.turn, c.seconds) for c in calls)
    critical, serial = critical_seconds(nodes), serial_seconds(nodes)
    by_turns, best_turns = by_turns_seconds(nodes), depth(nodes)
    return ScheduleMeasures(
        turns=turns,
        best_turns=best_turns,
        turns_over_best=_over(turns, best_turns) if calls else None,
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


def makespan_seconds(calls: Iterable[tuple[int, float]]) -> float:
    """Time of calls, each with its turn: turns follow each other, a turn takes its slowest call.

    >>> makespan_seconds([(0, 2.0), (0, 1.0), (1, 3.0)])
    5.0
    """
    slowest: dict[int, float] = {}
    for turn, seconds in calls:
        slowest[turn] = max(slowest.get(turn, 0.0), seconds)
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


def in_order(nodes: Sequence[GraphNode]) -> list[GraphNode]:
    """The nodes such that each follows what it needs; raises ValueError on a circle."""
    left = {node.node: len(set(node.needs)) for node in nodes}
    needed_by: dict[str, list[GraphNode]] = {}
    for node in nodes:
        for need in set(node.needs):
            needed_by.setdefault(need, []).append(node)
    ordered = [node for node in nodes if not left[node.node]]
    for node in ordered:
        for later in needed_by.get(node.node, ()):
            left[later.node] -= 1
            if not left[later.node]:
                ordered.append(later)  # The list is the queue.
    if len(ordered) < len(nodes):
        waiting = [node for node in nodes if left[node.node]]
        raise ValueError(f"nodes that need each other or something unknown: {waiting}")
    return ordered


def levels(nodes: Sequence[GraphNode]) -> dict[str, int]:
    """Each node's earliest turn."""
    earliest: dict[str, int] = {}
    for node in in_order(nodes):
        earliest[node.node] = 1 + max((earliest[need] for need in node.needs), default=-1)
    return earliest


def depth(nodes: Sequence[GraphNode]) -> int:
    """Nodes in the longest chain: the fewest turns possible."""
    return 1 + max(levels(nodes).values(), default=-1)


def finishes(nodes: Sequence[GraphNode]) -> dict[str, float]:
    """When each node is done at the earliest."""
    ends: dict[str, float] = {}
    for node in in_order(nodes):
        ends[node.node] = node.seconds + max((ends[need] for need in node.needs), default=0.0)
    return ends


def critical_path(nodes: Sequence[GraphNode]) -> list[str]:
    """The chain that takes longest, from its first node to its last."""
    if not nodes:
        return []
    done = finishes(nodes)
    by_name = {node.node: node for node in nodes}
    at: str | None = max(done, key=lambda name: done[name])
    path: list[str] = []
    while at is not None:
        path.append(at)
        at = max(by_name[at].needs, key=lambda name: done[name], default=None)
    return path[::-1]


def critical_seconds(nodes: Sequence[GraphNode]) -> float:
    """Time of the critical path."""
    return max(finishes(nodes).values(), default=0.0)


def serial_seconds(nodes: Sequence[GraphNode]) -> float:
    """Time of all nodes one after the other."""
    return sum(node.seconds for node in nodes)


def by_turns_seconds(nodes: Sequence[GraphNode]) -> float:
    """Time when every node runs in its earliest turn and turns wait for their slowest."""
    earliest = levels(nodes)
    return makespan_seconds((earliest[node.node], node.seconds) for node in nodes)


def _over(value: float, base: float) -> float | None:
    return value / base if base else None
