"""Which turns could have been one. More cases, from whole traces, stand with the what-if."""

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import joinable_turns
from agentdyno.records.scheduling import CallEdge
from tests.labelled import from_set
from tests.metrics.scheduling.trajectories import Call, trajectory

A: Call = ("search", {"to": "Rome"}, {"id": "NW412"})
B: Call = ("search", {"to": "Oslo"}, {"id": "NW999"})
PROMPT = "Rome Oslo"


def test_known_edges_settle_the_matter_alone() -> None:
    """A new number is no reason to wait when it is known what waits for what."""
    pay: Call = ("pay", {"amount": 77}, "ok")
    t = trajectory(PROMPT, [A], [pay], [B])
    assert joinable_turns(t, [], "known") == {1: 0, 2: 0}
    assert joinable_turns(t, [CallEdge(0, 2, "a")], "known") == {1: 0}
    assert joinable_turns(t, [CallEdge(0, 1, "a")], "known") == {2: 1}


def test_a_text_that_quotes_a_result_makes_it_no_older() -> None:
    """What turn 1 wrote about the result of turn 0 was learned from it."""
    from msgspec import structs

    from agentdyno.records import Part

    book: Call = ("book", {"code": "nw412"}, "ok")
    t = trajectory(PROMPT, [A], [B], [book])
    place = next(i for i, part in enumerate(t.parts) if part.made == 1)
    # Requests and results are found by their places, so the text goes to the end of turn 1.
    quoted = structs.replace(t.parts[place], text=t.parts[place].text + " I found NW412.")
    t = structs.replace(t, parts=(*t.parts[:place], quoted, *t.parts[place + 1 :]))
    assert isinstance(quoted, Part)
    assert joinable_turns(t, []) == {1: 0}


@pytest.mark.parametrize(("gone", "expected"), [((False,) * 4, {1: 0}), ((0, 1, 0, 0), {2: 0})])
def test_turns_that_are_gone_are_passed_over(gone, expected) -> None:
    fails = trajectory(PROMPT, [A], [B], [B], failed=(1,))
    assert joinable_turns(fails, [], gone=gone) == expected


@from_set("metrics/scheduling/joining", "read")
def test_a_reading_at_a_line_that_a_search_found_depends_on_it(read: Call) -> None:
    found: Call = ("Grep", {"pattern": "area", "path": "/w"}, "/w/b.py:675:def area():")
    t = trajectory("area in /w/b.py", [found], [read])
    assert [(e.source, e.target, e.value) for e in infer_edges(t)] == [(0, 1, "b.py:675")]
    elsewhere: Call = ("Read", {"file_path": "/w/b.py", "offset": 20}, "x")
    assert infer_edges(trajectory("area in /w/b.py", [found], [elsewhere])) == []
