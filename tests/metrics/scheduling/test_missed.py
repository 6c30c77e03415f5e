"""Missed parallelism, with the turns, seconds and PTE it cost."""

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.missed import TurnCost, find_missed_parallelism
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import MissedParallelism
from tests.metrics.scheduling.trajectories import Call, trajectory

A: Call = ("search", {"to": "Rome"}, {"id": "NW412"})
B: Call = ("search", {"to": "Oslo"}, {"id": "NW999"})
C: Call = ("search", {"to": "Bern"}, {"id": "NW555"})
BOOK: Call = ("book", {"id": "NW412"}, "ok")
PROMPT = "Rome Oslo Bern"


def missed(t: Trajectory, costs: dict[int, TurnCost] | None = None) -> MissedParallelism:
    return find_missed_parallelism(t, infer_edges(t), costs)


def test_nothing_joins_after_a_failure_or_after_somebody_spoke() -> None:
    assert missed(trajectory(PROMPT, [A], [B], failed=(0,))).turns == 0
    assert missed(trajectory(PROMPT, [A], [B], spoken={1: "And Oslo?"})).turns == 0


def test_the_cost_of_a_missed_turn_is_its_prefill_and_the_longer_context() -> None:
    costs = {0: TurnCost(1000, 1000, 40, 0.002), 1: TurnCost(1200, 1200, 50, 0.002)}
    got = missed(trajectory(PROMPT, [A], [B]), costs)
    assert got.pte == pytest.approx(1200 + 0.002 * 50 * 200)  # 1,220


def test_joining_nothing_saves_nothing_where_times_and_costs_are_known_at_all() -> None:
    """A mean over trajectories must not take those without times for zeros."""
    timed = missed(trajectory(PROMPT, [A, B, C]), {0: TurnCost(1000, 1000, 40, 0.002)})
    assert (timed.tool_seconds, timed.model_seconds_at_most, timed.pte) == (0, 0, 0)
    timeless = missed(trajectory(PROMPT, [A, B, C], waits=None, latency=None))
    assert timeless.tool_seconds is timeless.model_seconds_at_most is timeless.pte is None


def test_known_edges_take_the_place_of_what_values_give_away() -> None:
    t = trajectory(PROMPT, [A], [BOOK])
    assert missed(t).turns == 0
    assert find_missed_parallelism(t, [], edge_source="known").turns == 1
