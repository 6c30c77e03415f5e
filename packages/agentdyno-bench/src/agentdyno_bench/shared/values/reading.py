"""Reads the values in a sentence or a list: a text and what it may speak of in, values out.

    read_values("The score is 6.0.", names=(), words={"score"}, is_known=…)
        -> Reading(values=["6.0"], rest=[])
    read_values("moderate or about 35", {"moderate"}, set(), …)
        -> Reading(values=["moderate", "35"], rest=["about", "or"])

Names are looked for first, then dates and times, then numbers with their units. What is left has to
be words that may stand beside a value: those of the question and its fields, and a few that say
nothing. All others are the `rest`: with any of them nobody knows what the text commits to.
"""

import re
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from agentdyno.matching.values.lexicon import unit_named
from agentdyno_bench.shared.values.folding import fold
from agentdyno_bench.shared.values.submitted import HEDGES
from agentdyno_bench.shared.values.times import WRITTEN

_EMPTY = frozenset(
    "the a an is are was were be it its of for in on at as by per with and this that there s"
    " currently current now record records recorded value values figure answer result"
    " shows show says reported according stands returned tool respectively".split()
)
"""Words that say nothing of a value."""
_SIGNS = re.compile(r"[~<>≈≤≥±≠?]")
_NUMBER = re.compile(
    r"(?<![\w.,])(?:[\-−](?=[€$£¥]))?(?:US\$|[€$£¥]|\b[A-Z]{3}\b\s?|(?<![^\W_]))"
    r"(?:(?<![\w)])[+\-−])?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?![^\W_]*\d)(?!\.\d)"
)
_WORD = re.compile(r"[ \t]?/?[ \t]?(?:[^\W\d_]+|[%°²³µ§]+[^\W\d_]*)")
_SCALE = re.compile(r"(?i:thousand|million|billion|trillion|mn|bn)|[kKMB]|%")
MOST_UNIT_WORDS = 4
LONGEST = 2000
"""Characters of a text that are read."""


class Reading(NamedTuple):
    """What a text says."""

    values: list[str]
    """As written, each with its unit."""
    rest: list[str]
    """Words that are no part of a value and cannot stand beside one."""


def read_values(
    text: str,
    names: Collection[str],
    words: Collection[str],
    is_known: Callable[[str], bool],
) -> Reading:
    """The values in a text; `is_known` decides how many words after a number are its unit."""
    remaining = text[:LONGEST]
    values: list[tuple[int, str]] = []

    def take(spans: Iterator[tuple[int, int]]) -> None:
        nonlocal remaining
        for start, end in list(spans):
            values.append((start, text[start:end]))
            remaining = remaining[:start] + "\0" * (end - start) + remaining[end:]

    take(_find_names(remaining, names))
    take(match.span() for match in WRITTEN.finditer(remaining))
    take(_find_numbers(remaining, is_known))
    rest = [word for word in _words(remaining) if word not in words and word not in _EMPTY]
    rest += _SIGNS.findall(remaining) + re.findall(r"\0\s*[-–—−]\s*(?=\0)", remaining)
    return Reading([value for _, value in sorted(values)], rest)


def names_value(text: str, name: str) -> bool:
    """True for a text that has the name."""
    return any(True for _ in _find_names(text, [name]))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_\0]+", fold(text))


def _find_names(text: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Names as whole words, the longest first; those of two letters by their case."""
    folded, taken = fold(text), [False] * len(text)
    for name in sorted(names, key=len, reverse=True):
        short = sum(map(str.isalnum, name)) <= 2
        for match in _name_pattern(name, short).finditer(text if short else folded):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                yield start, end


@lru_cache(maxsize=4096)
def _name_pattern(name: str, by_case: bool) -> re.Pattern[str]:
    """The name's words with anything between them that is no letter; B is not in B+."""
    plain = name if by_case else fold(name)
    sign = plain[-1] if plain[-1:] in ("+", "-") else ""
    body = r"[\W_]{0,5}".join(map(re.escape, re.findall(r"[^\W_]+", plain)))
    end = re.escape(sign) if sign else r"(?![+\-−](?![^\W_]))"
    return re.compile(rf"(?<![^\W_]){body}{end}(?![^\W_])" if body else r"(?!)")


def _find_numbers(text: str, is_known: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Numbers with the unit that makes them known; else with the word after it that is a unit."""
    for match in _NUMBER.finditer(text):
        ends = _unit_ends(text, match.end())
        known = (end for end in reversed(ends) if is_known(text[match.start() : end]))
        has_unit = len(ends) > 1 and _is_unit(text[ends[0] : ends[1]].strip(" \t/"))
        shortest = ends[1] if has_unit else ends[0]
        end = next((end for end in known if end >= shortest), shortest)
        yield match.start(), end


def _unit_ends(text: str, start: int) -> list[int]:
    """Where the number may end: behind it, or behind each of the next words."""
    ends = [start]
    while len(ends) <= MOST_UNIT_WORDS and (match := _WORD.match(text, ends[-1])):
        ends.append(match.end())
    return ends


def _is_unit(word: str) -> bool:
    if word.casefold() in _EMPTY | HEDGES:
        return False
    return bool(_SCALE.fullmatch(word)) or unit_named(word) is not None
