"""Lays calls that were placed on a known graph over the trajectory that made them.

Takes the trajectory, the graph and the placed calls, in the order of their execution; returns which
call of the trajectory each of them is, and the edges of the graph between calls.

    an edge runs from the call that did a piece of work to every later call for what needs it

Worked: a; b needs a. Turn 0 does a, turn 1 does b: one edge, from the first call to the second.
Both in turn 0: no edge, and the second call is early.
"""

from collections.abc import Sequence

from agentdyno.records import Trajectory, printable
from agentdyno.records.scheduling import CallEdge, GraphNode, ScheduledCall


def match_calls(trajectory: Trajectory, placed: Sequence[ScheduledCall]) -> list[int | None]:
    """For each placed call its index in `Trajectory.calls`; None when the trajectory lacks it.

    Turns with calls follow each other on both sides. Within a turn a trajectory may hold more
    calls: what the model wrote and nobody executed.
    """
    waiting: dict[int, list[int]] = {}
    for place, produced in enumerate(trajectory.calls):
        waiting.setdefault(produced.turn, []).append(place)
    turns = dict(zip(sorted({call.turn for call in placed}), sorted(waiting), strict=False))
    found: list[int | None] = []
    for call in placed:
        left = waiting.get(turns.get(call.turn, -1), [])
        match = next((p for p in left if trajectory.calls[p].tool == call.tool), None)
        if match is not None:
            left.remove(match)
        found.append(match)
    return found


def find_known_edges(
    graph: Sequence[GraphNode], placed: Sequence[ScheduledCall], places: Sequence[int | None]
) -> list[CallEdge]:
    """The graph's edges between executed calls, by their places in the trajectory."""
    needs = {node.node: node.needs for node in graph}
    done: dict[str, int] = {}
    for number, call in enumerate(placed):
        for node in call.did:
            done.setdefault(node, number)
    edges: dict[tuple[int, int], CallEdge] = {}
    for call, target in zip(placed, places, strict=True):
        for need in needs.get(call.node or "", []):
            source = _source(done.get(need), call, placed, places)
            if source is not None and target is not None:
                edges.setdefault((source, target), CallEdge(source, target, printable(need, 60)))
    return list(edges.values())


def _source(
    doer: int | None,
    call: ScheduledCall,
    placed: Sequence[ScheduledCall],
    places: Sequence[int | None],
) -> int | None:
    """The call that did what is needed, where it was made in an earlier turn."""
    if doer is None or placed[doer].turn >= call.turn:
        return None
    return places[doer]
