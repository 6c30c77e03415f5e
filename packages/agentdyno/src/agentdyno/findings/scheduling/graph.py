"""A graph of work: in which turn each piece can be done at the earliest, and the critical path.

    level(n)  = 1 + max over its needs of level, from 0           turns = largest level + 1
    finish(n) = seconds(n) + max over its needs of finish         critical path = largest finish

Worked: a (2 s), b (1 s), c (3 s, needs a), d (1 s, needs b and c): levels 0 0 1 2, three turns;
finishes 2 1 5 6, critical path a-c-d of 6 s; one after the other 7 s; by turns 2 + 3 + 1 = 6 s.
"""

from collections.abc import Sequence

from agentdyno.records.scheduling import GraphNode


def levels(nodes: Sequence[GraphNode]) -> dict[str, int]:
    """Each node's earliest turn."""
    found: dict[str, int] = {}
    for node in in_order(nodes):
        found[node.node] = 1 + max((found[need] for need in node.needs), default=-1)
    return found


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


def depth(nodes: Sequence[GraphNode]) -> int:
    """Nodes in the longest chain: the fewest turns possible."""
    return 1 + max(levels(nodes).values(), default=-1)


def finishes(nodes: Sequence[GraphNode]) -> dict[str, float]:
    """When each node is done at the earliest."""
    found: dict[str, float] = {}
    for node in in_order(nodes):
        found[node.node] = node.seconds + max((found[need] for need in node.needs), default=0.0)
    return found


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
    slowest: dict[int, float] = {}
    for node, level in zip(nodes, _levels_in_given_order(nodes), strict=True):
        slowest[level] = max(slowest.get(level, 0.0), node.seconds)
    return sum(slowest.values())


def _levels_in_given_order(nodes: Sequence[GraphNode]) -> list[int]:
    found = levels(nodes)
    return [found[node.node] for node in nodes]
