"""References into earlier results, and what a guesser would send instead."""

from typing import Any

import pytest

from agentdyno_bench.tps.tasks.references import (
    UnclearError,
    fill,
    find_needed,
    resolve,
)

ROWS = {"rows": [{"id": "a", "p": 3, "left": 0}, {"id": "b", "p": 5, "left": 2},
                 {"id": "c", "p": 4, "left": 1}], "text": "over 310 euros"}  # fmt: skip
RESULTS = {"s1": ROWS, "s2": {"day": "2026-05-30T10:00", "n": 2.0}}


def row(**kw: Any) -> dict[str, Any]:
    return {"$from": "s1", "list": "rows", "field": "id", **kw}


@pytest.mark.parametrize(
    ("ref", "value"),
    [
        ({"$from": "s1", "path": "rows.1.id"}, "b"),
        ({"$from": "s1", "path": "text", "pattern": r"over (\d+)"}, 310.0),
        (row(take="min", by="p"), "a"),
        (row(take="min", by="p", where=[["left", ">", 0]]), "c"),
        (row(take="only", where=[["id", "=", "b"]]), "b"),
        ({"$day": {"$from": "s2", "path": "day"}}, "2026-05-30"),
        ({"$days_after": {"$from": "s2", "path": "day"}, "days": 3}, "2026-06-02"),
        ({"$text": "n is {0}", "of": [{"$from": "s2", "path": "n"}]}, "n is 2"),
        ({"$list": [{"$from": "s2", "path": "n"}]}, [2.0]),
        ({"$best": [{"value": 1, "give": "x"}, {"value": 2, "give": "y"}], "take": "max"}, "y"),
        ({"a": [{"$from": "s2", "path": "n"}]}, {"a": [2.0]}),
    ],
)
def test_a_reference_leads_to_its_value(ref: Any, value: Any) -> None:
    assert resolve(ref, RESULTS) == value


@pytest.mark.parametrize(
    "ref",
    [
        {"$from": "s9", "path": "x"},
        {"$from": "s1", "path": "rows.7.id"},
        row(take="only"),
        row(take="min", by="p", where=[["left", ">", 9]]),
        {"$best": [{"value": 1, "give": "x"}, {"value": 1, "give": "y"}], "take": "max"},
    ],
)
def test_what_nobody_could_know_is_an_error(ref: Any) -> None:
    with pytest.raises(UnclearError):
        resolve(ref, RESULTS)


def test_edges_and_guesses_come_from_the_references() -> None:
    arguments = {
        "x": {"$text": "at {0}", "of": [{"$from": "s2", "path": "n"}]},
        "y": row(take="first"),
    }
    assert find_needed(arguments) == ["s2", "s1"]
    assert fill(arguments, "?") == {"x": "at ?", "y": "?"}
