"""Numbers, units, dates, times and codes in the notations people use are one value each."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.matching.legacy_values import (
    Quantity,
    Slot,
    Stated,
    combined,
    find_names,
    find_slot,
    is_derived,
    read_json,
    read_values,
    unit_of_field,
    words_of_field,
)
from agentdyno.matching.legacy_values.comparing import matches
from agentdyno.matching.legacy_values.dates import find_dates
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.reading import leaves


def _states(text: str, wanted: str, field: str | None = None) -> bool:
    stated = read_values(text)
    if wanted.count(".") > 1:
        return bool(find_slot(text, Slot("entity", wanted), stated))
    unit = unit_of_field(field) if field else None
    return any(matches(q, float(wanted), unit) for q in stated.quantities)


@pytest.mark.parametrize(
    "text",
    ["$3,400", "3.4k dollars", "3400.00", "USD 3400", "3 400 dollars", "3.40 thousand", "US$3,400"],
)
def test_notations_of_3400_dollars(text: str) -> None:
    assert _states(f"It is {text}.", "3400", "price_usd")


@pytest.mark.parametrize("text", ["$34,000", "3,040", "3400%", "13,400", "34.00", "3400 days"])
def test_what_is_not_3400_dollars(text: str) -> None:
    assert not _states(f"It is {text}.", "3400", "price_usd")


@pytest.mark.parametrize(
    ("text", "wanted", "field"),
    [
        ("0.0525 of the price", "5.25", "yield_pct"),
        ("525 basis points", "5.25", "yield_pct"),
        ("1.68 percentage points", "168", "spread_bps"),
        ("2 weeks", "14", "taper_days"),
        ("5h 47m", "347", "wait_minutes"),
        ("0.0375 g", "37.5", "dose_mg"),
        ("52 feet 6 inches", "52.5", "max_height_ft"),
        ("52 1/2 feet", "52.5", "max_height_ft"),
        ("1.5 years", "18", "period_months"),
        ("$1.2345 million", "1234500", "price_usd"),
        ("$2.9 billion", "2900", "revenue_musd"),
        ("about 1.4 million dollars", "1410600", "damages_usd"),
    ],
)
def test_units_are_converted(text: str, wanted: str, field: str) -> None:
    assert _states(f"The record says {text}.", wanted, field)


@pytest.mark.parametrize(
    ("text", "wanted", "field"),
    [
        ("37.5 g", "37.5", "dose_mg"),
        ("66 minutes", "66.0", "half_life_hours"),
        ("4.4 years", "4.4", "supply_months"),
        ("52.5 metres", "52.5", "max_height_ft"),
        ("1.4 million", "1410600", "damages_usd"),  # two digits, not said to be approximate
        ("version 14.6.31", "4.6.31", "fixed_version"),
        ("version 4.6.311", "4.6.31", "fixed_version"),
    ],
)
def test_another_unit_or_code_is_another_value(text: str, wanted: str, field: str) -> None:
    assert not _states(f"The record says {text}.", wanted, field)


@pytest.mark.parametrize(
    "text",
    [
        "2004-09-03",
        "2004/09/03",
        "3 Sept 2004",
        "September 3, 2004",
        "Sep. 3rd, 2004",
        "3rd of September 2004",
        "03.09.2004",
        "9/3/2004",
    ],
)
def test_notations_of_one_day(text: str) -> None:
    assert date(2004, 9, 3) in next(find_dates(f"on {text}.")).days


def test_impossible_days_are_no_dates() -> None:
    assert list(find_dates("31 February 2026, 2026-13-45")) == []


def test_digits_of_dates_and_codes_are_no_numbers() -> None:
    stated = read_values("On 2031-06-02 T1021 hit 203.0.113.77 via CVE-2031-10442 at 02:10.")
    assert stated.quantities == []
    assert [code.text for code in stated.codes] == ["T1021", "203.0.113.77", "CVE-2031-10442"]
    assert [clock.minutes for clock in stated.clocks] == [(130,)]


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    stated = read_values(text)
    spans = [*stated.dates, *stated.codes, *stated.quantities, *stated.clocks, *find_names(text)]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@given(st.integers(1000, 10**12))
def test_thousands_separators_do_not_change_a_number(number: int) -> None:
    for written in (f"{number:,}", str(number)):
        assert [q.value for q in read_values(f"It is {written} now").quantities] == [number]
    blanks = f"{number:,}".replace(",", " ")
    assert number in [q.value for q in read_values(f"It is {blanks} now").quantities]


def test_numbers_beside_each_other_may_be_one_or_two() -> None:
    assert _states("48 165.2", "48")
    assert _states("48 165.2", "165.2")
    assert _states("48 165.2", "48165.2")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.234.567,8", 1234567.8),
        ("1'234'567.8", 1234567.8),
        ("1,5", 1.5),
        ("0,052", 0.052),
        ("twelve hundred", 1200.0),
        ("a hundred and five", 105.0),
        ("three quarters", 0.75),
        ("1e-3", 0.001),
        ("½", 0.5),
        ("2½", 2.5),
    ],
)
def test_marks_of_several_locales(text: str, value: float | None) -> None:
    found = [q.value for q in read_values(f"it is {text} then").quantities if q.plain]
    assert found == ([] if value is None else [value])


def test_a_notation_that_is_open_keeps_both_readings() -> None:
    (only,) = read_values("1.234").quantities
    assert (only.value, only.others) == (1.234, (1234.0,))


@pytest.mark.parametrize(
    ("field", "dimension", "words"),
    [
        ("price_usd", "money/usd", "price"),
        ("days_allowed", "time", "days allowed"),
        ("median_months_to_trial", "months", "median months to trial"),
        ("taperDays", "time", "taper"),
        ("price_per_sqft_usd", "money/usd", "price per sqft"),
        ("chain_bytes", "data", "chain"),
        ("km_since_service", "length", "km since service"),
        ("kg", "mass", "kg"),
        ("base_score", None, "base score"),
        ("", None, ""),
    ],
)
def test_the_unit_of_a_field_is_read_off_its_name(
    field: str, dimension: str | None, words: str
) -> None:
    found = unit_of_field(field)
    assert (found.dimension if found else None, words_of_field(field)) == (dimension, words)


def test_what_two_numbers_and_a_column_make() -> None:
    made = combined([Known(120.0, None), Known(80.0, None)])
    for derived in (40.0, 200.0, 1.5, 50.0):
        assert derived in made
    column = combined([Known(float(n), None, "price") for n in range(100)])
    assert 4950.0 in column
    assert 49.5 in column
    assert is_derived(_only("a total of 4,950"), column)
    assert not is_derived(_only("a total of 4,951"), column)


def test_leaves_carry_field_and_unit_and_leave_out_nulls() -> None:
    found = list(leaves(read_json('{"a_usd": [1, 2], "b": null, "c": {"d": "x"}}')))
    assert [(leaf.name, leaf.value) for leaf in found] == [("a_usd", 1), ("a_usd", 2), ("d", "x")]
    assert found[0].unit is not None
    assert read_json("{broken") == "{broken"


@pytest.mark.parametrize(
    "piece",
    ["1,", "a-", "one ", "1 ", "1.1.", "$", "half past ", "3 de ", "May ", "9", "A ", "not ",
     "1 000 ", '"', "aA1_", "1/2/", "5 h ", ".", "x@", "a/", "1:", "and a half ", "-1"],
)  # fmt: skip
def test_hostile_texts_are_read_to_their_end(piece: str) -> None:
    # Backtracking without end would not return; the ratio of times is in bench/matching.py.
    text = piece * (8_000 // len(piece))
    stated = read_values(text)
    spans = [*stated.quantities, *stated.codes, *stated.dates, *stated.clocks, *find_names(text)]
    assert all(span.end <= len(text) for span in spans)


def _only(text: str) -> Quantity:
    stated: Stated = read_values(text)
    return stated.quantities[0]


@pytest.mark.parametrize("text", ["The change is -0.55%.", "change: -0.55 %", "(-0.55%)", "-0.55"])
def test_a_minus_behind_a_blank_is_a_sign(text: str) -> None:
    assert [quantity.value for quantity in read_values(text).quantities] == [-0.55]


def test_powers_beyond_any_number_are_no_numbers() -> None:
    from agentdyno.matching.legacy_values.numbers import find_quantities, read_marks

    assert read_marks("1e999") is None
    assert read_marks("12e-300") is None
    assert read_marks("2e3") == (2000.0,)
    assert list(find_quantities("between 1e999 and 9.9E+400"))


@pytest.mark.parametrize(
    "text",
    [
        "29 февраля 1968",
        "February twenty-ninth, nineteen sixty-eight",
        "1968年2月29日",
        "29.II.1968",
        "1968. február 29.",
        "29 Şubat 1968",
    ],
)
def test_days_are_read_in_words_and_in_further_languages(text: str) -> None:
    assert [stated.days for stated in read_values(text).dates] == [(date(1968, 2, 29),)]


@pytest.mark.parametrize("text", ["the first may be late", "it may first rain", "2 X 2004"])
def test_words_that_only_look_like_a_day_are_none(text: str) -> None:
    assert read_values(text).dates == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("twenty to seven in the evening", 1120),
        ("1840 hours", 1120),
        ("six forty in the evening", 1120),
        ("18 Uhr 40", 1120),
    ],
)
def test_times_are_read_in_words(text: str, minutes: int) -> None:
    assert (minutes,) in [clock.minutes for clock in read_values(text).clocks]


def test_a_range_of_small_numbers_is_no_time() -> None:
    assert read_values("6 to 7 people").clocks == []
