"""Which value an answer settles on where it names the returned one and another: a text and the
places of both in, the words that settle on the other out.

The other value is the answer when the text lets it stand, does not lay it on somebody else or
another time, and one of these holds:

settled    a word of choosing stands in its clause, or in the next one, which points back to it
           ("2,000, so plan with that")
turned     it follows the returned value behind "but" or its like
leading    the answer begins with it, and only talks about the returned value behind it
aside      the returned value is only laid on its source ("the tool says …"), and the other is plain

Worked: "They quote CHF 6.20, but everybody pays CHF 5" settles on 5 (turned); "It went up from
CHF 5 to CHF 6.20" does not (`from`).
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentdyno.matching.values import Found
from agentdyno.matching.values.stance_words import ELSEWHERE, SETTLE, SOURCE

_END = re.compile(
    r"[;!?\n()]|\.(?=\s|\Z)|:(?=\s)|\s[–-]\s|—|,?\s(?=(?:but|yet|however|although|though|even if"
    r"|while|whereas|nevertheless|nonetheless|so|and so|therefore|hence)\b)|,\s(?=still\b)",
    re.IGNORECASE,
)
_BUT = re.compile(r"\W*(?:but|yet|however|still|nevertheless|nonetheless)\b", re.IGNORECASE)
_GRANTED = re.compile(
    r"\A\W*(?:although|though|even if|even though|while|whereas)\b", re.IGNORECASE
)
_SETTLES = re.compile(rf"\b{SETTLE}\b", re.IGNORECASE)
_SAY = re.compile(r"\W*(?:so |just |let['’]s |better )?say,?\s(?:\w+\s)?\Z", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:now|today|current(?:ly)?|correct(?:ion|ed|ly)?|as of|these days|in fact|no)\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(rf"\b{ELSEWHERE}(?![\w])|n['’]t\b", re.IGNORECASE)
_SOURCED = re.compile(
    rf"\b(?:the|this|that|its?|my)\s(?:\w{{2,14}}\s)?{SOURCE}(?:['’]s)?\b|\b(?:lists?|listed|shows?"
    r"|shown|says?|said|claims?|claimed|returned|prints?|gave|quotes?|quoted)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:that|this|it|those|the latter)\b\W*\Z", re.IGNORECASE)


class Clause(NamedTuple):
    """A piece of a text that says one thing."""

    start: int
    end: int


def settles_on_other(text: str, asked: Sequence[Found], others: Sequence[Found]) -> str | None:
    """The words by which the answer goes with another value; None when it does not."""
    clauses = list(_clauses(text))
    standing = [found for found in asked if found.rejected is None]
    for other in others:
        if other.rejected is not None:
            continue
        place = _clause_of(clauses, other.start)
        words = _settled(text, clauses, place, other, standing)
        if words is not None and not _settled_later(text, clauses, other, standing):
            return f"{text[other.start : other.end].strip()}: {words}"
    return None


def _clauses(text: str) -> Iterator[Clause]:
    start = 0
    for found in _END.finditer(text):
        if found.start() > start:
            yield Clause(start, found.start())
        start = found.end()
    if start < len(text):
        yield Clause(start, len(text))


def _clause_of(clauses: Sequence[Clause], at: int) -> int:
    return next((n for n, c in enumerate(clauses) if c.start <= at < c.end), 0)


def _settled(
    text: str, clauses: Sequence[Clause], place: int, other: Found, asked: Sequence[Found]
) -> str | None:
    clause = clauses[place]
    shared = [a for a in asked if clause.start <= a.start < clause.end]
    before = text[
        max([clause.start, *(a.end for a in shared if a.end <= other.start)]) : other.start
    ]
    after = text[other.end : min([clause.end, *(a.start for a in shared if a.start >= other.end)])]
    own = f"{before} \x00 {after}"
    chosen = _SETTLES.search(before) or _SAY.match(before)
    if chosen and not _ELSEWHERE.search(_GRANTED.sub("", before, count=1)):
        return chosen[0]
    if _ELSEWHERE.search(own):
        return None
    if found := _SETTLES.search(own):
        return found[0]
    if (follow := _next(text, clauses, place)) is not None:
        return follow
    earlier = [a for a in asked if a.end <= other.start]
    if earlier and (turn := _turn(text, clauses, place, earlier[-1])):
        return turn
    if place == 0 and asked and not shared and _leads(text, clauses, asked, own):
        return "the answer leads with it"
    if asked and all(_is_sourced(text, clauses, a) for a in asked) and not shared:
        return "the returned value is only quoted" if not _SOURCED.search(own) else None
    return None


def _leads(text: str, clauses: Sequence[Clause], asked: Sequence[Found], own: str) -> bool:
    """Whether the first clause plainly gives the other value, and the returned one is only talked
    about behind it."""
    if text[clauses[0].end : clauses[0].end + 1] == "?" or _SOURCED.search(own):
        return False
    behind = [clauses[_clause_of(clauses, found.start)] for found in asked]
    said = [text[clause.start : clause.end] for clause in behind]
    return not any(_NOW.search(each) or _BUT.match(each) or _SETTLES.search(each) for each in said)


def _next(text: str, clauses: Sequence[Clause], place: int) -> str | None:
    """Words of choosing in the next clause, which points back."""
    if place + 1 >= len(clauses):
        return None
    said = text[clauses[place + 1].start : clauses[place + 1].end]
    found = _SETTLES.search(said)
    if found and _POINTS_BACK.search(said) and not any(c.isdigit() for c in said):
        return found[0]
    return None


def _turn(text: str, clauses: Sequence[Clause], place: int, last: Found) -> str | None:
    """Where the answer turns from the returned value to the other one."""
    first = _clause_of(clauses, last.start)
    for number in range(first + 1, place + 1):
        said = text[clauses[number].start : clauses[number].end]
        if found := _BUT.match(said):
            return found[0].strip()
    return None


def _is_sourced(text: str, clauses: Sequence[Clause], found: Found) -> bool:
    clause = clauses[_clause_of(clauses, found.start)]
    return _SOURCED.search(text, clause.start, clause.end) is not None


def _settled_later(
    text: str, clauses: Sequence[Clause], other: Found, asked: Sequence[Found]
) -> bool:
    """Whether a clause behind it settles on the returned value after all."""
    for found in asked:
        if found.start < other.end:
            continue
        clause = clauses[_clause_of(clauses, found.start)]
        said = text[clause.start : clause.end]
        if not _GRANTED.match(said) and (_SETTLES.search(said) or _BUT.match(said)):
            return True
    return False
