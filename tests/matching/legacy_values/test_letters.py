"""Patterns that look through whole texts in lower case find what is there, where it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.matching.legacy_values import clocks
from agentdyno.matching.legacy_values.letters import any_of, lowered
from agentdyno.matching.legacy_values.numbers import find_quantities

BITS = [
    *("quarter", "half", "ten", "twenty-five", "five minutes", "past", "to", "Before", "four", "4"),
    *("noon", "MIDNIGHT", "o'clock", "o’clock", "in the morning", "at night", "p.m.", "am", "1615"),
    *("hours", "h", ",", " ", " ", "\n"),
]


@given(st.text())
def test_every_letter_stays_where_it_stood(text: str) -> None:
    assert len(lowered(text + "İ")) == len(text) + 1


def test_any_of_finds_the_longest_word() -> None:
    pattern = re.compile(any_of(["sep", "september", "oct"]))
    assert pattern.findall("september oct sep") == ["september", "oct", "sep"]


@given(st.lists(st.sampled_from(BITS), max_size=8).map("".join))
def test_times_in_words_are_looked_for_wherever_there_may_be_one(text: str) -> None:
    if any(clocks._in_words(text, found) for found in clocks._TIME_WORDS.finditer(text)):
        assert clocks._TIME_HINT.search(lowered(text))


@pytest.mark.parametrize("text", ["ABOUT 40", "Just Under 40", "roughly US$ 40", "40 or SO"])
def test_words_around_a_number_count_in_any_case(text: str) -> None:
    assert [q.approximate for q in find_quantities(text)] == [True]
    assert [q.falling for q in find_quantities("Down by 40")] == [True]
