"""Dependencies read off values."""

from typing import Any

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
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
