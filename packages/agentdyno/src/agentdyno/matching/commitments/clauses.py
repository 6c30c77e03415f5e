"""A text cut into sentences, clauses and pieces, with its markup blanked; places stay true.

Sentences end with a stop or a line. Clauses end where another statement begins: "but", "which",
"although", a dash, a bracket, a cell of a table. Pieces end at commas and "and" as well, and hold
the words that stand nearest to a value.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.values.lexicon import month_named

_MARKUP = re.compile(
    r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|`{1,3}|^\s*(?:#{1,6}|>|[-*•])\s|"
    r"\A\s*1[.)]\s(?=\S)|(?<=\n)\s*\d{1,2}[.)]\s(?=\S)|\[\^?\w{1,3}\]:?"
    r"|【[^】\n]{1,60}】|\]\([^)\s]*\)|</?[a-zA-Z]{1,10}\s?/?>|^[\s|:-]+$",
    re.MULTILINE,
)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~|<(?:s|del|strike)>.{1,300}?</(?:s|del|strike)>")
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]|\n")
_PIECE = re.compile(
    r",(?=\s)|\s(?:and|with|und|et|y|e|en|i|mit|avec|con|at|for|on|in)\s|[;:()|]", re.IGNORECASE
)


WIDEST = 200
"""Characters on either side of a value in which words may speak of it."""


class Clause(NamedTuple):
    """A part of a sentence that makes one statement."""

    start: int
    end: int
    sentence: int
    """The number of its sentence."""


class Layout:
    """Where sentences and clauses of a text are."""

    def __init__(self, text: str) -> None:
        self.text = _mask(text)
        """The text without markup, as long as before."""
        self.struck = [found.span() for found in _STRUCK.finditer(text)]
        """Spans that are struck out."""
        self.sentences = _sentences(self.text)
        self.clauses = [
            Clause(start, end, number)
            for number, (first, last) in enumerate(self.sentences)
            for start, end in _split(self.text, first, last, pattern("clause"))
        ]
        self._starts = [0, *(clause.start for clause in self.clauses[1:])]

    def clause_number(self, place: int) -> int:
        """The number of the clause that holds a place."""
        return bisect_right(self._starts, place) - 1

    def sentence_of(self, place: int) -> tuple[int, int]:
        """The sentence that holds a place."""
        return self.sentences[self.clauses[self.clause_number(place)].sentence]

    def piece_of(self, start: int, end: int) -> tuple[int, int]:
        """The piece of its clause that holds a span."""
        clause = self.clauses[self.clause_number(start)]
        left, right = max(clause.start, start - WIDEST), min(clause.end, end + WIDEST)
        for cut in _PIECE.finditer(self.text, left, right):
            if cut.end() <= start:
                left = (
                    cut.end()
                    if cut[0].strip().lower()
                    in (",", "and", "und", "et", "y", "with", ";", ":", "(", ")", "|")
                    else left
                )
            elif cut.start() >= end and cut[0].strip().lower() not in ("at", "for", "on", "in"):
                right = cut.start()
                break
        return left, right


def _mask(text: str) -> str:
    masked = _MARKUP.sub(
        lambda found: " " * len(found[0]) if "\n" not in found[0] else found[0], text
    )
    return masked.replace("~~", "  ").replace("\u200b", " ")


def _sentences(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    for stop in _STOP.finditer(text):
        if stop[0].startswith(".") and _goes_on(text, stop):
            continue
        if text[start : stop.start()].strip():
            spans.append((start, stop.end()))
        start = stop.end()
    if text[start:].strip() or not spans:
        spans.append((start, len(text)))
    return spans


def _goes_on(text: str, stop: re.Match[str]) -> bool:
    """Whether a point ends no sentence: "Dr. Marsh", "29. Oktober", "a.m. on Friday"."""
    before, after = (
        text[max(0, stop.start() - 12) : stop.start() + 1],
        text[stop.end() : stop.end() + 14],
    )
    if pattern("abbreviation").search(before):
        starts = (
            r"\s+[A-Z]"
            if re.search(r"m\.\Z", before)
            else r"\s+(?:It|The|You|This|That|We|I|They|He|She|There|A|Your|Its|And|But|Is|Are|Do|"
            r"Does|Would|Can|Could|What|Shall|Should|How|Let|Please|If)\b"
        )
        return not re.match(starts, after)
    word = re.match(r"\s+([^\W\d_]+)", after)
    return bool(re.search(r"\d\.\Z", before) and word and month_named(word[1]))


def _split(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    spans, last = [], start
    for cut in pattern.finditer(text, start, end):
        if text[last : cut.start()].strip():
            spans.append((last, cut.start()))
            last = cut.start() if cut.start() == cut.end() else cut.end()
        elif cut.end() > last:
            last = cut.end()
    if text[last:end].strip() or not spans:
        spans.append((last, end))
    return spans
