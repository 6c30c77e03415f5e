"""The fitted weights: how they make a label, and that the stored ones do what is said of them."""

from math import exp
from pathlib import Path

import pytest

from agentdyno.findings.failures import classify
from agentdyno.findings.failures.fitted import Fitted, load_fitted, weigh
from agentdyno.findings.failures.new_words import find_new_words, stems_of
from agentdyno.matching.commitments import read_text
from tests.answer_sets import load, score

LOCKED = Path(__file__).resolve().parents[2] / "data/locked_answers"


def test_the_largest_sum_wins_and_its_chance_is_the_softmax() -> None:
    fitted = Fitted(0.8, {"any": [1.0, 0.0, 0.0], "new names": [0.0, 0.0, 2.0]}, {"park": 1.5}, {})
    label, chance = weigh(fitted, {"any": 1.0, "new names": 1.0, "unknown": 9.0}, {"park": 1.0})
    assert label == "output_fabrication"
    assert chance == pytest.approx(exp(3.5) / (exp(3.5) + exp(1.0) + 1))


@pytest.mark.parametrize("letter", "ghk")
def test_the_stored_weights_keep_the_figures_of_the_sets_that_they_were_fitted_on(
    letter: str,
) -> None:
    found = score(load(f"2026-11-17-{letter}", LOCKED), lambda t, a: classify("own", t, a))
    assert found.accuracy >= 0.97
    assert found.coverage >= 0.82


def test_a_rare_word_counts_where_something_is_stated_and_not_in_advice() -> None:
    sourced = stems_of(["the", "pitch", "is"])
    counts = load_fitted().counts
    stated = find_new_words(read_text("The pitch is waterlogged."), sourced, counts)
    advised = find_new_words(read_text("Please ask if it is waterlogged."), sourced, counts)
    assert stated is not None
    assert advised is not None
    assert stated.stated == ["waterlogged"]
    assert stated.rare["plain"] == 1
    assert advised.stated == []
    assert advised.rare["advice"] == 1


def test_words_are_not_counted_in_a_text_that_is_not_english() -> None:
    reading = read_text("Numer zostanie przeniesiony w nocy, a nie jutro, jak mówiono.")
    assert find_new_words(reading, frozenset(), load_fitted().counts) is None
