"""What leaves a value open, and what only says it twice."""

import pytest

from agentdyno_bench.tps.outcomes.hedging import left_open
from agentdyno_bench.tps.outcomes.saying import Read
from agentdyno_bench.tps.tasks.values import Slot

PRICE = Slot("number", 49.17, "EUR", "price_eur", [])
WARMTH = Slot("number", 20.0, "°C", "high_c", [])
TIME = Slot("time", "16:15", None, "starts", [])
DAY = Slot("date", "2026-05-04", None, "date", [])
HOTEL = Slot("entity", "Hotel Blue Swan", None, "name", [])
FEE = Slot("number", 0, None, "entry_fee", [])


def is_open(text: str, slot: Slot) -> bool:
    read = Read(text)
    places = read.places(slot)
    assert places, text
    return all(left_open(read, slot, place) for place in places)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("It costs either 49.17 or 17.5 euros.", PRICE),
        ("17.5 or 49.17 euros.", PRICE),
        ("49.17 EUR, maybe 52 EUR.", PRICE),
        ("It is 23 °C or perhaps 20 °C.", WARMTH),
        ("Either 16:15 or 17:30.", TIME),
        ("4 May 2026 or possibly 5 May 2026.", DAY),
        ("Hotel Blue Swan or Hotel Red Lion.", HOTEL),
        ("Hotel Red Lion, or possibly Hotel Blue Swan.", HOTEL),
    ],
)
def test_one_of_two_is_no_answer(text: str, slot: Slot) -> None:
    assert is_open(text, slot)


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("It costs 49.17 euros.", PRICE),
        ("It costs 49.17 euros, or about 49 euros.", PRICE),
        ("20 °C or 68 °F.", WARMTH),
        ("At 16:15 or 4:15 PM.", TIME),
        ("I reserved Hotel Blue Swan or else you would have no bed.", HOTEL),
        ("49.17 euros for 2 or 3 nights.", PRICE),
    ],
)
def test_the_same_said_twice_and_other_things_are_answers(text: str, slot: Slot) -> None:
    assert not is_open(text, slot)


@pytest.mark.parametrize(
    "text", ["Entry is free.", "No entry fee.", "It costs nothing.", "0 euros"]
)
def test_free_says_a_price_of_nothing(text: str) -> None:
    assert Read(text).places(FEE)


@pytest.mark.parametrize("text", ["Feel free to ask.", "The fee is 8 euros."])
def test_other_frees_do_not(text: str) -> None:
    assert not Read(text).places(FEE)
