"""Numbers, units, dates and codes in the notations people use are one value each."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.metrics.failures.dates import find_dates
from agentdyno.metrics.failures.quantities import read_values
from agentdyno.metrics.failures.texts import claimed_call, why_broken, why_empty, written_calls
from agentdyno.metrics.failures.wanted import as_wanted, find


def _states(text: str, wanted: str, field: str | None = None) -> bool:
    return find(as_wanted(wanted, field), text, read_values(text)) is not None


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
    assert len(stated.codes) == 4


@given(st.text(max_size=300))
def test_any_text_is_read_without_an_error(text: str) -> None:
    stated = read_values(text)
    spans = [*stated.dates, *stated.codes, *stated.quantities]
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    written_calls(text, {"a_tool"})
    why_broken(text)


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
    "text",
    [
        '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
        "[TOOL_CALLS][{...}]",
        '```json\n{"name": "f", "parameters": {"x": 1}}\n```',
        "<function=f>{}</function>",
        'f(x="1")',
    ],
)
def test_written_calls_are_seen(text: str) -> None:
    assert written_calls(text, {"f"})


def test_talk_of_tools_is_no_written_call_and_executed_ones_are_no_phantom() -> None:
    assert not written_calls('The field "name" is f, and f(x) is a function.', {"f"})
    assert claimed_call("Per `f`, it is 3.", {"f"}, set()) == "Per `f"
    assert claimed_call("Per `f`, it is 3.", {"f"}, {"f"}) is None


def test_prose_is_not_broken_and_token_salad_is() -> None:
    assert why_broken("The share price is $3,400 as of 2 June 2031.") is None
    assert "raw tokens" in (why_broken("Ġthe Ġ<|im_end|> ▁82 <unk><unk>") or "")
    assert "repetition" in (why_broken("the " * 40) or "")
    assert why_broken(" \n") is None
    assert why_empty(" \n") == "the answer is empty"
