"""Graphs by hand, and what holds for every graph."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.findings.scheduling import graph
from agentdyno.records.scheduling import GraphNode

# a 2 s, b 1 s, c 3 s after a, d 1 s after b and c: the example of the module's docstring.
EXAMPLE = [
    GraphNode("a", [], 2),
    GraphNode("b", [], 1),
    GraphNode("c", ["a"], 3),
    GraphNode("d", ["b", "c"], 1),
]


def test_levels_and_paths_of_a_small_graph() -> None:
    assert graph.levels(EXAMPLE) == {"a": 0, "b": 0, "c": 1, "d": 2}
    assert graph.depth(EXAMPLE) == 3
    assert graph.critical_path(EXAMPLE) == ["a", "c", "d"]
    assert graph.critical_seconds(EXAMPLE) == 6
    assert graph.serial_seconds(EXAMPLE) == 7
    assert graph.by_turns_seconds(EXAMPLE) == 2 + 3 + 1


def test_turns_may_cost_more_than_the_critical_path() -> None:
    """Two chains, slow-fast and fast-slow: a turn waits for its slowest call."""
    crossed = [
        GraphNode("a", [], 5),
        GraphNode("b", ["a"], 1),
        GraphNode("c", [], 1),
        GraphNode("d", ["c"], 5),
    ]
    assert graph.critical_seconds(crossed) == 6
    assert graph.by_turns_seconds(crossed) == 10


def test_an_empty_graph_takes_no_turn_and_a_circle_is_refused() -> None:
    assert graph.depth([]) == 0
    assert graph.critical_seconds([]) == 0
    assert graph.critical_path([]) == []
    with pytest.raises(ValueError, match="need each other"):
        graph.levels([GraphNode("a", ["b"], 1), GraphNode("b", ["a"], 1)])


@st.composite
def graphs(draw: st.DrawFn) -> list[GraphNode]:
    count = draw(st.integers(1, 12))
    return [
        GraphNode(
            str(i),
            draw(st.lists(st.sampled_from([str(n) for n in range(i)]), unique=True)) if i else [],
            draw(st.integers(1, 50)),
        )
        for i in range(count)
    ]


@given(graphs())
def test_bounds_are_ordered_for_every_graph(nodes: list[GraphNode]) -> None:
    critical, by_turns = graph.critical_seconds(nodes), graph.by_turns_seconds(nodes)
    assert critical <= by_turns <= graph.serial_seconds(nodes)
    assert max(node.seconds for node in nodes) <= critical
    path = graph.critical_path(nodes)
    assert sum(node.seconds for node in nodes if node.node in path) == critical
    assert 1 <= graph.depth(nodes) <= len(nodes)
