"""Where a text states a name, a state, a code or a truth: the folded text in, spans out.

`exact` spans hold the very words; `close` ones hold all of them, or nearly all, in another order
or form within a sentence ("approved in part" of "partially approved").
"""

import re
from typing import NamedTuple

from agentdyno.matching.values import fold

_SMALL = frozenset("the a an of and or in on at to by for with from is was are be no not after before per der die das und la le de el".split())
_OPPOSITES = (
    ("pass passed passes", "fail failed fails failing"), ("open opened opens", "closed close shut closes"),
    ("active enabled on running up online live", "inactive disabled off stopped down offline suspended paused halted"),
    ("valid current in-force", "invalid expired lapsed revoked void"), ("approved accepted granted adopted", "rejected denied declined refused"),
    ("available free vacant in-stock", "unavailable sold-out occupied taken out-of-stock booked"), ("on-time punctual", "late delayed overdue cancelled"),
    ("cleared released", "held detained stuck blocked"), ("paid settled", "unpaid outstanding due open"), ("included", "excluded extra"),
    ("high", "low moderate medium"), ("rising up increasing", "falling down decreasing stable flat"), ("won win", "lost lose"),
    ("delivered arrived", "in-transit pending shipped"), ("positive", "negative"), ("allow allowed permitted", "block blocked forbidden prohibited banned"),
    ("completed complete finished done", "pending incomplete in-progress ongoing"), ("locked", "unlocked"), ("safe", "unsafe"), ("normal", "abnormal elevated"),
)  # fmt: skip
"""States that exclude each other; a dash stands for a space."""


class Place(NamedTuple):
    """Where something is stated."""

    start: int
    end: int
    exact: bool


def find_code(text: str, bare: str) -> list[Place]:
    """Places of a code, whatever marks part it."""
    letters = r"[\s./_:–-]{0,2}".join(re.escape(c) for c in bare)
    return [Place(*m.span(), True) for m in re.finditer(rf"(?<![0-9a-z])(?:#\s?)?{letters}(?![0-9a-z]|[./-]\d)", text)]


def find_spelling(text: str, written: str) -> list[Place]:
    """Places of the very characters; a figure with nothing but noughts around it: 258 of 258000."""
    pattern = re.escape(written)
    if written[:1].isdigit() and written[-1:].isdigit():
        pattern = rf"(?<![1-9.,])(?<!\d[.,]){pattern}(?![.,]?0*[1-9])"
    return [Place(*m.span(), True) for m in re.finditer(pattern, text)]


def find_words(text: str, wanted: str) -> list[Place]:
    """Places of a phrase in a folded text; of a `|`-list, of any of its items."""
    for phrase in wanted.split("|"):
        words = re.findall(r"[^\W_]+", phrase)
        if words and (exact := _exact(text, words, phrase)):
            return exact
    close = [place for phrase in wanted.split("|") for place in _close(text, phrase)]
    return close


def _exact(text: str, words: list[str], phrase: str) -> list[Place]:
    tail = r"(?:s|es|d|ed|ing|n|en)?" if len(words[-1]) > 3 and words[-1].isalpha() else ""
    end = r"(?![\w])" if phrase[-1:].isalnum() else re.escape(re.findall(r"[\W_]*\Z", phrase)[0].strip())
    pattern = rf"(?<![0-9a-z]){r'[^a-z0-9]{1,3}'.join(map(re.escape, words))}{tail}{end}"
    return [Place(*m.span(), True) for m in re.finditer(pattern, text)]


def _close(text: str, phrase: str) -> list[Place]:
    words = [w for w in re.findall(r"[^\W\d_]{3,}", phrase) if w not in _SMALL]
    if not words:
        return []
    stems = [rf"\b{re.escape(_stem(word))}\w*" for word in words]
    found = []
    for sentence in re.finditer(r"[^.!?\n]+", text):
        spans = [m.span() for stem in stems if (m := re.search(stem, sentence[0]))]
        if spans and len(spans) >= max(1, round(0.75 * len(words))):
            first, last = min(s for s, _ in spans), max(e for _, e in spans)
            if len(words) > 1 or len(words[0]) > 4:
                found.append(Place(sentence.start() + first, sentence.start() + last, len(words) == 1))
    return found


def _stem(word: str) -> str:
    return word if len(word) < 5 else word[: max(4, len(word) - (3 if len(word) > 6 else 2))]


def opposites_of(state: str) -> list[str]:
    """States that exclude one; empty for what is not known."""
    words = fold(state).replace(" ", "-")
    for left, right in _OPPOSITES:
        for mine, other in ((left.split(), right.split()), (right.split(), left.split())):
            if words in mine:
                return [word.replace("-", " ") for word in other]
    return []


def synonyms_of(state: str) -> list[str]:
    """The state itself and others that say the same."""
    words = fold(state).replace(" ", "-")
    for left, right in _OPPOSITES:
        for mine in (left.split(), right.split()):
            if words in mine:
                return [word.replace("-", " ") for word in mine]
    return [state]
