"""Whether a text commits to a slot's value for its goal: a text, its goals and what was seen in,
decisions out. Answers, letters, notes and documents are all read by this.

yes      the text asserts the value, under no other goal's name, and chooses it
no       it does not state the value; it asks, denies, withdraws or leaves it open; it states it
         for another goal; or it lists the value among others of its field without choosing
unclear  the value is hedged or rounded coarsely, or stands in an order that tells nobody which of
         two goals it is for

Where the value stands under its goal's name, the form of the text and the words of its author are
weighed together (`own_words`, `committing`); letters are read by their form alone.

What else the text states costs nothing, unless it recites all that was read: who states everything
chooses nothing. Raw data (`"balance_eur": 4210.55`) is no statement and is not read.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from agentdyno.matching.commitments import (
    Answer,
    Commitment,
    Decision,
    Hit,
    Reading,
    find_hits,
    read_text,
)
from agentdyno.matching.values import compare, fold
from agentdyno_bench.tps.outcomes.choosing import Choice
from agentdyno_bench.tps.outcomes.committing import answer_for, weigh
from agentdyno_bench.tps.outcomes.doubts import Doubts
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import Goal
from agentdyno_bench.tps.outcomes.own_words import OwnWords
from agentdyno_bench.tps.outcomes.subjects import Placing
from agentdyno_bench.tps.tasks.values import BARE

_DATA = re.compile(
    r"""["'][A-Za-z_]{2,40}["']\s*:\s*["']?[^,}\]\n]*|\b[a-z]+_[a-z_]+\b\s*(?:[:=]\s*|\s)\S+"""
)
_OFFSET = re.compile(r"\b(UTC|GMT)\s?([+−-])0?(\d{1,2})(?::00)?\b")
_SLASH = re.compile(r"(?<=[^\W\d_])/(?=[€$£+-]?\d)|(?<=\d)/(?=\d{4}-\d\d-)")
"""Between two values with units: "12 EUR/15 EUR" is no code."""
_QUOTED_NUMBER = re.compile(r"\"(-?\d[\d.,]*)\"")
"""4.17 in quotation marks is no length in inches."""
_ENUMERATED = re.compile(r"^[ \t]*\(\d{1,2}\)[ \t]+", re.MULTILINE)
_NOTHING = {
    "EUR": re.compile(
        r"\bfree\b(?! (?:to (?!enter|visit|get)|if|for you to|seat|room|slot|time))"
        r"|\bno (?:\w+ ){0,2}(?:fee|charge|cost)\b|\bcosts? nothing\b|\bwithout (?:charge|a fee)\b",
        re.IGNORECASE,
    ),
    "min": re.compile(
        r"\b(?:nothing|no (?:events?|meetings?|appointments?|minutes))\b|\b(?:entirely|completely|"
        r"fully|all) free\b|\bfree (?:all|the whole|that whole) day\b",
        re.IGNORECASE,
    ),
}
"""How people state 0 of a unit."""
_NEXT_DAY = re.compile(r"\b(?:next|following) (?:day|morning)|\bday after|\+1\b", re.IGNORECASE)
_PARTS = re.compile(r"[.;:!?()\n]|\b(?:not|instead|rather|than|or)\b", re.IGNORECASE)
"""What parts a day from a time."""
_PROPOSES = re.compile(
    r"\b(?:can|could|shall|may|should) (?:we|you|I)\b|\b(?:how|what) about\b"
    r"|\b(?:does|would|will|is)\b[^?\n]*\b(?:work|suit|okay|ok)\b",
    re.IGNORECASE,
)
"""A question that puts its value forward, as letters do: "Can we talk at 14:00?"."""
_WORD = re.compile(r"\w+")
_IN_NAME = re.compile(r"[A-Z]\w+ [A-Z]")
"""Words such as "Two Left Feet"."""
_NO = frozenset({"denied", "withdrawn", "question", "alternative", "range", "quoted"})
RECITES = ((6, 1, 0.8), (12, 3, 0.6))
"""A text recites when it states more values that nobody asked for than the first figure and the
second for each goal, and more than this share of all that were read."""
_KEY = re.compile(r"^[ \t]*([a-z][a-z0-9_]*):[ \t].*$", re.MULTILINE)
_SPOKEN = re.compile(r"\bThe ([a-z][a-z0-9 ]{1,40}?) is [^\n]*?\.(?=\s|$)")
FEWEST_KEYS = 3
"""Fields that nobody asked for and that are stated by their bare names, from which on they are
data."""


class Form(NamedTuple):
    """What the form of a text says of a value."""

    kind: str
    decision: Decision
    placed: Sequence[Hit] = ()
    """Places that stand for the goal; empty where nothing is left to be weighed."""


class Text:
    """A text, read once for all of its goals."""

    def __init__(
        self, text: str, goals: Sequence[Goal], prompt: str, seen: Seen, is_letter: bool = False
    ) -> None:
        self.goals, self._seen, self._is_letter = goals, seen, is_letter
        prose = _rewrite(_drop_data(text, {goal.slot.field for goal in goals}, seen))
        self.reading: Reading = read_text(prose)
        self._commitments = {each.start: each for each in self.reading.commitments}
        self._hits = [self._find(goal) for goal in goals]
        self._placing = Placing(self.reading, goals, self._hits, prompt, seen)
        self._choice = Choice(prose, self._placing, prompt, seen)
        self._doubts = Doubts(self.reading)
        self._own = OwnWords(self._placing, prompt, seen)

    def decide(self, goal: Goal) -> Decision:
        """Whether the text commits to the goal's value."""
        if self.recites:
            return Decision("no", "recites results instead of answering")
        hits = self._hits[self.goals.index(goal)]
        if any(not found for found in hits):
            return Decision("no", "does not state it")
        if not hits:
            return Decision("unclear", "has no value that could be looked for")
        decisions = [self._decide(goal, found) for found in hits]
        return min(decisions, key=lambda each: ("no", "unclear", "yes").index(each.answer))

    def _decide(self, goal: Goal, hits: list[Hit]) -> Decision:
        form = self._judge(goal, hits)
        if self._is_letter or not form.placed:
            return form.decision
        answer = answer_for(max(weigh(self._features(goal, form, hit)) for hit in form.placed))
        if answer == form.decision.answer or (answer, form.decision.answer) == ("no", "unclear"):
            return form.decision
        why = "states it" if answer == "yes" else "its own words do not commit to it"
        return Decision(answer, why, form.placed[-1].start, form.placed[-1].end)

    def describe(self, goal: Goal) -> dict[str, float] | None:
        """The features by which it is decided; None where form alone decides."""
        hits = self._hits[self.goals.index(goal)]
        if self.recites or len(hits) != 1 or not hits[0]:
            return None
        form = self._judge(goal, hits[0])
        return self._features(goal, form, form.placed[-1]) if form.placed else None

    def _features(self, goal: Goal, form: Form, hit: Hit) -> dict[str, float]:
        found = self._own.describe(goal, hit)
        return {**found, f"form {form.kind}": 1.0, f"form {form.kind}, bare": found["bare"]}

    def _judge(self, goal: Goal, hits: list[Hit]) -> Form:
        """What the form of a text says of a value, and the places that stand for its goal."""
        close = [hit for hit in hits if hit.close != "rough"]
        firm = [hit for hit in close if self._is_firm(goal, hit)]
        last = hits[-1]
        if not close:
            return Form("rough", Decision("unclear", "too coarse", last.start, last.end))
        placed, (answer, why) = self._placing.place(goal, firm or close)
        if not placed:
            return Form("elsewhere", Decision(answer, why, close[-1].start, close[-1].end))
        if not (open_or_denied := self._doubt(firm, last)):
            decision = self._choice.decide(goal, placed)
            kind = decision.reason.partition(" ")[0]
            return Form(kind, decision, [] if kind == "heaps" else placed)
        return Form(*open_or_denied, placed)

    def _doubt(self, firm: Sequence[Hit], last: Hit) -> tuple[str, Decision] | None:
        """Words that speak against a value, by the kind of them."""
        if taken_back := self._doubts.retraction:
            why = f"takes everything back: {taken_back[0]}"
            return "retracts", Decision("no", why, *taken_back.span())
        if not firm:
            answer: Answer = "no" if last.stance in _NO else "unclear"
            why = f"{last.stance}: {last.cue}" if last.cue else self._doubts.find(last)
            kind = last.stance if last.cue else "doubt"
            return kind, Decision(answer, why, last.start, last.end)
        if last.stance in ("denied", "withdrawn") and last.start > firm[-1].start:
            why = f"states it and then: {last.cue}"
            return f"then {last.stance}", Decision("unclear", why, last.start, last.end)
        return None

    def _is_firm(self, goal: Goal, hit: Hit) -> bool:
        if self._doubts.find(hit):
            return False
        if hit.stance == "past" and goal.words & set(_WORD.findall((hit.cue or "").lower())):
            return True  # The goal itself asks about the past.
        if hit.stance == "denied" and hit.cue == "free from":
            each = self._commitments.get(hit.start)
            return each is not None and each.value.kind == "time"
        if hit.stance == "question":
            sentence = self.reading.layout.sentence_of(hit.start)
            return _PROPOSES.search(self.reading.text[slice(*sentence)]) is not None
        return hit.stance == "asserted"

    @cached_property
    def recites(self) -> bool:
        """Whether the text states most of what was read; a confirmation of what the agent did
        itself is no such reading."""
        text, stated = self.reading.folded, set[float]()
        for each in self.reading.commitments:
            stated |= {round(abs(v.number), 4) for v in each.readings if v.kind == "number"}
        asked = {fold(str(goal.slot.value)) for goal in self.goals}
        asked |= {fold(str(value)) for value in self._seen.made}
        numbers = {n for n in self._seen.numbers if str(n).removesuffix(".0") not in asked}
        seen = self._seen.folded.split("\x1f")
        texts = [t for t in seen if t not in asked and 3 < len(t) < 80]
        found = sum(abs(n) in stated for n in numbers) + sum(t in text for t in texts)
        total = len(numbers) + len(texts)
        return any(
            found > least + each * len(self.goals) and found > share * total
            for least, each, share in RECITES
        )

    def _find(self, goal: Goal) -> list[list[Hit]]:
        """For each value of the goal, every place where the text states it."""
        found = []
        for expected in goal.expected:
            *_, value = expected.values
            hits = find_hits(self.reading, expected, value)
            if goal.slot.kind == "moment":
                hits = self._on_its_day(hits, expected.values[0].date)
            elif goal.slot.kind == "number":
                hits = [hit for hit in hits if self._in_unit(hit, goal)] or self._nothing(goal)
            else:
                hits = [hit for hit in hits if hit.close == "exact"]
            found.append(hits)
        return found

    def _in_unit(self, hit: Hit, goal: Goal) -> bool:
        """Whether a number without a dimension is stated without one, and not in a name."""
        stated = self._commitments[hit.start].readings
        if stated[0].spelled and _IN_NAME.match(self.reading.text, hit.start):
            return False
        if goal.slot.unit != BARE:
            return True
        value = goal.expected[0].values[0]
        return any(compare(each, value) and each.unit is None for each in stated)

    def _nothing(self, goal: Goal) -> list[Hit]:
        form = _NOTHING.get(goal.slot.unit or "") if goal.slot.value == 0 else None
        places = [m.span() for m in form.finditer(self.reading.text)] if form else []
        return [Hit(*place, *self.reading.stance(*place), "exact") for place in places]

    def _on_its_day(
        self, hits: list[Hit], day: tuple[int | None, int | None, int | None]
    ) -> list[Hit]:
        """Times whose sentence names their day, or no other; with the day that stands beside."""
        found = []
        dates = [each for each in self.reading.commitments if each.value.kind == "date"]
        for hit in hits:
            begin, end = self.reading.layout.sentence_of(hit.start)
            named = [each.value.date for each in dates if begin <= each.start < end]
            sentence = self.reading.text[begin:end]
            if (
                not named
                or any(date[1:] == day[1:] for date in named)
                or _NEXT_DAY.search(sentence)
            ):
                beside = [
                    d for d in dates if self._are_together(d, hit) and d.value.date[1:] == day[1:]
                ]
                doubted = [d for d in beside if d.stance != "asserted"]
                if doubted and hit.stance == "asserted":  # "not on 4 May at 16:15"
                    hit = hit._replace(stance=doubted[0].stance, cue=doubted[0].cue)
                near = min(
                    beside, key=lambda d: max(hit.start - d.end, d.start - hit.end), default=hit
                )
                span = min(hit.start, near.start), max(hit.end, near.end)
                found.append(hit._replace(start=span[0], end=span[1]))
        return found

    def _are_together(self, day: Commitment, hit: Hit) -> bool:
        """Whether a day and a time stand side by side."""
        (_, end), (start, _) = sorted(((day.start, day.end), (hit.start, hit.end)))
        return 0 <= start - end < 20 and not _PARTS.search(self.reading.text[end:start])


def _drop_data(text: str, asked: set[str], seen: Seen) -> str:
    """A text without what it copies field by field, in lines or in sentences."""
    for form in (_KEY, _SPOKEN):
        if form is _SPOKEN and "The " not in text:
            continue
        keys = {key.replace(" ", "_") for key in form.findall(text)} & seen.names - asked
        if len(keys) >= 3 * max(FEWEST_KEYS, len(asked)):
            return ""  # Whole results: sentences within them are recited too.
        if len(keys) >= max(FEWEST_KEYS, len(asked)):
            text = form.sub("", text)
    return _DATA.sub(" ", text) if re.search("[_\"']", text) else text


def _rewrite(text: str) -> str:
    """A text in signs that the reader of values knows; each is looked for before it is replaced,
    which is faster."""
    if "UTC" in text or "GMT" in text:
        text = _OFFSET.sub(r"\1 \2\3 hours", text)
    if "/" in text:
        text = _SLASH.sub(" or ", text)
    if "(" in text:
        text = _ENUMERATED.sub("", text)
    return _QUOTED_NUMBER.sub(r" \1 ", text) if '"' in text else text
