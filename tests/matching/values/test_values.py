"""Values in the notations that people use, compared with what was expected."""

import pytest

from agentdyno.matching.values import compare, expect, is_derived, read_values


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        ("2.35", "depth_m", "235 cm"),
        ("14.3", "hb_g_dl", "143 g/L"),
        ("1063", "peak_temp_c", "about 1,945 °F"),
        ("8100", "remaining_s", "2¼ hours"),
        ("575", "duration_min", "9.6 hours"),
        ("0.44", "progress", "44 %"),
        ("5.25", "yield_pct", "525 basis points"),
        ("1840", "power_kw", "1.84 MW"),
        ("1834.27", "refund_eur", "1.834,27 €"),
        ("4800000", "fund_gbp", "£4.8m"),
        ("4575000", "price_inr", "₹45.75 lakh"),
        ("1184", "visitors", "one thousand one hundred and eighty-four"),
        ("-3.5", "min_temp_c", "3.5 degrees below zero"),
        ("4.35", "prix_eur", "4 euros 35"),
        ("2026-11-24", "due", "Tuesday, November 24"),
        ("2026-10-29", "assessed_on", "29. Oktober 2026"),
        ("2027-01-31", "deadline", "the last day of January 2027"),
        ("03:12", "rises", "twelve minutes past three in the morning"),
        ("18:15", "starts", "6:15 pm"),
        ("07:56", "departs", "午前7時56分"),
        ("5400", "length_s", "an hour and a half"),
    ],
)
def test_a_value_is_found_in_other_notations_and_units(value: str, field: str, text: str) -> None:
    expected = expect(value, field).values[0]
    assert any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        ("2870", "output_kw", "28.7 MW"),
        ("18460", "km_since_service", "18,460 miles"),
        ("42", "fare_eur", "42 JPY"),
        ("0.0184", "ctr", "18.4 %"),
        ("438.2", "pitch_hz", "440 Hz"),
        ("2027-03-11", "hearing", "3 November 2027"),
        ("09:15", "time", "9:15 pm"),
    ],
)
def test_another_value_is_not_taken_for_it(value: str, field: str, text: str) -> None:
    expected = expect(value, field).values[0]
    assert not any(compare(found, expected) in ("exact", "rounded") for found in read_values(text))


@pytest.mark.parametrize(
    ("text", "derived"),
    [
        ("82.5 %", True),
        ("31 %", False),
        ("28", True),
        ("$2,646", True),
        ("$2,700", False),
    ],
)
def test_what_two_figures_make_is_derived_and_nothing_else(text: str, derived: bool) -> None:
    shown = [expect("132", "rooms_sold"), expect("160", "rooms"), expect("28", "rooms_free")]
    known = [value for each in (*shown, expect("94.5", "price_usd")) for value in each.values]
    assert is_derived(read_values(text)[0], (), known) is derived
