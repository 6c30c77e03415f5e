"""Where a text states a name, a state, a code or a truth: the folded text in, spans out.

`exact` spans hold the very words; `close` ones hold all of them, or nearly all, in another order
or form within a sentence ("approved in part" of "partially approved").
"""

import re
from functools import cache
from typing import NamedTuple

from agentdyno.matching.commitments.cues import pairs
from agentdyno.matching.values import Expected, fold
from agentdyno.matching.values.calendar import weekday_names

_SMALL = frozenset(
    "the a an of and or in on at to by for with from is was are be no not after before per der "
    "die das und la le de el".split()
)
_TITLES = frozenset("Dr Mr Mrs Ms Miss Prof Professor Judge Captain Sir Herr Frau Coach".split())


_PARTING = re.compile(r"[\s./_:()×–x-]+")
"""Marks that may part a code, and the letter that may be one."""


class Place(NamedTuple):
    """Where something is stated."""

    start: int
    end: int
    exact: bool


def find_code(text: str, bare: str) -> list[Place]:
    """Places of a code, whatever marks part it; 4x8 may be 4 × 8."""
    if bare.replace("x", "") not in _PARTING.sub("", text):
        return []
    letters = r"[\s./_:()×–-]{0,3}".join("[x×]" if c == "x" else re.escape(c) for c in bare)
    return [
        Place(*m.span(), True)
        for m in re.finditer(rf"(?<![0-9a-z])(?:#\s?|v\.?\s?)?{letters}(?![0-9a-z]|[./-]\d)", text)
    ]


def find_spelling(text: str, written: str) -> list[Place]:
    """Places of the very characters; a figure with nothing but noughts around it: 258 of 258000."""
    if written not in text:
        return []
    pattern = re.escape(written)
    if written[:1].isdigit() and written[-1:].isdigit():
        pattern = rf"(?<![1-9.,])(?<!\d[.,]){pattern}(?![.,]?0*[1-9])"
    return [Place(*m.span(), True) for m in re.finditer(pattern, text)]


def find_words(text: str, expected: str) -> list[Place]:
    """Places of a phrase in a folded text; of a `|`-list, of any of its items; of a weekday, of its
    names in any language."""
    if (day := _weekdays().get(expected)) is not None:
        names = re.finditer(r"([^\W\d_]{3,}?)s?\b", text)
        return [Place(*m.span(), True) for m in names if day in map(_weekdays().get, (m[0], m[1]))]
    for phrase in expected.split("|"):
        words = re.findall(r"[^\W_]+", phrase)
        if words and (exact := _exact(text, words, phrase)):
            return exact
    return [place for phrase in expected.split("|") for place in _close(text, phrase)]


@cache
def _weekdays() -> dict[str, int]:
    return {fold(name): day for name, day in weekday_names().items()}


def find_surname(text: str, folded: str, expected: Expected) -> list[Place]:
    """Places of a person's last name, alone or behind a title or an initial: "Judge Marsh"."""
    words = [w for w in re.findall(r"[^\W\d_]{2,}", expected.raw) if w not in _TITLES]
    if not 2 <= len(words) <= 3 or not all(word[0].isupper() for word in words):
        return []
    places: list[Place] = []
    if (last := fold(words[-1])) not in folded:
        return places
    for found in re.finditer(rf"\b{re.escape(last)}(?:['’]?s)?\b", folded):
        before = re.search(r"([^\W\d_]+)\.?\s\Z", text[max(0, found.start() - 20) : found.start()])
        first = before[1] if before else "a"
        titled = first in _TITLES or first.lower() in expected.words
        if not first[0].isupper() or titled or (len(first) == 1 and first == words[0][0]):
            places.append(Place(*found.span(), False))
    return places


def _exact(text: str, words: list[str], phrase: str) -> list[Place]:
    if not all(word in text for word in words):
        return []
    tail = r"(?:s|es|d|ed|ing|n|en)?" if len(words[-1]) > 3 and words[-1].isalpha() else ""
    end = (
        r"(?![\w])"
        if phrase[-1:].isalnum()
        else re.escape(re.findall(r"[\W_]*\Z", phrase)[0].strip())
    )
    pattern = rf"(?<![0-9a-z]){r'[^a-z0-9]{1,3}'.join(map(re.escape, words))}{tail}{end}"
    return [Place(*m.span(), True) for m in re.finditer(pattern, text)]


def _close(text: str, phrase: str) -> list[Place]:
    words = [w for w in re.findall(r"[^\W\d_]{3,}", phrase) if w not in _SMALL]
    fewest = max(1, round(0.75 * len(words)))
    if sum(_stem(word) in text for word in words) < fewest:
        return []
    # "pre" is no beginning of "previous".
    stems = [
        rf"\b{re.escape(_stem(word))}\w{'*' if len(word) > 4 else '{0,3}'}\b" for word in words
    ]
    marks = [w for w in re.findall(r"\w*\d\w*|\b[^\W\d_]{1,2}\b", phrase) if w not in _SMALL]
    found = []
    for sentence in re.finditer(r"[^.!?\n]+", text):
        if marks and not re.search(rf"\b{re.escape(marks[0])}\b", sentence[0]):
            continue  # 84 Quayside Lane is not number 48, and A negative not AB negative.
        spans = [m.span() for stem in stems if (m := re.search(stem, sentence[0]))]
        if len(spans) >= fewest:
            first, last = min(s for s, _ in spans), max(e for _, e in spans)
            if len(words) > 1 or len(words[0]) > 4:
                found.append(
                    Place(sentence.start() + first, sentence.start() + last, len(words) == 1)
                )
    return found


def _stem(word: str) -> str:
    return word if len(word) < 5 else word[: max(4, len(word) - (3 if len(word) > 6 else 2))]


def opposites_of(state: str) -> list[str]:
    """States that exclude one; empty for what is not known."""
    return _related(state)[1]


def synonyms_of(state: str) -> list[str]:
    """Other words for a state."""
    return [each for each in _related(state)[0] if each != fold(state)]


def _related(state: str) -> tuple[list[str], list[str]]:
    word = fold(state).replace(" ", "-")
    found = next((pair for pair in pairs("opposites") if word in pair[0]), ([], []))
    same, other = ([each.replace("-", " ") for each in side] for side in found)
    return same, other
