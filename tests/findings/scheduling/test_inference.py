"""Dependencies read off values, failures and ids; small cases are rows."""

import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.matching.appearances import Appearances
from agentdyno.records import Trajectory
from agentdyno_bench.toolfail.findings.uses import use_of
from tests.findings.scheduling.trajectories import Call, trajectory


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


def _edges(*turns: list[Call]) -> dict[tuple[int, int], str]:
    return {(e.source, e.target): e.reason for e in infer_edges(trajectory("go", *turns))}


def _bash(command: str, result: str) -> Call:
    return "Bash", {"command": command}, result


IDS = [f"{letter}X{number}K7" for number, letter in enumerate("QWERTZUIOP", start=10)]
WORDS = "harbour_gate river_crossing mountain_hut valley_station glacier_path summit_cross"


def ties() -> Trajectory:
    """Every choice among equals: in a short argument, a long one, figures, and a failure."""
    listed: Call = ("list_orders", {}, {"ids": IDS, "left": [41233, 51677, 20456, 30900]})
    note: Call = (
        "note",
        {"text": "They are all late: " + ", ".join(reversed(IDS)) + "." * 150},
        "ok",
    )
    pay: Call = ("pay", {"amount": 72133, "for": " ".join(IDS)}, "ok")
    gone: Call = ("find", {"what": WORDS}, "Error: nothing of that kind")
    again: Call = ("find", {"what": f"{WORDS} nearby"}, "found")
    return trajectory("x", [listed], [note], [pay], [gone], [again])


def told() -> str:
    index = Appearances(ties())
    return repr((infer_edges(ties()), [use_of(index, call) for call in range(5)]))


def test_edges_and_uses_are_the_same_under_every_hash_seed() -> None:
    code = "from tests.findings.scheduling.test_inference import told; print(told())"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words, run = [sys.executable, "-c", code], partial(subprocess.run, capture_output=True)
    runs = [run(words, env={**env, "PYTHONHASHSEED": seed}, check=True) for seed in "0123"]
    (found,) = {each.stdout for each in runs}
    assert b"CallEdge" in found
