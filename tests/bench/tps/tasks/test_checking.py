"""Which calls did which step, on a task small enough to place by hand."""

from typing import Any

from agentdyno_bench.tps.tasks.checking import ExecutedCall, first_evidence
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.values import CompoundTask, StateCheck, Subtask

SEARCH = Subtask("s1", "find", "a_search", {"city": "Rome"}, [], ["a_search", "a_best"], ["Rome"],
                 ["x1", 80.5], [80.5], None, 1.0)  # fmt: skip
LEFT = StateCheck("a", "rows", {"id": "x1"}, {"text": ["80.5"]})
BOOK = Subtask("s2", "book", "a_book", {"id": {"$from": "s1", "path": "id"}}, ["s1"], ["a_book"],
               ["x1"], [], [], LEFT, 2.0)  # fmt: skip
TASK = CompoundTask("t", "easy", "Rome, cheap", [], [SEARCH, BOOK])
FOUND = {"city": "Rome", "id": "x1", "price": 80.5}


def call(
    turn: int, tool: str, arguments: Any, result: Any, error: str | None = None
) -> ExecutedCall:
    return ExecutedCall(turn, tool, arguments, result, error, 1.0)


GOOD = [call(0, "a_search", {"city": "rome"}, FOUND), call(1, "a_book", {"id": "x1"}, {"id": "x1"})]


def test_failed_calls_other_tools_and_other_cities_did_nothing() -> None:
    failed = call(0, "a_search", {"city": "Rome"}, FOUND, "500")
    other_tool = call(0, "a_list", {"city": "Rome"}, FOUND)
    elsewhere = call(0, "a_search", {"city": "Oslo"}, {**FOUND, "city": "Oslo"})
    assert first_evidence(SEARCH, [failed, other_tool, elsewhere]) is None
    assert first_evidence(SEARCH, [elsewhere, *GOOD]) == 1
    assert first_evidence(SEARCH, [call(0, "a_best", {"city": "Rome"}, FOUND)]) == 0


def test_calls_are_placed_on_the_graph_with_guesses_repeats_and_strangers() -> None:
    guess = call(0, "a_book", {"id": "?"}, {}, "not found")
    stranger = call(0, "b_else", {}, {})
    placed = place_calls(TASK, [guess, stranger, *GOOD, GOOD[0]])
    assert [p.node for p in placed] == ["s2", None, "s1", "s2", "s1"]
    assert [p.did for p in placed] == [[], [], ["s1"], ["s2"], []]
    assert [p.repeated for p in placed] == [False, False, False, False, True]
    assert [p.failed for p in placed] == [True, False, False, False, False]
