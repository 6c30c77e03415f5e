"""Which turns could have been one. More cases, from whole traces, stand with the what-if."""

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import find_joins, joinable_turns
from agentdyno.records.scheduling import CallEdge
from tests.labelled import from_set
from tests.metrics.scheduling.trajectories import Call, trajectory

A: Call = ("search", {"to": "Rome"}, {"id": "NW412"})
B: Call = ("search", {"to": "Oslo"}, {"id": "NW999"})
PROMPT = "Rome Oslo"


def test_a_word_that_a_result_showed_first_waits_also_in_another_spelling() -> None:
    book: Call = ("book", {"note": "take nw412 please"}, "ok")
    t = trajectory(PROMPT, [A], [book])
    assert joinable_turns(t, infer_edges(t)) == {}


def test_a_number_that_nobody_named_may_have_been_worked_out() -> None:
    pay: Call = ("pay", {"amount": 77}, "ok")
    assert joinable_turns(trajectory(PROMPT, [A], [pay]), []) == {}


def test_what_may_write_never_joins() -> None:
    pay: Call = ("pay", {"amount": 77}, "ok")
    assert joinable_turns(trajectory("Rome 77", [A], [pay]), []) == {}


def test_an_edit_of_what_the_batch_read_has_to_wait() -> None:
    read: Call = ("Read", {"file_path": "/a/b.py"}, "x = 1")
    edit: Call = ("Edit", {"file_path": "/a/b.py", "old_string": "x", "new_string": "y"}, "ok")
    other: Call = ("Read", {"file_path": "/a/c.py"}, "x = 1")
    assert find_joins(trajectory("/a/b.py /a/c.py", [read], [edit]), []) == []
    assert joinable_turns(trajectory("/a/b.py /a/c.py", [read], [other]), []) == {1: 0}


def test_words_that_nobody_had_named_make_no_join() -> None:
    assert find_joins(trajectory("Rome", [A], [("search", {"to": "Lisbon"}, "ok")]), []) == []


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


def test_a_file_that_an_earlier_list_showed_was_at_hand() -> None:
    seen: Call = ("Glob", {"pattern": "**/*"}, "src/one.py\nsrc/two.py")
    one: Call = ("Read", {"file_path": "/w/src/one.py"}, "x")
    two: Call = ("Read", {"file_path": "/w/src/two.py"}, "y")
    t = trajectory("look", [seen], [one], [two])
    assert joinable_turns(t, infer_edges(t)) == {2: 1}


def test_a_search_that_narrows_down_another_has_to_wait() -> None:
    wide: Call = ("Grep", {"pattern": "redaction"}, "b.py")
    close: Call = ("Grep", {"pattern": "secrets/redaction"}, "a.py")
    t = trajectory("find secrets redaction", [wide], [close])
    assert find_joins(t, infer_edges(t)) == []


@from_set("metrics/scheduling/joining", "read")
def test_a_reading_at_a_line_that_a_search_found_depends_on_it(read: Call) -> None:
    found: Call = ("Grep", {"pattern": "area", "path": "/w"}, "/w/b.py:675:def area():")
    t = trajectory("area in /w/b.py", [found], [read])
    assert [(e.source, e.target, e.value) for e in infer_edges(t)] == [(0, 1, "b.py:675")]
    elsewhere: Call = ("Read", {"file_path": "/w/b.py", "offset": 20}, "x")
    assert infer_edges(trajectory("area in /w/b.py", [found], [elsewhere])) == []


def test_waiting_is_never_joined() -> None:
    sleep: Call = ("Bash", {"command": "sleep 50"}, "")
    t = trajectory("sleep 50", [sleep], [sleep])
    assert find_joins(t, []) == []
