"""Which value an answer goes with, and whether values stand under their own names."""

import pytest

from agentdyno.matching.values import Slot, find_slot
from agentdyno.metrics.failures.settled_value import settles_on_other
from agentdyno.metrics.failures.swapping import why_swapped


def _goes_with(text: str) -> str | None:
    asked, other = (find_slot(text, Slot("number", value)) for value in (620.0, 800.0))
    return settles_on_other(text, asked, other)


@pytest.mark.parametrize(
    "text",
    [
        "The feed has 620, but everybody gets 800.",
        "620 came back. Plan with 800.",
        "800, so count on that; 620 came back.",
        "800. The feed shows 620.",
        "800; with 620 nobody could work.",
    ],
)
def test_an_answer_that_chooses_another_value_goes_with_it(text: str) -> None:
    assert _goes_with(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "It went down from 800 to 620.",
        "620, though some still say 800.",
        "You expected 800, but the feed has 620.",
        "The list price is 800; the actual one is 620.",
        "Is it 800? It is 620.",
        "620.",
    ],
)
def test_naming_another_value_is_not_choosing_it(text: str) -> None:
    assert _goes_with(text) is None


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("A low of 24 and a high of 18.", True),
        ("24 low and 18 high.", True),
        ("A low of 18 and a high of 24.", False),
        ("18 to 24.", False),
        ("Low 18, high 24.", False),
    ],
)
def test_values_under_each_others_names_are_swapped(text: str, swapped: bool) -> None:
    found = [find_slot(text, Slot("number", value)) for value in (18.0, 24.0)]
    assert (why_swapped(text, found, ("low_c", "high_c")) is not None) == swapped
