"""Placed calls found again in the trajectory, and the graph's edges between them."""

from agentdyno.findings.scheduling.placement import find_known_edges, match_calls
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import CallEdge, GraphNode, ScheduledCall
from tests.metrics.scheduling.trajectories import Call, trajectory

GRAPH = [GraphNode("a", [], 2), GraphNode("b", [], 1), GraphNode("c", ["a", "b"], 3)]


def call(tool: str) -> Call:
    return tool, {}, "ok"


def placed(turn: int, tool: str, node: str | None, did: bool = True) -> ScheduledCall:
    done = [node] if node is not None and did else []
    return ScheduledCall(turn, tool, node, done, 1.0, False, False)


def edges(t: Trajectory, calls: list[ScheduledCall]) -> list[CallEdge]:
    return find_known_edges(GRAPH, calls, match_calls(t, calls))


def test_each_call_is_found_by_turn_and_tool_also_behind_a_turn_without_calls() -> None:
    """The first turn selects tools; what the agent counts as turn 0 is turn 1."""
    t = trajectory("p", [], [call("x"), call("y")], [call("z")])
    calls = [placed(0, "y", "b"), placed(0, "x", "a"), placed(1, "z", "c")]
    assert match_calls(t, calls) == [1, 0, 2]
    assert edges(t, calls) == [CallEdge(0, 2, "a"), CallEdge(1, 2, "b")]


def test_calls_that_were_written_and_not_executed_are_passed_over() -> None:
    t = trajectory("p", [call("x"), call("y")], [call("y")])
    assert match_calls(t, [placed(0, "x", "a"), placed(1, "y", "b")]) == [0, 2]


def test_a_call_that_the_trajectory_lacks_has_no_place_and_no_edge() -> None:
    t = trajectory("p", [call("x")])
    calls = [placed(0, "x", "a"), placed(1, "z", "c")]
    assert match_calls(t, calls) == [0, None]
    assert edges(t, calls) == []


def test_a_call_made_together_with_what_it_needs_did_not_use_it() -> None:
    t = trajectory("p", [call("x"), call("z")], [call("z")])
    calls = [placed(0, "x", "a"), placed(0, "z", "c", did=False), placed(1, "z", "c")]
    assert edges(t, calls) == [CallEdge(0, 2, "a")]
