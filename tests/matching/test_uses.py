"""Whether a failed call's result was used."""

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.uses import use_of
from tests.metrics.scheduling.trajectories import Call, trajectory

GONE: Call = ("Read", {"file_path": "/w/harbour_gate.go"}, "Error: File does not exist.")


def _used(*turns: list[Call]) -> bool | None:
    return use_of(Appearances(trajectory("open it", *turns)), 0).used


def test_a_failure_is_used_when_the_next_turn_takes_it_up() -> None:
    assert _used([GONE], [("Glob", {"pattern": "**/harbour_gate.go"}, "x")]) is True


def test_of_a_failure_that_nobody_takes_up_nothing_is_said() -> None:
    assert _used([GONE], [("Glob", {"pattern": "**/*.md"}, "x")]) is None


def test_nothing_found_is_used_when_the_search_goes_on() -> None:
    narrow: Call = ("Grep", {"pattern": "opens_harbour_gate"}, "No matches found")
    wide: Call = ("Grep", {"pattern": "opens_harbour_gate", "path": "."}, "a.py")
    assert _used([narrow], [wide]) is True
