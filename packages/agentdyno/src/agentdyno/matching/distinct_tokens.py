"""The distinct tokens of a text, normalised so that the same thing is the same token everywhere.

Takes a text, returns a set: words in lower case, identifiers and paths whole and in their pieces,
numbers by value (3,400 = 3400.0), ISO days also as month and day (`day:05-24`). One pass, linear.
`weight` says how much it proves that a token stands in two places.
"""

import re
import string
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import chain, filterfalse
from typing import Any

from agentdyno.matching.values.calendar import find_days
from agentdyno.matching.values.lexicon import ascii_months, month_named

_TOKEN = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\w+(?:[@./+:\\-]+\w+)*")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?\Z")
_ISO_DAY = re.compile(r"\d{4}-(\d\d-\d\d)(?!\d)")
_LINES = re.compile(r"(.*[./\\].*?):\d+(?:[-:]\d+)*(?::.*)?\Z")
"""A path with its line, and what a compiler or a search puts behind it."""
_PIECE = re.compile(r"[^\W_]+")
_DIGITS, _LETTERS = string.digits.encode(), string.ascii_letters.encode()
SHORT = 2_000
"""Characters of an argument whose tokens are remembered."""
_FIGURED_DAY = re.compile(r"\d[-./]\d{1,2}(?:[-./]\d|\.)|月")
LONGEST_DAYS = 40_000
"""Characters of one text in which days are looked for."""
LONGEST = 400_000
"""Characters of one text that are looked at."""
MOST_CHUNKS = 131_072
"""Pieces between blanks whose tokens are remembered."""
_JOINTS = "@./+:\\-,"
"""Characters that may be inside a token."""
_ASCII = bytes(range(128))
_APART = bytes(
    n if n > 127 else ord(chr(n).lower()) if chr(n).isalnum() or chr(n) in f"_{_JOINTS}" else 32
    for n in range(256)
)
"""Turns into blanks what stands in no token, and letters into small ones."""


def tokens(text: str, dates: bool = False) -> set[str]:
    """The distinct tokens of a text; with `dates` days in any notation are read too."""
    # Between signs that are in no token first: what stands there more than once is looked at once.
    plain = _encode(text[:LONGEST].replace("→", " ")).translate(_APART)
    produced = set(plain.decode("utf-8", "surrogatepass").split())
    mixed = [*filterfalse(str.isalpha, produced)]
    produced.difference_update(mixed)
    produced.update(chain.from_iterable(map(_CHUNKS.__getitem__, mixed)))
    if dates and (_FIGURED_DAY.search(" ".join(mixed)) or _names_month(produced)):
        produced.update(_days(text[:LONGEST_DAYS]))
    return produced


def _encode(text: str) -> bytes:
    """A text as bytes, in which capital letters are ASCII: to look for others takes a third of the
    time that it takes to make all small."""
    plain = text.encode("utf-8", "surrogatepass")
    non_ascii = (
        "" if text.isascii() else plain.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    )
    return (
        plain if non_ascii == non_ascii.lower() else text.lower().encode("utf-8", "surrogatepass")
    )


def _names_month(words: set[str]) -> bool:
    """True when a token is a month's name; those of other scripts are folded first."""
    if not words.isdisjoint(ascii_months()):
        return True
    foreign = (token for token in words if not token.isascii() and token.isalpha())
    return any(map(month_named, foreign))


class _Chunks(dict[str, tuple[str, ...]]):
    """The tokens of what stands between blanks: names and paths come again in text after text. A
    plain dictionary answers in half the time of `lru_cache`."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= MOST_CHUNKS:
            self.clear()
        return self.setdefault(chunk, _chunk_tokens(chunk))


_CHUNKS = _Chunks()


def _chunk_tokens(chunk: str) -> tuple[str, ...]:
    if (bare := chunk.strip(_JOINTS)).isalpha():
        return (bare,)
    produced: list[str] = []
    for token in _TOKEN.findall(chunk):
        if token.isalpha():
            produced.append(token)
        elif token.isdecimal():
            produced.append(token.lstrip("0") or "0")
        elif token[0].isdigit() and _NUMBER.match(token):
            produced.append(number_token(token))
        else:
            produced += _compound(token)
    return tuple(produced)


@lru_cache(maxsize=8_192)
def _short_tokens(text: str, dates: bool) -> frozenset[str]:
    return frozenset(tokens(text, dates))


def argument_tokens(text: str, dates: bool = False) -> Set[str]:
    """The tokens of an argument, which several rules ask for; short ones are remembered."""
    return _short_tokens(text, dates) if len(text) <= SHORT else tokens(text, dates)


def number_token(written: str) -> str:
    """A number by its value."""
    bare = written.replace(",", "")
    if "." not in bare:
        return bare.lstrip("0") or "0"
    integer, _, fraction = bare.partition(".")
    fraction = fraction.rstrip("0")
    integer = integer.lstrip("0") or "0"
    return f"{integer}.{fraction}" if fraction else integer


@lru_cache(maxsize=65_536)
def _compound(token: str) -> tuple[str, ...]:
    produced = [token]
    if day := _ISO_DAY.match(token):
        produced.append(f"day:{day[1]}")
    pieces = _PIECE.findall(token)
    if len(pieces) > 1:
        produced += [number_token(piece) if piece.isdigit() else piece for piece in pieces]
    if ":" in token and (located := _LINES.match(token)):
        # `src/a.py:31:4` shows src/a.py.
        return tuple(dict.fromkeys([*produced, *_compound(located[1])]))
    if "/" in token or "\\" in token:
        steps = [step for step in token.replace("\\", "/").split("/") if step]
        produced += [*steps, "/".join(steps[-2:])]
    return tuple(produced)


def _days(text: str) -> Iterator[str]:
    for month, day in find_days(text):
        yield f"day:{month:02}-{day:02}"


@lru_cache(maxsize=256)
def find_shared_tokens(text: str) -> frozenset[str]:
    """Of texts that many trajectories have in common: prompts and schemas."""
    return frozenset(tokens(text, dates=True))


def value_lines(values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """The names and values of JSON as lines, so that its signs and escapes are gone."""
    last = ""
    for name, value in values:
        if value is None:
            continue
        if name != last:
            yield name
            last = name
        yield str(value)


def is_spaced(text: str) -> bool:
    """True when words are separated by spaces, judged by how much of the beginning is ASCII."""
    head = text[:2_000]
    return len(head.encode("utf-8", "replace")) <= 1.3 * len(head)


@lru_cache(maxsize=262_144)
def weight(token: str) -> float:
    """The evidence of a token that occurs in two places, from 0 (nothing) to 1.

    Small whole numbers, line numbers, enums and short words prove nothing; an id, an address, a
    path, a day or a number of five digits hardly agrees by chance.
    """
    if token.isalpha():
        return 0.0 if token in COMMON or len(token) < 4 else 0.4 if len(token) >= 7 else 0.2
    if token.startswith("day:"):
        return 0.8
    if token.isascii():
        signs = token.encode()
        digits = len(signs) - len(signs.translate(None, _DIGITS))
        letters = len(signs) - len(signs.translate(None, _LETTERS))
    else:
        digits, letters = sum(map(str.isdigit, token)), sum(map(str.isalpha, token))
    if not letters:
        return _number_weight(token, digits)
    if "@" in token and "." in token:
        return 1.0
    if "a-z" in token or "0-9" in token:
        return 0.0  # A class of characters in some pattern.
    if digits:
        return 0.95 if digits + letters >= 5 else 0.5
    if "/" in token or "\\" in token or ("." in token and letters >= 5):
        return 0.9
    if "_" in token or "-" in token:
        return 0.7 if letters >= 8 else 0.4
    if letters < 4:
        return 0.0
    return 0.4 if letters >= 7 else 0.2


def _number_weight(token: str, digits: int) -> float:
    if "." in token:
        return 0.9 if digits >= 4 else 0.6 if digits >= 3 else 0.2
    if digits >= 5:
        return 0.95 if not token.endswith("000") else 0.5
    if digits == 4:
        # Years and round figures are everywhere.
        return 0.2 if token[:2] in ("19", "20") or token.endswith("00") else 0.7
    return 0.35 if digits == 3 and not token.endswith("0") else 0.0


COMMON = frozenset(
    """about above after again agent also another answer any args arguments array assistant back
    based been before being below between bool boolean both call called calls cannot
    change changes check class code command content could create created current data date
    default delete description details does done down each edit else empty error errors
    even every exit fail failed false field file files find first float for found from
    full function get give given good have here http https import include info input
    instead integer into issue item items json just keep key kind know last length level
    like limit line lines list local look made main make many match message method might
    missing more most much must name names need needed needs never next none note null
    number object one only open option options order other output over page part pass path
    please point print problem process program project property provide query read reading
    remove request required response result results return returned returns right root
    rule run running same search section see select self set should show simple since size
    some source specific start state status step still stop string such sure system table
    take task test tests text than that the their them then there these they thing this
    those three through time times title to today token tool total true try two type under
    until update updated upon use used user users uses using value values version very
    view want well were what when where whether which while will with within without word
    work would write yes you your""".split()
)
"""Words that stand in any text."""
