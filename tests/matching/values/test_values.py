"""Values in the notations that people use, compared with what was expected."""

from agentdyno.matching.values import compare, expect, is_derived, read_values
from tests.labelled import from_set


@from_set("matching/values/values", "value", "field", "text")
def test_a_value_is_found_in_other_notations_and_units(value: str, field: str, text: str) -> None:
    expected = expect(value, field).values[0]
    assert any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "value", "field", "text")
def test_another_value_is_not_taken_for_it(value: str, field: str, text: str) -> None:
    expected = expect(value, field).values[0]
    assert not any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "text", "derived")
def test_what_two_figures_make_is_derived_and_nothing_else(text: str, derived: bool) -> None:
    shown = [expect("132", "rooms_sold"), expect("160", "rooms"), expect("28", "rooms_free")]
    known = [value for each in (*shown, expect("94.5", "price_usd")) for value in each.values]
    assert is_derived(read_values(text)[0], (), known) is derived
