"""Every pattern is found in its sample trace with its evidence, and nothing in the clean twin."""

import re
from functools import lru_cache
from pathlib import Path

import pytest

import agentdyno
from agentdyno.findings.patterns import DETECTORS, PatternOptions, find_patterns
from agentdyno.intake.discover import Found, discover, pieces_of
from agentdyno.intake.format import load_formats
from agentdyno.records import Trajectory

SAMPLES = Path(agentdyno.__file__).parent / "samples"

EVIDENCE: dict[str, tuple[int, int | None, str]] = {
    "confirmatory": (0, 0, "3,400 euro in total"),
    "tool_mixing": (1, None, "web: web_search; compute: python"),
    "lack_of_tool_priors": (0, 0, "pieces"),
    "format_collapse": (0, 0, '{"script"'),
    "repeated_call": (1, 0, "basket.py"),
    "loop": (1, 0, "who designed bridge Port Elna"),
    "unread_result": (1, 0, "Budget review"),
    "oversized_result": (1, 0, "Velhamn line"),
}


EVERY = PatternOptions(unproven=True)


@lru_cache(maxsize=1)
def _trajectories() -> dict[str, Trajectory]:
    formats = load_formats()
    return {
        item.trajectory_id: item
        for file in discover([SAMPLES], formats)
        if isinstance(file, Found)
        for source in pieces_of(file)
        for item in formats[file.format].read(source)
        if isinstance(item, Trajectory)
    }


@lru_cache(maxsize=1)
def _pairs() -> dict[str, tuple[str, str]]:
    """The table of the samples' README."""
    row = re.compile(r"\| `(\w+)` \| `(samples/[^`]+)` \| `(samples/[^`]+)` \|")
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    return {match[1]: (match[2], match[3]) for match in row.finditer(text)}


def test_the_readme_lists_pairs_that_are_checked_here_and_patterns_that_are_looked_for() -> None:
    assert set(_pairs()) == set(EVIDENCE)
    assert set(EVIDENCE) <= {detector.name for detector in DETECTORS}


@pytest.mark.parametrize("pattern", tuple(EVIDENCE))
def test_pattern_is_found_with_its_evidence(pattern: str) -> None:
    shown = _trajectories()[_pairs()[pattern][0]]
    first = next(f for f in find_patterns(shown, EVERY) if f.pattern == pattern)
    turn, call, quoted = EVIDENCE[pattern]
    assert (first.turn, first.call) == (turn, call)
    assert quoted in first.evidence


@pytest.mark.parametrize("pattern", tuple(EVIDENCE))
def test_clean_twin_shows_no_pattern_at_all(pattern: str) -> None:
    shown, clean = (_trajectories()[name] for name in _pairs()[pattern])
    assert clean.task_id == shown.task_id
    assert find_patterns(clean, EVERY) == []


def test_desk_with_many_tools_is_not_mixing() -> None:
    desk = [t for t in _trajectories().values() if t.benchmark == "support-desk"]
    assert len(desk) == 48
    assert not [f for t in desk for f in find_patterns(t) if f.pattern == "tool_mixing"]


def test_patterns_that_are_mostly_wrong_are_left_out_unless_asked_for() -> None:
    shown = _trajectories()[_pairs()["unread_result"][0]]
    assert not any(f.pattern == "unread_result" for f in find_patterns(shown))
    assert any(f.pattern == "unread_result" for f in find_patterns(shown, EVERY))
