"""The distinct tokens of a text: what is skipped for speed would have added nothing."""

import pytest

from agentdyno.matching.distinct_tokens import tokens
from tests.labelled import from_set


@from_set("matching/distinct_tokens", "text", "day")
def test_a_day_is_a_token_in_any_notation(text: str, day: str) -> None:
    assert day in tokens(text, dates=True)


@pytest.mark.parametrize(
    ("text", "token"), [("0042", "42"), ("000", "0"), ("3,400", "3400"), ("2.50", "2.5")]
)
def test_a_number_is_its_value(text: str, token: str) -> None:
    assert tokens(text) == {token}
