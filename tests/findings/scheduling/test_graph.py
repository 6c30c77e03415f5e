"""Turns to join, calls missed, parallel and placed on a graph."""

import pytest
from msgspec import structs

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.missed import TurnCost, find_joins, find_missed_parallelism
from agentdyno.findings.scheduling.table import measure_parallelism, measure_scheduling
from agentdyno.records import Trajectory
from agentdyno.records.scheduling import CallEdge, GraphNode, MissedParallelism, ScheduledCall
from agentdyno_bench.tps.studies.rows import find_known_edges, match_calls
from tests.findings.scheduling.trajectories import Call, trajectory
from tests.labelled import from_set

A: Call = ("search", {"to": "Rome"}, {"id": "NW412"})
B: Call = ("search", {"to": "Oslo"}, {"id": "NW999"})
PROMPT = "Rome Oslo"
NOTE: Call = ("TaskCreate", {"subject": "Rome"}, "created")
OTHER: Call = ("TaskCreate", {"subject": "Oslo"}, "created")


def test_known_edges_settle_the_matter_alone() -> None:
    """A new number is no reason to wait when it is known what waits for what."""
    pay: Call = ("pay", {"amount": 77}, "ok")
    t = trajectory(PROMPT, [A], [pay], [B])
    assert joined(t) == {1: 0, 2: 0}
    assert joined(t, CallEdge(0, 2, "a")) == {1: 0}
    assert joined(t, CallEdge(0, 1, "a")) == {2: 1}


def joined(t: Trajectory, *edges: CallEdge) -> dict[int, int]:
    return {join.turn: join.into for join in find_joins(t, edges)}


@pytest.mark.parametrize("tool", ["submit", "mark_task_complete", "finish", "ExitPlanMode"])
def test_what_ends_the_work_rests_on_all_of_it(tool: str) -> None:
    assert joined(trajectory(PROMPT, [A], [(tool, {}, "ok")])) == {}


@from_set("findings/scheduling/graph", "read")
def test_a_reading_at_a_line_that_a_search_found_depends_on_it(read: Call) -> None:
    found: Call = ("Grep", {"pattern": "area", "path": "/w"}, "/w/b.py:675:def area():")
    t = trajectory("area in /w/b.py", [found], [read])
    assert [(e.source, e.target, e.value) for e in infer_edges(t)] == [(0, 1, "b.py:675")]
    elsewhere: Call = ("Read", {"file_path": "/w/b.py", "offset": 20}, "x")
    assert infer_edges(trajectory("area in /w/b.py", [found], [elsewhere])) == []


C: Call = ("search", {"to": "Bern"}, {"id": "NW555"})
BOOK: Call = ("book", {"id": "NW412"}, "ok")
QUESTION = "Rome Oslo Bern"


def missed(t: Trajectory, costs: dict[int, TurnCost] | None = None) -> MissedParallelism:
    """As if the graph had no edge but those that values give away."""
    return find_missed_parallelism(t, infer_edges(t), costs)


def test_nothing_joins_after_a_failure_or_after_somebody_spoke() -> None:
    assert missed(trajectory(QUESTION, [A], [B], failed=(0,))).turns == 0
    assert missed(trajectory(QUESTION, [A], [B], spoken={1: "And Oslo?"})).turns == 0


def test_the_cost_of_a_missed_turn_is_its_prefill_and_the_longer_context() -> None:
    costs = {0: TurnCost(1000, 1000, 40, 0.002), 1: TurnCost(1200, 1200, 50, 0.002)}
    got = missed(trajectory(QUESTION, [NOTE], [OTHER]), costs)
    assert got.pte == pytest.approx(1200 + 0.002 * 50 * 200)  # 1,220


def test_joining_nothing_saves_nothing_where_times_and_costs_are_known_at_all() -> None:
    """A mean over trajectories must not take those without times for zeros."""
    timed = missed(trajectory(QUESTION, [A, B, C]), {0: TurnCost(1000, 1000, 40, 0.002)})
    assert (timed.tool_seconds, timed.model_seconds_at_most, timed.pte) == (0, 0, 0)
    timeless = missed(trajectory(QUESTION, [A, B, C], waits=None, latency=None))
    assert timeless.tool_seconds is timeless.model_seconds_at_most is timeless.pte is None


def test_known_edges_take_the_place_of_what_values_give_away() -> None:
    t = trajectory(QUESTION, [A], [BOOK])
    assert missed(t).turns == 0
    assert find_missed_parallelism(t, []).turns == 1


def timed(t: Trajectory, *spans: tuple[float, float] | None) -> Trajectory:
    calls = [
        call if span is None else structs.replace(call, started_at=span[0], ended_at=span[1])
        for call, span in zip(t.calls, spans, strict=True)
    ]
    return structs.replace(t, calls=tuple(calls))


def test_overlap_is_summed_time_over_the_time_in_which_anything_ran() -> None:
    t = timed(trajectory("Rome", [A, A], [A]), (0, 2), (1, 3), (5, 6))
    got = measure_parallelism(t)
    assert got.overlap == 1.25  # 5 s of calls in 4 s
    assert (got.calls, got.call_turns, got.calls_per_turn, got.widest_turn) == (3, 2, 1.5, 2)


def test_one_unknown_time_makes_overlap_unknown() -> None:
    assert measure_parallelism(timed(trajectory("Rome", [A, A]), (0, 1), None)).overlap is None


def test_a_trajectory_without_calls_has_no_ratio() -> None:
    got = measure_parallelism(trajectory("hello"))
    assert (got.calls, got.calls_per_turn, got.overlap) == (0, None, None)


def test_ledger_rows_say_that_their_edges_are_inferred() -> None:
    rows, edges, _ = measure_scheduling([trajectory("Rome", [A], [BOOK]), trajectory("none")])
    assert rows["edge_source"].to_list() == ["inferred", "inferred"]
    assert (rows["depth"].to_list(), rows["edges"].to_list()) == ([2, 0], [1, 0])
    assert edges.row(0)[:7] == ("t", "inferred", 0, 0, 1, 0, "nw412")
    assert edges.row(0)[7:] == ("its result showed this first", 0.95)


PLACED = [GraphNode("a", [], 2), GraphNode("b", [], 1), GraphNode("c", ["a", "b"], 3)]


def placed_call(tool: str) -> Call:
    return tool, {}, "ok"


def placed(turn: int, tool: str, node: str | None, did: bool = True) -> ScheduledCall:
    done = [node] if node is not None and did else []
    return ScheduledCall(turn, tool, node, done, 1.0, False, False)


def edges(t: Trajectory, calls: list[ScheduledCall]) -> list[CallEdge]:
    return find_known_edges(PLACED, calls, match_calls(t, calls))


def test_each_call_is_found_by_turn_and_tool_also_behind_a_turn_without_calls() -> None:
    """The first turn selects tools; what the agent counts as turn 0 is turn 1."""
    t = trajectory("p", [], [placed_call("x"), placed_call("y")], [placed_call("z")])
    calls = [placed(0, "y", "b"), placed(0, "x", "a"), placed(1, "z", "c")]
    assert match_calls(t, calls) == [1, 0, 2]
    assert edges(t, calls) == [CallEdge(0, 2, "a"), CallEdge(1, 2, "b")]


def test_calls_that_were_written_and_not_executed_are_passed_over() -> None:
    t = trajectory("p", [placed_call("x"), placed_call("y")], [placed_call("y")])
    assert match_calls(t, [placed(0, "x", "a"), placed(1, "y", "b")]) == [0, 2]


def test_a_call_that_the_trajectory_lacks_has_no_place_and_no_edge() -> None:
    t = trajectory("p", [placed_call("x")])
    calls = [placed(0, "x", "a"), placed(1, "z", "c")]
    assert match_calls(t, calls) == [0, None]
    assert edges(t, calls) == []


def test_a_call_made_together_with_what_it_needs_did_not_use_it() -> None:
    t = trajectory("p", [placed_call("x"), placed_call("z")], [placed_call("z")])
    calls = [placed(0, "x", "a"), placed(0, "z", "c", did=False), placed(1, "z", "c")]
    assert edges(t, calls) == [CallEdge(0, 2, "a")]
