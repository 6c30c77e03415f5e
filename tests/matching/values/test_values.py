"""Values in the notations that people use, compared with what was expected."""

from agentdyno.matching.values import Value, compare, is_derived, read_values, unit_of_field
from tests.labelled import from_set


def value_of(text: str, field: str) -> Value:
    """A value of a record: a day or a time by its form, any other a number in its field's unit."""
    moments = [found for found in read_values(text, "en") if found.kind in ("date", "time")]
    if moments and not text.replace(".", "").lstrip("-").isdigit():
        return moments[0]
    return Value("number", 0, 0, float(text), unit_of_field(field))


@from_set("matching/values/values", "value", "field", "text")
def test_a_value_is_found_in_other_notations_and_units(value: str, field: str, text: str) -> None:
    expected = value_of(value, field)
    assert any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "value", "field", "text")
def test_another_value_is_not_taken_for_it(value: str, field: str, text: str) -> None:
    expected = value_of(value, field)
    assert not any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@from_set("matching/values/values", "text", "derived")
def test_what_two_figures_make_is_derived_and_nothing_else(text: str, derived: bool) -> None:
    rooms = [("132", "rooms_sold"), ("160", "rooms"), ("28", "rooms_free")]
    known = [value_of(*each) for each in (*rooms, ("94.5", "price_usd"))]
    assert is_derived(read_values(text)[0], (), known) is derived
