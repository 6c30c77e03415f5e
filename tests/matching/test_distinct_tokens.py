"""The distinct tokens of a text: what is skipped for speed would have added nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.matching.distinct_tokens import tokens
from agentdyno.matching.legacy_values.dates import find_dates

BITS = [
    *("may", "MAY", "Sept", "märz", "мая", "first", "of", "3", "12", "2004", "'04", "1,234", "007"),
    *("IV", "年", "9月", "月", "3日", "년", "-", "/", ".", ",", ":", "_", "(", " ", "\n", "T10:20"),
]


@given(st.lists(st.sampled_from(BITS), max_size=14).map("".join))
def test_days_are_looked_for_wherever_there_may_be_one(text: str) -> None:
    days = {f"day:{d.month:02}-{d.day:02}" for stated in find_dates(text) for d in stated.days}
    days |= {
        "day:{:02}-{:02}".format(*stated.month_day)
        for stated in find_dates(text)
        if stated.month_day is not None
    }
    assert tokens(text, dates=True) == tokens(text) | days


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("on 3 May", "day:05-03"),
        ("(2004-09-03)", "day:09-03"),
        ("2004年9月3日", "day:09-03"),
    ],
)
def test_a_day_is_a_token_in_any_notation(text: str, day: str) -> None:
    assert day in tokens(text, dates=True)


@pytest.mark.parametrize(
    ("text", "token"), [("0042", "42"), ("000", "0"), ("3,400", "3400"), ("2.50", "2.5")]
)
def test_a_number_is_its_value(text: str, token: str) -> None:
    assert tokens(text) == {token}
