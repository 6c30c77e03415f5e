"""Dependencies read off values."""

from typing import Any

import pytest

from agentdyno.metrics.scheduling import infer_edges
from agentdyno.records import Trajectory
from tests.metrics.scheduling.trajectories import Call, trajectory


def edges(t: Trajectory) -> set[tuple[int, int]]:
    return {(edge.source, edge.target) for edge in infer_edges(t)}


SEARCH: Call = ("search", {"to": "Rome"}, {"id": "NW412", "price": 80.0, "city": "Rome"})


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"id": "NW412"}, {(0, 1)}),
        ({"amount": 80.0, "x": "NW412"}, {(0, 1)}),
        ({"text": "Please take NW412 for me"}, {(0, 1)}),
        ({"city": "Rome"}, set()),
        ({"id": "NW41"}, set()),
        ({"id": "nw412"}, {(0, 1)}),
        ({"n": 42}, set()),
        ({"rows": [{"deep": "NW412"}]}, {(0, 1)}),
        ("NW412", {(0, 1)}),
        ({}, set()),
    ],
)
def test_an_argument_first_shown_by_a_result_is_a_dependency(arguments: Any, found: Any) -> None:
    assert edges(trajectory("Go to Rome", [SEARCH], [("book", arguments, "ok")])) == found


def test_whatever_the_prompt_says_needs_no_result() -> None:
    assert edges(trajectory("Book NW412", [SEARCH], [("book", {"id": "NW412"}, "ok")])) == set()


def test_the_result_that_showed_a_value_first_is_its_source() -> None:
    again: Call = ("details", {"id": "NW412"}, {"id": "NW412", "seat": "14C-2"})
    t = trajectory("x", [SEARCH], [again], [("book", {"id": "NW412", "seat": "14C-2"}, "ok")])
    assert edges(t) == {(0, 1), (0, 2), (1, 2)}


def test_calls_of_the_same_turn_cannot_depend_on_each_other() -> None:
    assert edges(trajectory("x", [SEARCH, ("book", {"id": "NW412"}, "ok")])) == set()


def test_numbers_are_compared_as_values_and_names_within_sentences_are_found() -> None:
    told: Call = ("look", {}, {"total": 1250.50, "name": "Hotel Blue Swan"})
    note: Call = ("note", {"text": "We stay at Hotel Blue Swan."}, "ok")
    assert edges(trajectory("x", [told], [("pay", {"amount": 1250.5}, "ok")])) == {(0, 1)}
    assert edges(trajectory("x", [told], [note])) == {(0, 1)}


def test_hostile_arguments_and_results_are_only_read() -> None:
    for text in ("{", "[" * 5000, "\ud800", '{"a": ' * 300):
        t = trajectory("x", [("a", {}, text)], [("b", {"x": "abc"}, text)])
        assert edges(t) == set()


def test_an_edge_names_its_value_printable_and_short() -> None:
    long = "Z9" + "x" * 300
    t = trajectory("x", [("a", {}, {"v": long})], [("b", {"v": long}, "ok")])
    (edge,) = infer_edges(t)
    assert len(edge.value) <= 60


def test_a_line_of_a_result_within_a_longer_text_is_a_dependency() -> None:
    read: Call = (
        "Read",
        {"file_path": "/a/b.py"},
        "     1\tdef area(width, height):\n     2\t    pass",
    )
    old, new = "def area(width, height):\n    pass", "def area(w, h):\n    return w * h"
    change = {"file_path": "/a/b.py", "old_string": old, "new_string": new}
    edit: Call = ("Edit", change, "ok")
    (edge,) = infer_edges(trajectory("fix /a/b.py", [read], [edit]))
    assert (edge.source, edge.target, edge.reason) == (0, 1, "a line of its result is quoted")


def test_a_test_after_an_edit_waits_for_it_and_a_look_elsewhere_does_not() -> None:
    edit: Call = ("Write", {"file_path": "/a/b.py", "content": "x = 1"}, "ok")
    check: Call = ("Bash", {"command": "pytest -q"}, "1 passed")
    look: Call = ("Read", {"file_path": "/a/c.py"}, "y = 2")
    assert edges(trajectory("/a/b.py /a/c.py", [edit], [check])) == {(0, 1)}
    assert edges(trajectory("/a/b.py /a/c.py", [edit], [look])) == set()


def test_a_figure_worked_out_of_two_results_rests_on_both() -> None:
    one: Call = ("price", {"of": "ferry"}, {"eur": 1250.5})
    two: Call = ("price", {"of": "train"}, {"eur": 830.25})
    pay: Call = ("pay", {"amount": 2080.75}, "ok")
    assert edges(trajectory("ferry train", [one], [two], [pay])) == {(0, 2), (1, 2)}


def test_one_of_several_that_were_looked_at_rests_on_all_of_them() -> None:
    looks: list[list[Call]] = [[("weather", {"city": c}, {"high": 20})] for c in ("Rome", "Oslo")]
    stay: Call = ("hotels", {"city": "Rome", "nights": 2}, "ok")
    t = trajectory("The warmer of Rome and Oslo, 2 nights", *looks, [stay])
    assert edges(t) == {(0, 2), (1, 2)}


def test_small_numbers_and_enums_prove_nothing() -> None:
    told: Call = ("look", {}, {"line": 42, "class": "a", "page": 3})
    use: Call = ("open", {"line": 42, "class": "a", "page": 3}, "ok")
    assert edges(trajectory("x", [told], [use])) == set()
