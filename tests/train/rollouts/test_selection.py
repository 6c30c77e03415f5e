"""Options beside plays that are there."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno_train.rollouts.journal import Journal, RolloutOptions
from agentdyno_train.rollouts.selection import select_recorded


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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"limit": 4}, "--limit 4 (easy 60, hard 24)"),
        ({"limit": 24}, "--limit 24 (easy 60, hard 24)"),
        ({"level": ["easy"], "limit": 4}, "--limit 4 (easy 60)"),
        ({"level": ["train"]}, "--level train (easy 60, hard 24)"),
        ({"toolfail": 7}, "--toolfail 7 (toolfail 100)"),
        ({"samples": 4}, "--samples 4 (samples 8)"),
        ({"continuations": 9}, "--continuations 9 (continuations 4)"),
        ({"max_tokens": 64}, "--max-tokens 64 (turn_tokens 512)"),
        ({"turns": 2}, "--turns 2 (turns 16)"),
        ({"offer": "rule"}, "--offer rule (offer needed)"),
        ({"play": True}, "--play (nothing is generated here): "),
        ({"device": "cuda", "seats": 4}, "--seats 4 (nothing is generated here), --device cuda ("),
        ({"limit": 4, "tir": 3}, "--limit 4 (easy 60, hard 24), --tir 3 (tir 12): "),
    ],
)
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
