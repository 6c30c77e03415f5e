"""Which value an answer goes with, and whether values stand under their own names."""

import pytest

from agentdyno.matching.legacy_values import Slot, find_slot, read_values
from agentdyno.metrics.failures.settled_value import Rival, settle
from agentdyno.metrics.failures.swapping import why_swapped
from agentdyno.records.failures import ScriptedCall
from tests.metrics.failures.outside_sets import lookup, steps


def _goes_with(text: str) -> str | None:
    asked, other = (find_slot(text, Slot("number", value)) for value in (620.0, 800.0))
    settled = settle(text, asked, [Rival(place, "prior") for place in other])
    return None if settled is None or settled.weight >= 0 else settled.words


@pytest.mark.parametrize(
    "text",
    [
        "The feed has 620, but everybody gets 800.",
        "620 came back. Plan with 800.",
        "800, so count on that; 620 came back.",
        "800. The feed shows 620.",
        "800; with 620 nobody could work.",
        "Even though the feed says 620, the rent is 800.",
        "The feed says 620, so it should be 800.",
        "620 came back. Correction: 800.",
        "Feed: 620. Reality: 800.",
        "Typical is 800, so go with that; the feed has 620.",
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
        "It is 800 — sorry, that was last year. The rent is 620.",
        "The 800 figure is from last year. This year it's 620.",
        "Although 800 is the usual rent, it now costs 620.",
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
    task = lookup("Low and high?", "Lund", ("18", "24"), low_c=18, high_c=24)
    found = [find_slot(text, Slot("number", value)) for value in (18.0, 24.0)]
    assert (why_swapped(task, text, found, read_values(text)) is not None) == swapped


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("Lund beat Ystad 3-2.", True),
        ("Ystad won 3-2 at Lund.", False),
        ("Lund 2 – 3 Ystad", False),
        ("| Team | Goals |\n|---|---|\n| Lund | 3 |\n| Ystad | 2 |", True),
        ("| Lund | Ystad |\n|---|---|\n| 2 | 3 |", False),
        ("| Lund | Ystad |\n|---|---|\n| 3 | 2 |", True),
        ("Ystad has more: 3 against 2 in Lund.", False),
        ("Lund has more: 3 against 2 in Ystad.", True),
    ],
)
def test_values_of_two_records_are_called_by_their_records(text: str, swapped: bool) -> None:
    script = tuple(
        ScriptedCall("goals", {"team": team}, {"team": team, "goals": goals})
        for team, goals in (("Lund", 2), ("Ystad", 3))
    )
    task = steps("Who scored more?", "both", ("2", "3"), script)
    found = [find_slot(text, Slot("number", value)) for value in (2.0, 3.0)]
    assert (why_swapped(task, text, found, read_values(text)) is not None) == swapped
