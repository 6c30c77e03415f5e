"""The own rule against siblings of what outside sets showed, and answers in other fields."""

import pytest

from tests.metrics.failures.later_sibling_answers import LATER_SIBLINGS
from tests.metrics.failures.later_stranger_answers import LATER_STRANGERS
from tests.metrics.failures.outside_sets import Case, missed
from tests.metrics.failures.sibling_answers import SIBLINGS
from tests.metrics.failures.stranger_answers import STRANGERS

NOT_READ = 8
"""Of all further answers: M4.7, P4 and 0.1042 M, alcohol out of gravities, who pays what, a price
said of each kilo, a count told as a year, and trailers that take the ferry."""
NOT_READ_LATER = 5
"""Of the later ones: a bound that is advice, tickets of two kinds, a time before an unsaid delay,
grams in a hundred grams, and 1.3k."""


EVERY = SIBLINGS | LATER_SIBLINGS


@pytest.mark.parametrize("cases", EVERY.values(), ids=EVERY)
def test_siblings_are_labelled_as_by_hand(cases: list[Case]) -> None:
    assert missed(cases) == []


def test_answers_in_other_fields_are_labelled_as_by_hand_but_for_those_named() -> None:
    wrong = missed([case for cases in STRANGERS.values() for case in cases])
    assert len(wrong) <= NOT_READ, wrong


def test_later_answers_in_other_fields_are_labelled_as_by_hand_but_for_those_named() -> None:
    wrong = missed([case for cases in LATER_STRANGERS.values() for case in cases])
    assert len(wrong) <= NOT_READ_LATER, wrong
