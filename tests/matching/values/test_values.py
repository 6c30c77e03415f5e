"""Values in the notations that people use, compared with what was expected."""

from typing import Any

from agentdyno_bench.values import (
    Value,
    compare,
    is_derived,
    is_same,
    read_values,
    unit_of_field,
)
from tests.labelled import from_set


def _value(text: str, field: str) -> Value:
    """A value of a record, with the unit of its field."""
    found = next(each for each in read_values(text, "en") if each.end == len(text))
    return found._replace(unit=found.unit or unit_of_field(field), step=0.0)


@from_set("matching/values/values", "value", "field", "text")
def test_a_value_is_found_in_other_notations_and_units(value: str, field: str, text: str) -> None:
    expected = _value(value, field)
    assert any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "value", "field", "text")
def test_another_value_is_not_taken_for_it(value: str, field: str, text: str) -> None:
    expected = _value(value, field)
    assert not any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "text", "derived")
def test_what_two_figures_make_is_derived_and_nothing_else(text: str, derived: bool) -> None:
    known = [_value(count, "rooms") for count in ("132", "160", "28")]
    assert is_derived(read_values(text)[0], (), [*known, _value("94.5", "price_usd")]) is derived


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
