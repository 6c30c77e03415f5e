"""Small trajectories and what is found in them, a row of `tests/data/small_trajectories` each.

A row says `why` it is there, what happened (the arguments of the folder's `trajectory`), and what
is expected of which question.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.missed import find_missed_parallelism
from agentdyno.records import Trajectory
from tests.findings.patterns import trajectories as patterns
from tests.findings.scheduling import trajectories as scheduling
from tests.labelled import read_set
from tests.rows import differences, pick

SCHEDULING: dict[str, Callable[[Trajectory], Any]] = {
    "edges": lambda t: sorted({(edge.source, edge.target) for edge in infer_edges(t)}),
    "reasons": lambda t: sorted((e.source, e.target, e.reason) for e in infer_edges(t)),
    "missed": lambda t: find_missed_parallelism(t, infer_edges(t)),
}
Event = str | patterns.Turn


def named(folder: str) -> pytest.MarkDecorator:
    """Every row of a set, by what it is there for."""
    rows = [pytest.param(row, id=row["why"]) for row in read_set(f"small_trajectories/{folder}")]
    assert rows, f"expected rows in tests/data/small_trajectories/{folder}.jsonl"
    return pytest.mark.parametrize("row", rows)


@named("scheduling")
def test_what_waits_for_what(row: dict[str, Any]) -> None:
    given = scheduling.trajectory(row["prompt"], *row["turns"], **row.get("more", {}))
    answers = {question: ask(given) for question, ask in SCHEDULING.items()}
    assert differences(answers, row["expect"]) == {}


@named("patterns")
def test_where_a_pattern_is_found(row: dict[str, Any]) -> None:
    events = msgspec.convert(row["events"], list[Event])
    given = patterns.trajectory(*events, **row.get("more", {}))
    for question, expected in row["expect"].items():
        pattern, _, field = question.partition(".")
        found = patterns.found(pattern, given)
        told = pick(found, field) if field else [[each.turn, each.call] for each in found]
        assert told == expected, question
