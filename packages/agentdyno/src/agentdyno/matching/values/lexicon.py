"""The words of the reader, loaded once: months, weekdays, units, currencies, numbers, scales.

`lexicon.json` is made by `tools/make_lexicon.py` from CLDR; this module only looks things up.
"""

import json
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A unit within its dimension: base value = value * factor + offset."""

    dimension: str
    """What is measured: `time`, `length`, `money`, `mass/volume`, `percent`, …"""
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
SECONDS = Unit("time")
_STOPWORDS = {
    "en": "the is of and to in it for at you are was on this that with has a as an by his her not "
    "or from be i it's at's its your have",
    "de": "der die das ist und nicht ein eine den dem im um für mit sind auf wird bis laut am "
    "liegt soll in von zu es sie ihre bei noch auch kein hat wurde beträgt",
    "fr": "le la les est et des du un une au dans pour il elle à sur ce en",
    "es": "el la los las es y de del un una en que por con para se",
    "it": "il la le è e di del un una in che per con sono alle i",
    "pt": "o a os as é e de do da um uma em que por com para são",
    "nl": "de het een is en van in op voor met zijn om er niet naar",
    "pl": "jest i w na do z nie się to o od po jest są",
    "sv": "det är och en ett av på för med som den inte till kl",
    "da": "det er og en et af på for med som den ikke til kl",
}
_TONGUES = {
    small: [tongue for tongue, words in _STOPWORDS.items() if small in words.split()]
    for small in " ".join(_STOPWORDS.values()).split()
}
"""The languages that have a small word."""
_WORD = re.compile(r"[^\W\d_]+")


@cache
def lexicon() -> dict[str, Any]:
    """The file as it is."""
    text = (files(__package__) / "lexicon.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def language_of(text: str) -> str:
    """The language of a text by its smallest words; English where they do not tell."""
    counts = dict.fromkeys(_STOPWORDS, 0)
    for word in _WORD.findall(text[:2000]):
        for tongue in _TONGUES.get(word.casefold(), ()):
            counts[tongue] += 1
    best = max(counts, key=lambda tongue: counts[tongue])
    return best if counts[best] > counts["en"] + 1 or (not counts["en"] and counts[best]) else "en"


@cache
def number_words(language: str) -> dict[str, int]:
    """Words for 0 to 100 of a language, and the English ones that it does not have."""
    own: dict[str, int] = lexicon()["numbers"].get(language, {})
    return own if language == "en" else {**lexicon()["numbers"]["en"], **own}


@cache
def begins_number(language: str) -> frozenset[str]:
    """First words of the names of numbers."""
    return frozenset(name.partition(" ")[0] for name in number_words(language))


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
    found = units.get(word) or units.get(low) or (len(low) > 5 and units.get(low.removesuffix("s")))
    return Unit(*found) if found else None


@cache
def ascii_months() -> frozenset[str]:
    """Names of months that need no folding."""
    return frozenset(name for name in lexicon()["months"] if name.isascii() and name.isalpha())


def month_named(word: str) -> int | None:
    """1 to 12; None for what is no month."""
    found: int | None = lexicon()["months"].get(word.casefold().rstrip("."))
    return found


def scale_named(word: str) -> float | None:
    """1,000 of `k` and `thousand`; a single letter counts as it is written (`M`, not `m`)."""
    if len(word) == 1 and word.isascii() and word not in ("k", "K", "M", "B"):
        return None
    found: float | None = lexicon()["scales"].get(word.casefold().rstrip("."))
    return found


_ENDINGS = {"first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight",
            "ninth": "nine", "twelfth": "twelve", "tieth": "ty", "th": ""}  # fmt: skip


def ordinal(word: str) -> int | None:
    """4 of `fourth`; None for what is none."""
    low = word.casefold()
    for ending, whole in _ENDINGS.items():
        if low.endswith(ending):
            return number_words("en").get(f"{low.removesuffix(ending)}{whole}".replace("-", " "))
    return None
