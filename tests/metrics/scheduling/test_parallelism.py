"""Calls per turn and overlap in time."""

from msgspec import structs

from agentdyno.findings.scheduling.parallelism import measure_parallelism
from agentdyno.findings.scheduling.table import measure_scheduling
from agentdyno.records import Trajectory
from tests.metrics.scheduling.trajectories import Call, trajectory

A: Call = ("search", {"to": "Rome"}, {"id": "NW412"})
BOOK: Call = ("book", {"id": "NW412"}, "ok")


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
    assert rows["depth"].to_list() == [2, 0]
    assert rows["edges"].to_list() == [1, 0]
    assert edges.row(0)[:7] == ("t", "inferred", 0, 0, 1, 0, "nw412")
    assert edges.row(0)[7:] == ("its result showed this first", 0.95)
