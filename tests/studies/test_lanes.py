"""A trajectory's schedule in time, by the best times that there are."""

from agentdyno.studies.scheduling.lanes import (
    CLOCK,
    SERVICES,
    STEPS,
    WAITS,
    PlacedCall,
    lay_out,
)


def call(
    turn: int, place: int, clock: tuple[float, float] | None = None, wait: float | None = None
) -> PlacedCall:
    return PlacedCall((turn, place), "tool", False, clock, wait)


def test_services_take_their_own_time_and_turns_follow_each_other() -> None:
    calls = [call(1, 0), call(1, 1), call(2, 0)]
    laid = lay_out(calls, {(1, 0): 2.0, (1, 1): 1.0, (2, 0): 3.0})
    assert laid.spans == [(0, 2), (0, 1), (2, 5)]
    assert (laid.turns, laid.axis) == ([0, 2], SERVICES)


def test_the_clock_is_shown_from_the_first_call_on() -> None:
    calls = [call(0, 0, (100, 102), 2), call(0, 1, (100.5, 101), 0.5), call(3, 0, (110, 111), 1)]
    laid = lay_out(calls, {})
    assert laid.spans == [(0, 2), (0.5, 1), (10, 11)]
    assert (laid.turns, laid.axis) == ([0, 10], CLOCK)


def test_a_clock_with_a_night_in_it_gives_way_to_the_waits() -> None:
    laid = lay_out([call(0, 0, (0, 2), 2), call(1, 0, (40_000, 40_001), 1)], {})
    assert laid.spans == [(0, 2), (2, 3)]
    assert laid.axis == WAITS


def test_without_times_every_turn_is_a_step_and_the_axis_says_so() -> None:
    laid = lay_out([call(0, 0), call(0, 1, wait=1.0), call(4, 0)], {})
    assert laid.spans == [(0, 1), (0, 1), (1, 2)]
    assert laid.axis == STEPS


def test_calls_that_took_no_time_at_all_are_steps_too() -> None:
    assert lay_out([call(0, 0, (5, 5), 0.0), call(1, 0, (5, 5), 0.0)], {}).axis == STEPS
