"""A text read once: its values with their stances and subjects."""

import re
from itertools import pairwise
from typing import NamedTuple

from agentdyno.matching.commitments.clauses import WIDEST, Layout
from agentdyno.matching.commitments.cues import cues, pattern
from agentdyno.matching.commitments.names import name_stance
from agentdyno.matching.commitments.stance import Stance, stance_of
from agentdyno.matching.values import Value, compare, fold, is_comparable, language_of, read_values

_OR = {
    language: re.compile(
        rf"[^\w.;!?]*(?:[^\W\d_%]{{1,14}}(?=\W))?,?\s*\b(?:{words})\s+"
        r"(?:(?:maybe|perhaps|possibly|even|about|around|else|it could be)\s+)?[^\w]*",
        re.IGNORECASE,
    )
    for language, words in cues()["or"].items()
}
_TO = re.compile(r"\s*(?:-|–|\bto\b|\bbis\b|\bà\b|～|〜|\bthrough\b)\s*[$€£]?", re.I)
_MAYBE = re.compile(
    r"[^\w.;!?]*(?:[^\W\d_%]{1,14}(?=\W))?\W*(?:maybe|perhaps|possibly|(?<=\s)/(?=\s))\W*", re.I
)
_TOGETHER = re.compile(r"T|[\s,(]{1,3}(?:at|on|um|am|à|le)?\s?", re.I)
_AND = re.compile(r"[^\w.;!?]*(?:and|und|et|y|e|en|i)\s*[^\w]*", re.I)
_WORD = re.compile(r"(?=\d*[^\W\d_])[^\W_]{2,}")
MOST_APART = 20
"""How many times its beginning the end of a range may be that is only linked by "to" or a dash."""
MOST_VALUES = 400
"""Values of a text that are read; nobody answers with more."""
REACH = 2
"""Sentences that a correction reaches back."""


class Commitment(NamedTuple):
    """A value that a text speaks of."""

    subject: tuple[str, ...]
    """Words that stand nearest to it, folded: those of its piece of the clause and of its label."""
    value: Value
    """The first reading of its span."""
    stance: Stance
    cue: str
    """The words that tell the stance; empty for what is simply asserted."""
    readings: tuple[Value, ...]
    """All readings of the span."""
    adopted: bool = False
    """Whether the writer chooses it: "so I'd go with 50"."""
    start: int = 0
    """Where it begins in the text."""
    end: int = 0
    """Where it ends."""


class Reading:
    """A text with its layout and its commitments."""

    def __init__(self, text: str) -> None:
        self.layout = Layout(text)
        self.text = self.layout.text
        """Without markup, as long as the original."""
        self.folded = fold(self.text)
        self.language = language_of(self.text)
        self.groups = _group(read_values(self.text, self.language))[:MOST_VALUES]
        self._spans = [(group[0].start, max(v.end for v in group)) for group in self.groups]
        self._stances: dict[tuple[int, int], tuple[Stance, str]] = {}
        self.commitments = self._commit()

    def stance(self, start: int, end: int) -> tuple[Stance, str]:
        """How the text stands to any span of it, such as a name."""
        if (start, end) not in self._stances:
            self._stances[start, end] = self._find_stance(start, end)
        return self._stances[start, end]

    def _find_stance(self, start: int, end: int) -> tuple[Stance, str]:
        floor = max((last for _, last in self._spans if last <= start), default=0)
        ceiling = min((first for first, _ in self._spans if first >= end), default=len(self.text))
        found = stance_of(self.layout, start, end, floor, ceiling)
        named = name_stance(self.layout, start, end) if found[0] == "asserted" else None
        if named and named[0] == "withdrawn" and self._withdraws_other(named[1], start, end):
            return found
        return named or found

    def _withdraws_other(self, cue: str, start: int, end: int) -> bool:
        """Whether a correction behind a name takes back a figure of its sentence instead."""
        first, last = self.layout.sentence_of(start)
        correction = self.text.find(cue, end)
        rest = self.text[correction : self.layout.sentence_of(correction)[1]]
        return any(map(str.isdigit, rest)) and any(
            each.stance == "withdrawn" and each.cue == cue and first <= each.start < last
            for each in self.commitments
            if each.end <= start or each.start >= end
        )

    def subject(self, start: int, end: int) -> tuple[str, ...]:
        """The words nearest to a span; with none in its piece, those before it in its sentence."""
        left, right = self.layout.piece_of(start, end)
        words = _WORD.findall(f"{self.folded[left:start]} {self.folded[end:right]}")
        sentence = max(self.layout.sentence_of(start)[0], start - WIDEST)
        label = re.match(r"\s*([^:|\n]{2,60})[:|]", self.folded[sentence:start])
        if label:
            words += _WORD.findall(label[1])
        elif not words:
            words = _WORD.findall(self.folded[sentence:start])
        return tuple(dict.fromkeys(words))

    def near(self, start: int, end: int) -> tuple[str, ...]:
        """The words of a span's own piece only, up to the values beside it."""
        left, right = self.layout.piece_of(start, end)
        figures = [
            span
            for span, (first, *_) in zip(self._spans, self.groups, strict=True)
            if first.kind != "code" and not (first.spelled and first.number == 1)
        ]
        ends = [last for first, last in figures if first < start]
        left = max([left, *(e for e in ends if e <= start)])
        right = min([right, *(first for first, _ in figures if first >= end)])
        words = _WORD.findall(f"{self.folded[left:start]} {self.folded[end:right]}")
        if not words:
            sentence = max(self.layout.sentence_of(start)[0], start - WIDEST)
            words = _WORD.findall(self.folded[max([sentence, *ends]) : start])
        return tuple(words)

    def piece(self, start: int, end: int) -> tuple[str, ...]:
        """All words of a span's piece."""
        left, right = self.layout.piece_of(start, end)
        return tuple(_WORD.findall(f"{self.folded[left:start]} {self.folded[end:right]}"))

    def leaves_open(self, start: int, end: int, other: int, last: int) -> bool:
        """Whether nothing but "or" stands between two spans."""
        gap = self.text[end:other] if other >= end else self.text[last:start]
        return _OR[self.language].fullmatch(gap) is not None

    def _commit(self) -> list[Commitment]:
        produced = []
        starts = [*(start for start, _ in self._spans[1:]), len(self.text)]
        ends = [0, *(end for _, end in self._spans)]
        for group, (start, end), floor, ceiling in zip(
            self.groups, self._spans, ends, starts, strict=False
        ):
            stance, cue = stance_of(self.layout, start, end, floor, ceiling)
            clause = self.layout.clauses[self.layout.clause_number(start)]
            chosen = "chooses" if stance == "quoted" else "adopts"
            adopted = pattern(chosen).search(self.text, max(clause.start, floor), start) is not None
            subject = self.subject(start, end)
            readings = tuple(group)
            produced.append(
                Commitment(subject, group[0], stance, cue, readings, adopted, start, end)
            )
        return _withdraw_corrected(self, _open(self, produced))


def read_text(text: str) -> Reading:
    """The text, read once."""
    return Reading(text)


def _group(values: list[Value]) -> list[list[Value]]:
    """Readings of the same characters together."""
    groups: list[list[Value]] = []
    end = -1
    for value in values:
        if groups and value.start < end:
            groups[-1].append(value)
        else:
            groups.append([value])
        end = max(end, value.end)
    return groups


def _open(reading: Reading, produced: list[Commitment]) -> list[Commitment]:
    """Alternatives and ranges marked, where two comparable values stand side by side."""
    moments = _moments(reading.text, produced)
    for first, second in pairwise(moments):
        pairs = [(a, b) for a in first for b in second if _may_replace(produced[a], produced[b])]
        gap = reading.text[produced[first[-1]].end : produced[second[0]].start]
        if pairs and (stance := _link(reading, produced[first[0]], produced[second[-1]], gap)):
            for number in {*first, *second} if len(first) + len(second) > 2 else {*pairs[0]}:
                produced[number] = produced[number]._replace(stance=stance, cue=gap.strip())
    return produced


def _moments(text: str, produced: list[Commitment]) -> list[list[int]]:
    """Numbers of commitments; a day and a time that stand together are one."""
    found: list[list[int]] = []
    for number, each in enumerate(produced):
        before = produced[number - 1] if number else None
        together = before and {before.value.kind, each.value.kind} == {"date", "time"}
        if together and before and _TOGETHER.fullmatch(text[before.end : each.start]):
            found[-1].append(number)
        else:
            found.append([number])
    return found


def _may_replace(a: Commitment, b: Commitment) -> bool:
    """Whether the second value could stand for the first and says something else."""
    if not is_comparable(b.value, a.value) or compare(b.value, a.value):
        return False
    return a.value.per == b.value.per and not (a.value.unit is not None and b.value.unit is None)


def _link(reading: Reading, a: Commitment, b: Commitment, gap: str) -> Stance | None:
    """How the words between and around two values join them; None where they do not."""
    text = reading.text
    between = pattern("between").search(text, max(0, a.start - 30), a.start)
    is_open = len(gap) < 120 and pattern("open").search(gap)
    if is_open or _MAYBE.fullmatch(gap):
        return "alternative"
    if _OR[reading.language].fullmatch(gap):
        # "€189 a night, or €206.50 with breakfast" may be no choice.
        return "hedged" if gap.lstrip().startswith(",") else "alternative"
    if (between and (_AND.fullmatch(gap) or _TO.fullmatch(gap))) or (
        _TO.fullmatch(gap) and 1 < _ratio(a, b) < MOST_APART
    ):
        return "range"
    if len(gap) < 60 and pattern("open").search(text, b.end, min(len(text), b.end + 60)):
        return "hedged" if gap.lstrip().startswith(",") else "alternative"
    return None


def _ratio(a: Commitment, b: Commitment) -> float:
    return b.value.number / a.value.number if a.value.number > 0 else 0.0


def _withdraw_corrected(reading: Reading, produced: list[Commitment]) -> list[Commitment]:
    """What a later statement takes back, withdrawn."""
    for found in pattern("corrects").finditer(reading.text):
        later = [c for c in produced if c.start >= found.end() - 1]
        earlier = [n for n, c in enumerate(produced) if c.end <= found.start() + 1]
        sentence = _sentence(reading, found.end() - 1)
        near = [n for n in earlier if sentence - _sentence(reading, produced[n].start) <= REACH]
        rest = reading.text[found.end() : reading.layout.sentence_of(found.end() - 1)[1]]
        reach = 0 if _WORD.search(rest) else 1
        follows = [c for c in later if _sentence(reading, c.start) - sentence <= reach]
        if not near:
            continue
        same = [n for n in near if any(is_comparable(c.value, produced[n].value) for c in follows)]
        last = max((_sentence(reading, produced[n].start) for n in same), default=0)
        same = [n for n in same if _sentence(reading, produced[n].start) == last]
        for number in same or ([] if follows else near[-1:]):
            produced[number] = produced[number]._replace(stance="withdrawn", cue=found[0].strip())
    return produced


def _sentence(reading: Reading, place: int) -> int:
    return reading.layout.clauses[reading.layout.clause_number(place)].sentence
