"""Units by their grammar, of texts and of fields; further ways to name a day; yes and no."""

from datetime import date

import pytest

from agentdyno.matching.legacy_values import (
    Slot,
    find_slot,
    matches,
    read_values,
    states,
    unit_of_field,
)
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.day_words import day_in_words
from agentdyno.matching.legacy_values.truths import truth_places


def _says(text: str, number: float, field: str) -> bool:
    unit = unit_of_field(field)
    return any(matches(q, number, unit) for q in read_values(text).quantities)


@pytest.mark.parametrize(
    ("text", "number", "field"),
    [
        ("0.142 mmol/L", 142, "creatinine_umol_l"),
        ("1.85 m³ a minute", 1850, "flow_l_min"),
        ("2,650 kg/m³", 2.65, "density_g_cm3"),
        ("41.8 g/kg", 4.18, "fat_pct"),
        ("6,800 kg per hectare", 6.8, "yield_t_ha"),
        ("113 km/h", 31.4, "gust_m_s"),
        ("420 kPa", 4.2, "pressure_bar"),
        ("5.4 MB/s", 43.2, "downlink_mbps"),
        ("5.2 × 10⁻³ g", 5.2, "dose_mg"),
        ("3¼ million kroner", 3250000, "fine_nok"),
        ("2 h 31 min 47 s", 9107, "elapsed_s"),
        ("an hour and three quarters", 105, "left_minutes"),
        ("6.8 miles", 11, "depth_km"),
    ],
)
def test_units_of_two_and_prefixes_are_converted(text: str, number: float, field: str) -> None:
    assert _says(text, number, field)


@pytest.mark.parametrize(
    ("text", "number", "field"),
    [
        ("3.4 mg/L", 3.4, "sugar_g_l"),
        ("6.8 kg/ha", 6.8, "yield_t_ha"),
        ("USD 3.25 million", 3250000, "fine_nok"),
        ("1.37 light-years", 1.37, "distance_au"),
        ("43.2 MB/s", 43.2, "downlink_mbps"),
        ("480 AD", 480, "made_bce"),
        ("€38.90 per square foot", 38.90, "price_eur_m2"),
    ],
)
def test_another_unit_of_two_is_another_value(text: str, number: float, field: str) -> None:
    assert not _says(text, number, field)


def test_a_dash_between_numbers_is_no_sign() -> None:
    assert [q.value for q in read_values("€54,200 – €68,900").quantities] == [54200, 68900]
    assert 54000 in [q.value for q in read_values("54–69k euros").quantities]


def test_a_shared_sign_may_be_any_of_its_currencies() -> None:
    assert one_kind("money/$", "money/aud")
    assert not one_kind("money/usd", "money/aud")


@pytest.mark.parametrize(
    "text",
    ["by the end of March 2028", "before 1 April 2028", "until 31/3", "the end of Q1 2028"],
)
def test_a_known_day_is_found_in_words(text: str) -> None:
    assert list(day_in_words(text, date(2028, 3, 31), read_values(text).dates))


@pytest.mark.parametrize("text", ["the end of March 2027", "before 1 May 2028", "the end of May"])
def test_another_day_in_words_is_another_day(text: str) -> None:
    assert not list(day_in_words(text, date(2028, 3, 31), read_values(text).dates))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Storm damage is covered.", True),
        ("The policy excludes storm damage.", False),
        ("Storms aren't covered.", False),
        ("No.", False),
        ("Yes.", True),
    ],
)
def test_yes_and_no_are_read_from_the_clause_that_speaks_of_it(text: str, value: bool) -> None:
    assert truth_places(text, value, "storm covered")
    assert not truth_places(text, not value, "storm covered")


def test_free_of_something_is_without_it_unless_that_is_asked() -> None:
    assert truth_places("The soup is free of celery.", False, "contains celery")
    assert not truth_places("It is celery-free.", True, "contains celery")
    assert truth_places("The bread is gluten-free.", True, "gluten free")


def test_of_a_change_down_is_not_up() -> None:
    change = Slot("number", 12.5, "%", change=True)
    assert states("up 12.5 %", change)
    assert not states("down 12.5 %", change)
    fall = Slot("number", -34.0, "m", change=True)
    assert states("its front retreated by 34 m", fall)
    assert not find_slot("its front advanced by 34 m", fall)
