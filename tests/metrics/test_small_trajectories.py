"""Small trajectories and what is found in them, a row of `tests/data/small_trajectories` each.

A row says `why` it is there, what happened (the arguments of the folder's `trajectory`), and what
is expected of which question.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.findings.scheduling.joining import find_joins, joinable_turns
from agentdyno.records import Trajectory
from tests.labelled import read_set
from tests.metrics.patterns import trajectories as patterns
from tests.metrics.scheduling import trajectories as scheduling

SCHEDULING: dict[str, Callable[[Trajectory], Any]] = {
    "edges": lambda t: sorted({(edge.source, edge.target) for edge in infer_edges(t)}),
    "joinable": lambda t: sorted(joinable_turns(t, infer_edges(t)).items()),
    "joinable without edges": lambda t: sorted(joinable_turns(t, []).items()),
    "joins": lambda t: find_joins(t, infer_edges(t)),
    "joins without edges": lambda t: find_joins(t, []),
}
Event = str | patterns.Turn


def named(folder: str) -> pytest.MarkDecorator:
    """Every row of a set, by what it is there for."""
    rows = [pytest.param(row, id=row["why"]) for row in read_set(f"small_trajectories/{folder}")]
    return pytest.mark.parametrize("row", rows)


@named("scheduling")
def test_what_waits_for_what(row: dict[str, Any]) -> None:
    given = scheduling.trajectory(row["prompt"], *row["turns"], **row.get("more", {}))
    found = {question: SCHEDULING[question](given) for question in row["expect"]}
    assert msgspec.json.decode(msgspec.json.encode(found)) == row["expect"]


@named("patterns")
def test_where_a_pattern_is_found(row: dict[str, Any]) -> None:
    events = msgspec.convert(row["events"], list[Event])
    given = patterns.trajectory(*events, **row.get("more", {}))
    found = {pattern: patterns.places(pattern, given) for pattern in row["expect"]}
    assert msgspec.json.decode(msgspec.json.encode(found)) == row["expect"]
