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
        ({"id": "nw412"}, set()),
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
