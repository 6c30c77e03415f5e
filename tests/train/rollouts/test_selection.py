"""Options beside plays that are there."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno_train.rollouts.journal import Journal, RolloutOptions
from agentdyno_train.rollouts.selection import select_recorded
from tests.labelled import from_set


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Journal(tmp_path).begin(RolloutOptions({"one": "a"}, easy=60, hard=24, toolfail=100, samples=8))
    return tmp_path


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ({}, set()),
        ({"level": ["easy"]}, {"hard"}),
        ({"level": ["hard", "easy"]}, set()),
        ({"toolfail": 0, "tir": 0}, {"toolfail", "tir"}),
        ({"samples": 0, "timed": 0, "continued": 0}, {"samples", "timed", "continued"}),
        ({"toolfail": 100, "turns": 16, "max_tokens": 512, "offer": "needed"}, set()),
        ({"level": ["hard"], "limit": 24}, {"easy"}),
        ({"play": False, "out": Path("x"), "hardware": "h100", "tir_tokens": 5}, set()),
    ],
)
def test_levels_and_zeros_choose_and_what_says_the_same_is_no_matter(
    folder: Path, given: dict[str, Any], left_out: set[str]
) -> None:
    assert select_recorded(folder, given) == left_out


@from_set("train/rollouts/selection", "given", "told")
def test_what_the_plays_decide_is_refused_with_what_they_say(
    folder: Path, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as refused:
        select_recorded(folder, given)
    assert str(refused.value).startswith(told)
    assert str(folder / "play.json") in str(refused.value)


def test_a_level_that_nobody_was_asked_to_play_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path).begin(RolloutOptions({"one": "a"}, easy=5, hard=0))
    with pytest.raises(InputError, match=r"--level hard \(easy 5, hard 0\)"):
        select_recorded(tmp_path, {"level": ["hard"]})
    assert select_recorded(tmp_path, {"limit": 5}) == set()
