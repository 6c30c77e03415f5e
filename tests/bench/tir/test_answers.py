"""Answers in their tag, and texts that mean the same."""

from agentdyno_bench.tir.answers import boxed_answer, same_words, tagged_answer
from tests.labelled import from_set


@from_set("bench/tir/answers", "text", "answer")
def test_the_last_tag_counts(text: str, answer: str | None) -> None:
    assert tagged_answer(text) == answer


@from_set("bench/tir/answers", "one", "other", "same")
def test_words_are_compared_without_their_dress(one: str, other: str, same: bool) -> None:
    assert same_words(one, other) is same


def test_a_box_is_found_with_its_braces_matched() -> None:
    assert boxed_answer(r"so \boxed{1} and then \boxed{\frac{1}{2}}.") == r"\frac{1}{2}"
    assert boxed_answer(r"\boxed{open") is None
    assert boxed_answer("no box") is None
