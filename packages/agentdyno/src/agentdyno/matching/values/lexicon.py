"""The words of the reader, loaded once: months, units, currencies, numbers up to a hundred.

`lexicon.json` is made by `tools/make_lexicon.py` from CLDR; this module only looks things up.
"""

import json
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A unit within its dimension: base value = value * factor + offset."""

    dimension: str
    """The measured quantity: `time`, `length`, `money`, `mass/volume`, `percent`, …"""
    factor: float = 1.0
    """How many of the base unit one of it is."""
    offset: float = 0.0
    """Added after the factor; only temperatures have one."""
    currency: str | None = None
    """Code of the currency in small letters; None for what is no money."""

    def per(self, other: "Unit") -> "Unit":
        """The quotient of two units."""
        pair = (self.dimension, other.dimension)
        if pair[0] == pair[1]:
            return Unit("percent", 100 * self.factor / other.factor)
        dimension = "speed" if pair == ("length", "time") else "/".join(pair)
        return Unit(dimension, self.factor / other.factor, 0.0, self.currency)


PERCENT = Unit("percent")


@cache
def lexicon() -> dict[str, Any]:
    """The file as it is."""
    text = (files(__package__) / "lexicon.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@lru_cache(maxsize=8192)
def unit_named(word: str) -> Unit | None:
    """The unit that a word or sign stands for; short signs by their case first."""
    units, money = lexicon()["units"], lexicon()["money"]
    if word in ("BP", "US", "FM"):  # Before the present, American, a wave band.
        return None
    low = word.casefold().replace("-", " ").removeprefix("us ")
    if (
        coin := money.get(word)
        or money.get(word.upper() if len(word) == 3 else low)
        or money.get(low)
    ):
        return Unit("money", coin[1], 0.0, coin[0])
    unit = units.get(word) or units.get(low) or (len(low) > 5 and units.get(low.removesuffix("s")))
    return Unit(*unit) if unit else None


@cache
def ascii_months() -> frozenset[str]:
    """Names of months that need no folding."""
    return frozenset(name for name in lexicon()["months"] if name.isascii() and name.isalpha())


def month_named(word: str) -> int | None:
    """1 to 12; None for what is no month."""
    month: int | None = lexicon()["months"].get(word.casefold().rstrip("."))
    return month


_ENDINGS = {"first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight",
            "ninth": "nine", "twelfth": "twelve", "tieth": "ty", "th": ""}  # fmt: skip


def ordinal(word: str) -> int | None:
    """4 of `fourth`; None for what is none."""
    low = word.casefold()
    for ending, cardinal in _ENDINGS.items():
        if low.endswith(ending):
            name = f"{low.removesuffix(ending)}{cardinal}".replace("-", " ")
            number: int | None = lexicon()["numbers"].get(name)
            return number
    return None
