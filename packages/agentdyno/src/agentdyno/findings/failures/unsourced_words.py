"""Facts that an answer adds in words: a reading and the words of the sources in, inventions out.

"The delay comes from congestion at Algeciras" holds no figure, yet no source says it. A sentence is
suspect when it states something (no advice, no question, nothing about the user) in several words
that neither a source holds nor right answers use (`plain_words.txt`, made by
`tools/make_plain_words.py`). A name counts as three words. English only, since the list is.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from agentdyno.matching.commitments import Reading
from agentdyno.matching.values import fold
from agentdyno.matching.values.calendar import weekday_names
from agentdyno.matching.values.lexicon import month_named

A_NAME = 3
"""Words that a name counts for."""
STEM = 5
"""Letters at which two words are taken for forms of one."""
_ENDINGS = ("ing", "edly", "ed", "es", "ly", "s", "en", "er", "e")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ADVICE = re.compile(
    r"\b(?:you|yours?|I|me|my|we|us|our|please|if|could|(?-i:may)|might|maybe|perhaps|let|should|"
    r"would|can|recommend|suggest|worth|dear|regards|hi|hello|hey|thanks?|whether|make sure|sorry|"
    r"sometimes|often|usually|generally|typically|always)\b|\?",
    re.IGNORECASE,
)
"""Words to the user, and of what is so in general."""
_INSIDE = re.compile(r"[a-zß-ÿ,;]\s[\"“‘(@]?\Z")
_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|caused by|as a result of|thanks to|comes? from|down (?:for|to)|"
    r"after (?:an?|the)|blamed on|reason)\b",
    re.IGNORECASE,
)
"""A cause is a fact of its own: what gives one in new words says more than its words count."""


class UnsourcedWords(NamedTuple):
    """A sentence with words that no source holds."""

    words: list[str]
    """The words themselves."""
    weight: int
    """How many words it counts for; a name is three."""
    claimed: int
    """How many of them stand where something is stated, and no advice given to the user."""
    start: int
    """Where the sentence begins in the answer."""
    end: int
    """Where it ends."""


def find_unsourced_words(reading: Reading, sourced: frozenset[str]) -> Iterator[UnsourcedWords]:
    """Sentences that state something in words that are not among the stems of the sources."""
    if reading.language != "en":
        return
    for start, end in reading.layout.sentences:
        found: dict[str, int] = {}
        advised: set[str] = set()
        for match in _WORD.finditer(reading.text, start, end):
            word = fold(match[0])
            if not _stems(word) & sourced and not _is_plain(word):
                is_name = match[0][0].isupper() and _INSIDE.search(
                    reading.text, start, match.start()
                )
                found[word] = A_NAME if is_name else 1
                clause = reading.layout.clauses[reading.layout.clause_number(match.start())]
                if _ADVICE.search(reading.text, clause.start, clause.end):
                    advised.add(word)
        if found:
            times = 2 if _CAUSE.search(reading.text, start, end) else 1
            claimed = sum(count for word, count in found.items() if word not in advised)
            yield UnsourcedWords(
                list(found), times * sum(found.values()), times * claimed, start, end
            )


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Words without their endings, and the beginnings of long ones."""
    return frozenset().union(*map(_stems, words))


@lru_cache(maxsize=8192)
def _stems(word: str) -> frozenset[str]:
    cut = (word.removesuffix(end) for end in _ENDINGS if word.endswith(end))
    bare = next((each for each in cut if len(each) >= 3), word)
    return frozenset({bare, f"{bare[:STEM]}-"} if len(bare) >= STEM else {bare})


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    """Whether right answers use a word besides those of their sources, or it is a day's name."""
    is_day = month_named(word) is not None or word in weekday_names()
    return is_day or not _stems(word).isdisjoint(_plain_stems())


@cache
def _plain_stems() -> frozenset[str]:
    return frozenset((files(__package__) / "plain_words.txt").read_text("utf-8").split())
