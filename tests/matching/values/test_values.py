"""Submitted values in the forms that people write, compared with what was expected."""

from typing import Any

from agentdyno.matching.values.calendar import find_days
from agentdyno_bench.shared.values import is_same
from tests.labelled import from_set


@from_set("matching/values/values", "expected", "given", "field")
def test_a_submitted_value_may_be_written_as_people_write_it(
    expected: str, given: Any, field: str
) -> None:
    assert is_same(expected, given, field)


@from_set("matching/values/values", "expected", "given", "field")
def test_a_submitted_value_with_anything_else_to_it_is_another(
    expected: str, given: Any, field: str
) -> None:
    assert not is_same(expected, given, field)


def test_words_of_the_question_may_stand_beside_a_number() -> None:
    assert not is_same("35", "35 campaigns", "count")
    assert is_same("35", "35 campaigns", "count", {"campaigns"})


@from_set("matching/values/values", "text", "days")
def test_a_day_is_found_in_other_notations(text: str, days: list[list[int]]) -> None:
    assert {tuple(day) for day in days} == set(find_days(text))
