"""Completion by program on a task small enough to mark by hand."""

from typing import Any

from agentdyno.benchmarks.tps.tasks.checking import MadeCall, completed_subtasks
from agentdyno.benchmarks.tps.tasks.placing import place_calls
from agentdyno.benchmarks.tps.tasks.values import CompoundTask, StateCheck, Subtask

SEARCH = Subtask("s1", "find", "a_search", {"city": "Rome"}, [], ["a_search", "a_best"], ["Rome"],
                 ["x1", 80.5], [80.5], None, 1.0)  # fmt: skip
LEFT = StateCheck("a", "rows", {"id": "x1"}, {"text": ["80.5"]})
BOOK = Subtask("s2", "book", "a_book", {"id": {"$from": "s1", "path": "id"}}, ["s1"], ["a_book"],
               ["x1"], [], [], LEFT, 2.0)  # fmt: skip
TASK = CompoundTask("t", "easy", "Rome, cheap", [], [SEARCH, BOOK])
FOUND = {"city": "Rome", "id": "x1", "price": 80.5}


def call(turn: int, tool: str, arguments: Any, result: Any, error: str | None = None) -> MadeCall:
    return MadeCall(turn, tool, arguments, result, error, 1.0)


def done(calls: list[MadeCall], answer: str, rows: dict[str, Any]) -> list[str]:
    return completed_subtasks(TASK, calls, answer, lambda server: {"rows": rows})


ROW = {"1": {"id": "x1", "text": "paid 80.5"}}
GOOD = [call(0, "a_search", {"city": "rome"}, FOUND), call(1, "a_book", {"id": "x1"}, {"id": "x1"})]


def test_evidence_answer_and_state_are_all_needed() -> None:
    assert done(GOOD, "It is 80.50.", ROW) == ["s1", "s2"]
    assert done(GOOD, "It is cheap.", ROW) == ["s2"]
    assert done(GOOD, "It is 80.50.", {}) == ["s1"]
    assert done(GOOD, "80.50", {"1": {"id": "x1", "text": "paid 80"}}) == ["s1"]
    assert done(GOOD[1:], "80.50", ROW) == ["s2"]


def test_an_answer_without_the_call_is_a_guess() -> None:
    assert done([], "It is 80.50.", {}) == []


def test_failed_calls_other_tools_and_other_cities_are_no_evidence() -> None:
    failed = call(0, "a_search", {"city": "Rome"}, FOUND, "500")
    other_tool = call(0, "a_list", {"city": "Rome"}, FOUND)
    elsewhere = call(0, "a_search", {"city": "Oslo"}, {**FOUND, "city": "Oslo"})
    for wrong in (failed, other_tool, elsewhere):
        assert done([wrong], "80.50", {}) == []
    assert done([call(0, "a_best", {"city": "Rome"}, FOUND)], "80.50", {}) == ["s1"]


def test_calls_are_placed_on_the_graph_with_guesses_repeats_and_strangers() -> None:
    guess = call(0, "a_book", {"id": "?"}, {}, "not found")
    stranger = call(0, "b_else", {}, {})
    placed = place_calls(TASK, [guess, stranger, *GOOD, GOOD[0]])
    assert [p.node for p in placed] == ["s2", None, "s1", "s2", "s1"]
    assert [p.did for p in placed] == [[], [], ["s1"], ["s2"], []]
    assert [p.repeated for p in placed] == [False, False, False, False, True]
    assert [p.failed for p in placed] == [True, False, False, False, False]
