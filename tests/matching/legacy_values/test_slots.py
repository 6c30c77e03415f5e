"""An answer states a typed slot in whatever notation a reader would accept, or it does not."""

import pytest

from agentdyno.matching.legacy_values import Slot, find_slot, slot_for, states

STATED: list[tuple[str, object, str | None]] = [
    ("at 4:15 PM", "16:15", None),
    ("at 4.15 p.m.", "16:15", None),
    ("a quarter past four in the afternoon", "16:15", None),
    ("at 16h15", "16:15", None),
    ("by noon", "12:00", None),
    ("half past nine in the evening", "21:30", None),
    ("It fell 3.2 percent", -3.2, "%"),
    ("−3.2%", -3.2, "%"),
    ("minus 5 °C", -5, "°C"),
    ("5 degrees celsius below zero", -5, "°C"),
    ("23 °F", -5, "°C"),
    ("1.234,56 €", 1234.56, "eur"),
    ("€1,234.56", 1234.56, "eur"),
    ("1 234,56 EUR", 1234.56, "eur"),
    ("CHF 1'234.50", 1234.5, "chf"),
    ("1,23,456 rupees", 123456, "inr"),
    ("the 3rd of September", "2004-09-03", None),
    ("3. September 2004", "2004-09-03", None),
    ("le 3 septembre 2004", "2004-09-03", None),
    ("el 3 de septiembre de 2004", "2004-09-03", None),
    ("9/3/04", "2004-09-03", None),
    ("twenty-one days", 21, "days"),
    ("three weeks", 21, "days"),
    ("two and a half hours", 150, "minutes"),
    ("an hour and a half", 90, "minutes"),
    ("half an hour", 30, "minutes"),
    ("2 h 30 min", 150, "minutes"),
    ("one hundred and forty-seven", 147, None),
    ("7.46 miles", 12.0, "km"),
    ("35 square metres", 35, "m²"),
    ("about six months", 183, "days"),
    ("2026-05-04T19:30", "2026-05-04T19:30", None),
    ("on 4 May at 7:30 pm", "2026-05-04T19:30", None),
    ("Anna, Bob and Carla", ["Anna", "Carla"], None),
    ("version v4.6.31", "4.6.31", None),
    ("NW412 leaves", "nw412", None),
    ("2/3 of them", 0.6667, None),
    ("42 %", 0.42, None),
    ("a 20-page limit", 20, None),
    ("three thousand four hundred dollars", 3400, "usd"),
    ("-$5.20", -5.2, "usd"),
    ("minus three point five", -3.5, None),
    ("It's 0.52 %, not 0.45 %", 0.52, "%"),
    ("not 0.45 % but 0.52 %", 0.52, "%"),
    ("Your 5.4 % is outdated; it is 3.6 % now.", 3.6, "%"),
    ("52 is not wrong", 52, None),
    ("No, it is 52.", 52, None),
    ("two point six million dollars", 2_600_000, "usd"),
    ("31 kilos 200", 31.2, "kg"),
    ("1 metre 80", 1.8, "m"),
    ("17.1 decalitres", 171, "litres"),
    ("116.6 proof", 58.3, "%"),
    ("11 and a half minutes", 11.5, "minutes"),
    ("May 18,400 and June 16,950", 18400, None),
    ("dropped at 209 °C", 209, "°C"),
    ("4:14/km", "4:14", "km"),
    ("6:49 per mile", "4:14", "km"),
]
NOT_STATED: list[tuple[str, object, str | None]] = [
    ("at 4:15", "16:15", None),
    ("up 3.2 %", -3.2, "%"),
    ("4:14 per mile", "4:14", "km"),
    ("845 N", 845, "kN"),
    ("45 working hours", 45, "days"),
    ("It is 2188... wait, that can't be right.", 2188, None),
    ("$1,234.56", 1234.56, "eur"),
    ("Sept 4", "2004-09-03", None),
    ("4.6.311", "4.6.31", None),
    ("37.5 g", 37.5, "mg"),
    ("about 2.5", 2.0, None),
    ("The feed says 0.45 % but that must be wrong", 0.45, "%"),
    ("It is not 0.45 %", 0.45, "%"),
    ("It's 0.52 %, not 0.45 %", 0.45, "%"),
    ("It is 5.25 rather than 4.9", 4.9, None),
    ("Your 5.4 % is outdated; it is 3.6 % now.", 5.4, "%"),
    ("configure", "fig", None),
    ("Anna and Bob", ["Anna", "Carla"], None),
]


@pytest.mark.parametrize(("answer", "value", "unit"), STATED)
def test_a_slot_is_stated(answer: str, value: object, unit: str | None) -> None:
    assert states(answer, slot_for(value, unit))


@pytest.mark.parametrize(("answer", "value", "unit"), NOT_STATED)
def test_a_slot_is_not_stated(answer: str, value: object, unit: str | None) -> None:
    assert not states(answer, slot_for(value, unit))


def test_a_tolerance_is_in_the_slots_own_unit() -> None:
    slot = Slot("number", 12.0, "km", tolerance=0.5)
    assert states("some 12.4 km", slot)
    assert states("12,400 metres", slot)
    assert not states("12.6 km", slot)
    assert not states("12.4 kg", slot)


def test_an_entity_has_aliases_and_a_list_may_have_an_order() -> None:
    assert states("Flight to the Big Apple", Slot("entity", "New York", aliases=("Big Apple",)))
    assert states("first b, then a", Slot("list", ["b", "a"], ordered=True))
    assert not states("first c, then d", Slot("list", ["d", "c"], ordered=True))


def test_a_rejected_value_is_found_with_the_words_that_reject_it() -> None:
    found = find_slot("The feed says 0.45 %, but that must be wrong.", slot_for(0.45, "%"))
    assert [place.rejected for place in found] == ["but that must be wrong"]
