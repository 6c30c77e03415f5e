"""Schedules against a known graph, worked by hand."""

import pytest

from agentdyno.findings.scheduling.graph_measures import measure_schedule
from agentdyno.records.scheduling import GraphNode, ScheduledCall

GRAPH = [GraphNode("a", [], 2), GraphNode("b", [], 1), GraphNode("c", ["a"], 3)]


def call(
    turn: int, node: str | None, seconds: float, did: bool = True, **kw: bool
) -> ScheduledCall:
    done = [node] if did and node else []
    how = {"failed": False, "repeated": False} | kw
    return ScheduledCall(turn, "tool", node, done, seconds, **how)


def test_the_best_schedule_takes_all_the_speedup_that_turns_allow() -> None:
    got = measure_schedule(GRAPH, [call(0, "a", 2), call(0, "b", 1), call(1, "c", 3)])
    assert (got.turns, got.best_turns, got.turns_over_best) == (2, 2, 1)
    assert (got.busy_seconds, got.makespan_seconds, got.critical_path_seconds) == (6, 5, 5)
    assert got.speedup_taken == got.speedup_available == got.speedup_by_turns == 1.2
    assert (got.early_calls, got.repeated_calls, got.unneeded_calls) == (0, 0, 0)


def test_one_by_one_takes_no_speedup() -> None:
    got = measure_schedule(GRAPH, [call(0, "a", 2), call(1, "b", 1), call(2, "c", 3)])
    assert got.turns_over_best == 1.5
    assert got.makespan_over_critical == pytest.approx(6 / 5)
    assert got.speedup_taken == 1


def test_a_call_in_the_turn_of_what_it_needs_is_early() -> None:
    at_once = [call(0, "a", 2), call(0, "b", 1), call(0, "c", 0.05, did=False, failed=True)]
    got = measure_schedule(GRAPH, at_once)
    assert (got.early_calls, got.failed_calls, got.turns) == (1, 1, 1)


def test_a_call_is_early_when_what_it_needs_was_never_done() -> None:
    assert measure_schedule(GRAPH, [call(3, "c", 1, did=False)]).early_calls == 1


def test_doing_it_right_later_does_not_undo_an_early_call() -> None:
    calls = [call(0, "c", 1, did=False), call(0, "a", 2), call(1, "c", 3)]
    assert measure_schedule(GRAPH, calls).early_calls == 1


def test_strangers_and_repeats_are_counted_and_sequential_turns_add_up() -> None:
    calls = [call(0, None, 1), call(0, "a", 2), call(1, "a", 2, did=False, repeated=True)]
    got = measure_schedule(GRAPH, calls, one_at_a_time=True)
    assert (got.unneeded_calls, got.repeated_calls) == (1, 1)
    assert got.makespan_seconds == got.busy_seconds == 5


def test_without_calls_ratios_are_unknown_not_zero() -> None:
    got = measure_schedule(GRAPH, [])
    assert got.turns == 0
    assert got.turns_over_best is got.makespan_over_critical is got.speedup_taken is None
