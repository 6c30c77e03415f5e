"""Answers that give somebody another one's part: "Viking lost 3-1", where Viking is the winner.

Takes a task and an answer, returns why it is no answer, or None. A field like `winner`, `cover` or
`manager` says who does something, and to whom: the other one is named in the question, in the
arguments or in the return. A part is swapped where the other one does what its holder does
("Brann beat Viking"), or the holder what is done by the other ("Viking lost"), and nowhere the
reverse. What a holder does is listed per part; that somebody *is* something ("Petra is Hugo's
manager") holds for every field.

Worked: cover = Luis, asked of Priya: "Priya is covering for Luis" is swapped, "Priya is covered by
Luis" is not.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentdyno.matching.legacy_values import words_of_field
from agentdyno.metrics.failures.task_texts import given_texts, returned_leaves
from agentdyno.records.failures import ToolTask

MOST_NAMES = 8
"""Names beyond which a return is a list and no pair of parts."""
SHORTEST = 3
"""Letters of a word that can stand for a name."""
_FOR = (
    r"(?:stand(?:s|ing)?[ -]in|fill(?:s|ing)?[ -]in|cover(?:s|ing)?|substitut(?:es?|ing)"
    r"|deputi[sz](?:es?|ing)|tak(?:es|ing) over|step(?:s|ping)? in) (?:for|from)|replac(?:es|ing)"
)
LOSES = (
    r"lost|loses?|losing|fell|falls|went down|go(?:es)? down|(?:been |being )?(?:beaten|defeated"
    r"|knocked out|thrashed)|resigned|conceded defeat"
)
WINS = (
    r"won|wins?|winning|beat|beats|beating|defeat(?:s|ed)|edg(?:es|ed)|overc[oa]mes?|thrash(?:es|ed)"
    r"|saw off|prevail(?:s|ed)|triumph(?:s|ed)|knocked out|outplayed|took (?:the )?(?:win|victory)"
)
_LEADS = (
    r"manag(?:es|ed|ing)|supervis(?:es|ed|ing)|oversees|heads|leads|mentors|coaches|tutors|advises"
)
_REPORTS = (
    r"reports? to|reporting to|works? (?:for|under)|answers? to|(?:managed|supervised|mentored"
    r"|led|coached|advised) by"
)
_PARTS: tuple[tuple[str, str, str], ...] = (
    ("winner won champion victor laureate awardee medallist", WINS, LOSES),
    ("loser lost", LOSES, WINS),
    ("cover substitute replacement standin deputy locum", _FOR, r"(?:covered|replaced) by"),
    ("manager supervisor boss lead head mentor coach tutor advisor reports", _LEADS, _REPORTS),
    ("buyer acquirer purchaser", r"bought|buys|acquir(?:es|ed|ing)|purchas(?:es|ed)",
     r"sold|sells|(?:bought|acquired) by"),
    ("seller vendor", r"sold|sells|selling", r"bought|buys|purchas(?:es|ed)"),
    ("sender", r"sent|sends", r"received|receives"),
    ("recipient receiver", r"received|receives", r"sent|sends"),
    ("lender", r"lent|lends", r"borrow(?:s|ed)"),
    ("borrower", r"borrow(?:s|ed)", r"lent|lends"),
    ("landlord", r"lets|rents (?:it )?(?:out )?to", r"rents (?:it )?from"),
)  # fmt: skip
"""Words of fields, what their holder does, and what the other one does."""
_BETWEEN = (
    r"(?:, (?:who|which) [^,;.!?\n]{1,60},)?"
    r"(?:,? (?:who|which|is|are|was|were|has|have|had|will|be|been|being|also|only|now"
    r"|currently|then"
    r"|narrowly|comfortably|easily|just|team|side|(?:\w+ly)|themselves))*,? "
)
"""What may stand between who does something and the verb."""
VERSUS = re.compile(r"\s+(?:[-–—]|vs?\.?|versus|and|against|at|@)\s+", re.IGNORECASE)
_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’&.-]*(?: (?:[a-z]{2,3} )?[A-ZÀ-ÖØ-Þ0-9][\w'’&.-]*){0,3}")
_FROM = frozenset(["from", "origin", "departure", "departs", "source"])
_TO = frozenset(["to", "destination", "arrival", "arrives", "target"])


class Part(NamedTuple):
    """Who holds a part."""

    field: str
    holder: str
    others: tuple[str, ...]
    """Everybody else whom the task names."""


def why_in_anothers_part(task: ToolTask, text: str) -> str | None:
    """Why somebody has another one's part; None when nobody has."""
    for part in _parts(task):
        if _is_swapped(part, text):
            return f"gives another the part of {part.holder}: {part.field}"
    return _why_turned_round(task, text)


def _named(task: ToolTask) -> list[tuple[str, str]]:
    """Fields of returns that hold a name, and the name."""
    return [
        (leaf.name, str(leaf.value))
        for leaf in returned_leaves(task)
        if isinstance(leaf.value, str) and _NAME.fullmatch(leaf.value)
    ]


def _parts(task: ToolTask) -> Iterator[Part]:
    named = _named(task)
    given = [*given_texts(task), task.prior or ""]
    pieces = (piece for text in given for piece in VERSUS.split(text))
    names = [*(p for p in pieces if _NAME.fullmatch(p)), *(name for _, name in named)]
    if len(set(names)) > MOST_NAMES:
        return
    for field, holder in named:
        others = tuple(n for n in dict.fromkeys(names) if not _share_a_word(n, holder))
        if others:
            yield Part(field, holder, others)


def _share_a_word(one: str, other: str) -> bool:
    return not set(one.lower().split()).isdisjoint(other.lower().split())


def _is_swapped(part: Part, text: str) -> bool:
    words = words_of_field(part.field).lower().split()
    known = [(own, its) for names, own, its in _PARTS if set(names.split()) & set(words)]
    holder, others = called([part.holder]), called(part.others)
    role, low = words[-1], text.lower()
    if len(role) > SHORTEST and role in low:
        crossed = _is(others, role, holder).search(text)
        if crossed and not _is(holder, role, others).search(text):
            return True
    for own, its in known:
        if not _verbs(f"{own}|{its}").search(low):
            continue  # Patterns of names are made only where a verb speaks of them.
        wrong = does(others, own).search(text) or does(holder, its).search(text)
        right = does(holder, own).search(text) or does(others, its).search(text)
        if wrong and not right:
            return True
    return False


@lru_cache(maxsize=64)
def _verbs(verbs: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{verbs})\b")


def called(names: Sequence[str]) -> str:
    """A pattern of anybody of these, by the whole name or by a word of it."""
    ways = {word for name in names for word in name.split() if len(word) >= SHORTEST} | set(names)
    ordered = sorted(ways, key=lambda way: (-len(way), way))
    return rf"\b(?:{'|'.join(map(re.escape, ordered))})\b"


@lru_cache(maxsize=256)
def does(who: str, verbs: str) -> re.Pattern[str]:
    """That somebody does something, with what may stand between."""
    return re.compile(rf"{who}(?i:{_BETWEEN}(?:{verbs})\b)")


@lru_cache(maxsize=256)
def _is(who: str, role: str, whom: str) -> re.Pattern[str]:
    """Petra is Hugo's manager; Petra is the manager of Hugo; Hugo's manager is Petra."""
    being = r"(?i:,? (?:is|was|will be|acts as|serves as)(?: (?:only|now|currently|also))?) "
    stem = rf"(?i:(?:\w+ ){{0,2}}{re.escape(role)}\w{{0,3}})"
    return re.compile(
        rf"{who}{being}(?:{whom}['’]s? {stem}\b|(?i:the |an? ){stem} (?:for|of|to) {whom})"
        rf"|{whom}['’]s? {stem}{being}{who}"
    )


def _why_turned_round(task: ToolTask, text: str) -> str | None:
    """From Bergen to Oslo, where it goes from Oslo to Bergen."""
    named = _named(task)
    starts = [name for field, name in named if _FROM & set(words_of_field(field).split())]
    ends = [name for field, name in named if _TO & set(words_of_field(field).split())]
    if len(starts) != 1 or len(ends) != 1 or starts == ends:
        return None
    way = r"\bfrom (?:the )?{}\b[^.;!?\n]{{0,40}}\bto (?:the )?{}\b"
    there, back = (re.compile(way.format(*map(re.escape, ends_of)))
                   for ends_of in ((starts[0], ends[0]), (ends[0], starts[0])))  # fmt: skip
    if back.search(text) and not there.search(text):
        return f"goes from {ends[0]} to {starts[0]}"
    return None
