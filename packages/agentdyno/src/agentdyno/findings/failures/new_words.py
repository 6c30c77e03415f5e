"""Words that an answer adds to those of its sources: a reading in, what they look like out.

"The delay comes from congestion at Algeciras" holds no figure, yet no source says it. A word is new
when no source holds its stem; it is rare when few right answers use it either, and surprises the
more the fewer do (`fitted.json` has the counts). What a clause is for tells how much its new words
say: advice, courtesy and what is so in general add no fact, a plain statement does. English only,
since the counts are.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from agentdyno.matching.commitments import Reading
from agentdyno.matching.values.calendar import weekday_names
from agentdyno.matching.values.lexicon import month_named

STEM = 5
"""Letters at which two words are taken for forms of one."""
FEWEST = 2
"""Tasks whose right answers use a word that is not rare."""
LEAST_SMALL, SHORTEST = 0.15, 6
"""Share of small words below which a text of so many words is not English."""
_ENDINGS = ("ing", "edly", "ed", "es", "ly", "s", "en", "er", "e")
_WORD = re.compile(r"[^\W\d_]{3,}")
_INSIDE = re.compile(r"[a-zß-ÿ,;]\s[\"“‘(@]?\Z")
_KINDS = {
    "advice": re.compile(
        r"\b(?:please|if|could|(?-i:may)|might|maybe|perhaps|let|should|would|['’]d|can|recommend|"
        r"suggest|worth|whether|make sure|sure|check|unless|in case|note|remember|best to|"
        r"better to|feel free|happy to|shall|need|want)\b|\?",
        re.IGNORECASE,
    ),
    "general": re.compile(
        r"\b(?:usual(?:ly)?|typical(?:ly)?|general(?:ly)?|normal(?:ly)?|often|tends?|as a rule|any|"
        r"always|never|classic|common(?:ly)?|sometimes|most)\b",
        re.IGNORECASE,
    ),
    "courtesy": re.compile(
        r"\b(?:dear|regards|hi|hello|hey|thanks?|sorry|congratulations|glad|afraid|your)\b|"
        r"\byou\W+(?:\w+\W+)?(?:thought|said|had|have|mentioned|remember\w*|expected|believed?|"
        r"guess\w*|reckon\w*|assumed?|hoped|were|wrote|quoted|recall|asked|noted|heard|read|"
        r"counted|budgeted|planned|feared)\b",
        re.IGNORECASE,
    ),
    "writer": re.compile(r"\b(?:I|me|my|we|us|our)\b", re.IGNORECASE),
    "user": re.compile(r"\b(?:you|yours)\b", re.IGNORECASE),
}
"""What a clause is for, by the words that tell; the first that holds counts, else `plain`."""
_ORDER = re.compile(
    r"(?:\A|[.;!,:—–-]\s+|\b(?:and|so|then|or)\s)\W*(?:do|don['’]t|get|take|keep|bring|use|pick|"
    r"phone|ring|avoid|allow|leave|plan|go|try|have|make|give|tell|ask|call|book|order|send|put|"
    r"wait|look|watch|add|set|mind|consider|double|aim|stay|change|update|correct|pack|wear|turn|"
    r"move|save|just|always|never)\b",
    re.IGNORECASE,
)
"""An imperative near the beginning of a clause is advice."""
STATING = ("plain", "writer")
"""Kinds of clauses whose new words add facts."""


class NewWords(NamedTuple):
    """What an answer says in words of its own."""

    weights: dict[str, float]
    """Stems that other answers use too, with how much each counts: half in what states nothing."""
    rare: Counter[str]
    """Rare words by the kind of their clause; and `name`, those that are written like a name."""
    surprise: dict[tuple[int, str], float]
    """How much new words surprise, by their sentence and its kind: `plain`, `writer` or `soft`."""
    stated: list[str]
    """Rare words of clauses that state something."""


SMALL = 10**6
"""The count of a word that states nothing, whoever uses it."""


def find_new_words(
    reading: Reading, sourced: frozenset[str], counts: Mapping[str, int]
) -> NewWords | None:
    """New words of an answer, given the stems of the sources and the tasks whose right answers use
    a stem; None for what is not English and no mere quote."""
    found = NewWords({}, Counter(), defaultdict(float), [])
    kinds: dict[int, str] = {}
    total = small = 0
    for number, (start, end) in enumerate(reading.layout.sentences):
        for match in _WORD.finditer(reading.text, start, end):
            word = reading.folded[match.start() : match.end()]
            stem, is_day = _key(word)
            used = counts.get(stem, 0)
            is_small = used == SMALL
            total, small = total + 1, small + is_small
            if not stems_of_word(word).isdisjoint(sourced):
                continue
            if is_small:
                found.weights[stem] = 1.0
            if is_small or is_day:
                continue
            clause = reading.layout.clause_number(match.start())
            if (kind := kinds.get(clause)) is None:
                kind = kinds[clause] = _kind(reading, clause)
            key = kind if kind in STATING else "soft"
            found.surprise[number, key] += min(1.0, 1 / sqrt(1 + used / 3))
            if stem in found.weights:
                continue
            found.weights[stem] = 1.0 if kind in (*STATING, "user") else 0.5
            if used < FEWEST:
                found.weights[stem] = 0.0
                found.rare[kind] += 1
                is_name = match[0][0].isupper() and _INSIDE.search(
                    reading.text, start, match.start()
                )
                found.rare["name"] += bool(is_name)
                if kind in (*STATING, "user"):
                    found.stated.append(word)
    is_english = reading.language == "en" and (total < SHORTEST or small >= LEAST_SMALL * total)
    return found if is_english or not found.weights else None  # A quote is read in any language.


def _kind(reading: Reading, number: int) -> str:
    clause = reading.layout.clauses[number]
    begin = reading.text[max(0, clause.start - 3) : min(clause.end, clause.start + 40)]
    if _ORDER.search(begin):
        return "advice"
    for kind, pattern in _KINDS.items():
        if pattern.search(reading.text, clause.start, clause.end):
            return kind
    return "plain"


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Words without their endings, and the beginnings of long ones."""
    return frozenset().union(*map(stems_of_word, words))


@lru_cache(maxsize=8192)
def stems_of_word(word: str) -> frozenset[str]:
    """A word without its ending, and the beginning of a long one."""
    cut = (word.removesuffix(end) for end in _ENDINGS if word.endswith(end))
    bare = next((each for each in cut if len(each) >= 3), word)
    return frozenset({bare, f"{bare[:STEM]}-"} if len(bare) >= STEM else {bare})


@lru_cache(maxsize=8192)
def _key(word: str) -> tuple[str, bool]:
    """The stem that a word is counted by, and whether it names a day or month."""
    stem = min(stems_of_word(word), key=lambda each: each.endswith("-"))
    return stem, month_named(word) is not None or word in weekday_names()
