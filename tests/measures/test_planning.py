"""Completion, selection, cost-of-pass against TPS-Bench's tables; schedules by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.measures import planning
from agentdyno.records.scheduling import GraphNode, ScheduledCall
from tests.labelled import from_set
from tests.rows import differences

PRICES = {
    "GPT-4o": (5.00, 20.00), "Kimi-K2": (0.60, 2.50), "DeepSeek-R1": (0.55, 2.19),
    "GLM-4.5": (0.60, 2.50), "Qwen3-32B": (0.28, 2.79), "QwQ-32B": (0.28, 0.84),
    "Qwen3-1.7B": (0.042, 0.42),
}  # fmt: skip
"""Table 4: dollars for a million tokens of input and of output."""

TABLES_1_AND_2 = [
    # Thousands of input and output tokens, completion, cost and cost-of-pass as printed.
    ("GPT-4o", "easy", 7.2, 0.8, 0.5244, 52.6, 100.3),
    ("Kimi-K2", "easy", 6.5, 0.8, 0.7354, 5.9, 8.0),
    ("DeepSeek-R1", "easy", 6.5, 1.1, 0.6852, 5.8, 8.5),
    ("GLM-4.5", "easy", 11.1, 1.2, 0.6491, 9.8, 15.1),  # Printed 8.5, and 15.3 for QwQ: swapped.
    ("QwQ-32B", "easy", 6.5, 1.1, 0.3265, 2.7, 8.3),
    ("Qwen3-32B", "easy", 6.3, 0.9, 0.6160, 4.3, 7.0),
    ("Qwen3-1.7B", "easy", 7.3, 1.1, 0.3335, 0.8, 2.4),
    ("GPT-4o", "hard", 7.2, 1.3, 0.4508, 62.2, 138.0),
    ("Kimi-K2", "hard", 6.5, 1.1, 0.5229, 6.5, 12.4),
    ("DeepSeek-R1", "hard", 6.7, 1.4, 0.6203, 6.7, 10.8),
    ("GLM-4.5", "hard", 12.6, 1.5, 0.6472, 11.3, 17.5),
    ("QwQ-32B", "hard", 6.7, 1.6, 0.2936, 3.2, 10.9),  # Printed 21.2.
    ("Qwen3-32B", "hard", 6.7, 1.3, 0.5672, 5.5, 9.7),
    ("Qwen3-1.7B", "hard", 7.8, 2.2, 0.2675, 1.3, 4.9),
]


@pytest.mark.parametrize("row", TABLES_1_AND_2, ids=lambda row: f"{row[0]} {row[1]}")
def test_cost_of_pass_of_table_2_with_its_errata(row: tuple) -> None:
    model, _, read, written, completion, printed_cost, printed = row
    # The printed tokens are rounded to hundreds, so that the cost is near and no more.
    cost = 1000 * planning.cost(1000 * read, 1000 * written, *PRICES[model])
    assert cost == pytest.approx(printed_cost, rel=0.05)
    assert planning.cost_of_pass(printed_cost, completion) == pytest.approx(printed, rel=0.02)


def test_what_is_never_completed_has_no_cost_of_pass() -> None:
    assert planning.cost_of_pass(1.0, 0.0) is None
    assert planning.cost_of_pass(None, 0.5) is None


@pytest.mark.parametrize(("completed", "subtasks"), [(1, 0), (3, 2), (-1, 2)])
def test_a_completion_that_cannot_be_is_refused(completed: int, subtasks: int) -> None:
    with pytest.raises(ValueError, match="completed <= subtasks"):
        planning.completion_rate(completed, subtasks)


def test_selection_loses_points_for_tools_beyond_ten_missing_and_irrelevant() -> None:
    assert planning.selection_score(50, 30, 20, tools=10) == 100
    assert planning.selection_score(50, 30, 20, tools=12) == 90
    assert planning.selection_score(50, 30, 20, missing=1, irrelevant=1) == 82
    assert planning.selection_score(10, 0, 0, missing=3) == 0
    with pytest.raises(ValueError, match="from 0 to 50"):
        planning.selection_score(51, 30, 20)


WORK = [
    GraphNode("a", [], 2), GraphNode("b", [], 1), GraphNode("c", ["a"], 3),
    GraphNode("d", ["b", "c"], 1),
]  # fmt: skip


def test_the_best_schedule_of_a_graph() -> None:
    assert planning.levels(WORK) == {"a": 0, "b": 0, "c": 1, "d": 2}
    assert planning.critical_path(WORK) == ["a", "c", "d"]
    assert planning.critical_seconds(WORK) == 6
    assert planning.serial_seconds(WORK) == 7
    assert planning.by_turns_seconds(WORK) == 2 + 3 + 1
    assert planning.depth(WORK) == 3


def test_turns_may_cost_more_than_the_critical_path() -> None:
    """Two chains, slow-fast and fast-slow: a turn waits for its slowest call."""
    crossed = [
        GraphNode("a", [], 5), GraphNode("b", ["a"], 1), GraphNode("c", [], 1),
        GraphNode("d", ["c"], 5),
    ]  # fmt: skip
    assert planning.critical_seconds(crossed) == 6
    assert planning.by_turns_seconds(crossed) == 10


def test_an_empty_graph_takes_no_turn_and_a_circle_is_refused() -> None:
    assert planning.depth([]) == 0
    assert planning.critical_seconds([]) == 0
    assert planning.critical_path([]) == []
    with pytest.raises(ValueError, match="need each other"):
        planning.levels([GraphNode("a", ["b"], 1), GraphNode("b", ["a"], 1)])


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
    critical, by_turns = planning.critical_seconds(nodes), planning.by_turns_seconds(nodes)
    assert critical <= by_turns <= planning.serial_seconds(nodes)
    assert max(node.seconds for node in nodes) <= critical
    path = planning.critical_path(nodes)
    assert sum(node.seconds for node in nodes if node.node in path) == critical
    assert 1 <= planning.depth(nodes) <= len(nodes)


def call(turn: int, node: str | None, seconds: float, how: dict[str, bool]) -> ScheduledCall:
    flags = {"failed": False, "repeated": False} | how
    done = [node] if flags.pop("did", True) and node else []
    return ScheduledCall(turn, "tool", node, done, seconds, **flags)


@from_set("measures/planning", "why", "calls", "options", "expected")
def test_what_a_schedule_measures(
    why: str, calls: list[list[Any]], options: dict[str, bool], expected: dict[str, Any]
) -> None:
    placed = [call(*each, *([{}] if len(each) == 3 else [])) for each in calls]
    found = planning.measure_schedule(WORK[:3], placed, **options)
    assert differences(found, expected) == {}, why


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 100)), max_size=12))
def test_a_makespan_lies_between_the_slowest_call_and_all_of_them(
    calls: list[tuple[int, float]],
) -> None:
    seconds = [each for _, each in calls]
    found = planning.makespan_seconds(calls)
    assert max(seconds, default=0) <= found <= sum(seconds) + 1e-9
