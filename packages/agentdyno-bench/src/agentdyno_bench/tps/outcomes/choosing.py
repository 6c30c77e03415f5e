"""Whether a text chooses a value, or only lists it among others that stood beside it in results.

Rivals are values of other rows, stated in the text and asked for by nobody. One that is set apart
("the next is 340", "instead of 402") takes nothing away. Where others stand as equals, the value
is chosen only by a sentence of its own that chooses: "I booked the one at 333.70".
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from agentdyno.matching.commitments import Commitment, Decision, Hit, find_hits
from agentdyno.matching.values import Value, compare, fold, is_comparable, read_values
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import Goal, expect_slot
from agentdyno_bench.tps.outcomes.parallels import Parallels
from agentdyno_bench.tps.outcomes.subjects import Placing
from agentdyno_bench.tps.tasks.values import Slot

_APART = re.compile(
    r"\b(?:next|others?|another|second|third|alternatives?|runner|also|then|after|before|compared|"
    r"comparison|versus|vs|than|instead|elsewhere|while|whereas|rest|not|unlike|"
    r"rather|would|ahead of|followed|remaining|previous\w*|earlier|later|except|excluding|ruled|"
    r"dearer|pricier|worse|against|cheaper|lower|higher|up from|down from|usual\w*|average)\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    r"\b(?:book\w*|reserv\w*|bought|buy|order\w*|chose|choose|chosen|pick\w*|select\w*|cheapest|"
    r"lowest|least|best|highest|top|most|earliest|soonest|first|quickest|fastest|shortest|longest|"
    r"recommend\w*|went with|go(?:ing)? with|decid\w+|winner|wins|final\w*|answer|confirmed|it is|"
    r"it's|so|therefore|hence|result|newest|latest)\b",
    re.IGNORECASE,
)
_COMMA = re.compile(r"[”\"'*]*\s?(?:[,;/&+→–—-]|->|,?\s?\b(?:and|or)\b)\s?[“\"'*]*")
_ENDS = re.compile(r"\s*(?:[,;.)/+→–—\n-]|\Z|\b(?:and|or)\b)")
_CLOCK = re.compile(r"T\d\d:\d\d\Z")
_CALLED = re.compile(r"\b[A-Z][\w'’-]{2,}|\b[A-Z]{1,3}\d+[\w-]*")
_SCALE = re.compile(r"(?:\b(?:of|out of|from|until|to)|/)\s*\Z")
_NOT_MEANT = frozenset({"denied", "withdrawn", "past"})
ALIKE = 2.0
"""Ratio up to which two figures could be meant for one another."""
Span = tuple[int, int]


class Choice:
    """What a text states besides the values of its goals."""

    def __init__(self, source: str, placing: Placing, prompt: str, seen: Seen) -> None:
        self._reading, self._placing, self._seen = placing.reading, placing, seen
        self._goals = placing.goals
        self._parallels = Parallels(source, placing)
        self._request, self._prompt = prompt, fold(prompt)
        self._unasked = [c for c in placing.reading.commitments if not self._is_place(c)]

    def decide(self, goal: Goal, hits: Sequence[Hit]) -> Decision:
        """Whether one of the places is a choice."""
        last = hits[-1]
        rivals = [*self._rivals(goal, hits), *_spans(self._listed(goal, hits))]
        equals = [span for span in rivals if not self._is_apart(span, [*rivals, *_spans(hits)])]
        if equals and not any(self._is_chosen(hit, equals) for hit in hits):
            words = self._reading.text[slice(*equals[0])].strip()
            return Decision("no", f"lists it beside {words} and does not choose", *equals[0])
        if all(self._parallels.is_heap(hit) for hit in hits):
            return Decision("no", "heaps values up and says of none what it is", *hits[-1][:2])
        others = self._parallels.find(goal, hits)
        if other := next((span for span in others if not self._is_apart(span, [span])), None):
            words = self._reading.text[slice(*other)].strip()
            return Decision("no", f"puts {words} in its place as well", *other)
        return Decision("yes", "states it", last.start, last.end)

    def _listed(self, goal: Goal, hits: Sequence[Hit]) -> list[Hit]:
        """Values of other goals that every place of the value lists under this goal's name."""
        listed = [self._placing.listed_with(goal, hit) for hit in hits]
        return [each for found in listed for each in found] if all(listed) else []

    def _rivals(self, goal: Goal, hits: Sequence[Hit]) -> Iterator[Span]:
        """Where values of other rows are asserted, or any value in a bare list with this one."""
        for each in self._unasked:
            if self._is_in_list(goal, each, hits) or self._is_stray(goal, each, hits):
                yield each.start, each.end
        asked = [each.slot.value for each in self._goals]
        for value in self._seen.rivals(goal.slot.value):
            if value in asked or not self._may_stand(goal, value):
                continue
            slot = Slot(goal.slot.kind, value, goal.slot.unit, goal.slot.field)
            for expected in expect_slot(slot):
                for hit in find_hits(self._reading, expected, expected.values[-1]):
                    exact = hit.close == "exact" and hit.stance in ("asserted", "alternative")
                    if (
                        exact
                        and not self._is_place(hit)
                        and (
                            self._is_beside(hit, hits)
                            or not self._is_explained(goal, value, hit, hits)
                        )
                    ):
                        yield hit.start, hit.end

    def _is_made(self, value: Any) -> bool:
        """Whether the agent booked it; of a moment, whether a booking has its time."""
        if value in self._seen.made:
            return True
        clock = _CLOCK.search(str(value))
        return clock is not None and any(str(v).endswith(clock[0]) for v in self._seen.made)

    def _may_stand(self, goal: Goal, value: Any) -> bool:
        """Whether it is worth while to look for a value."""
        if goal.slot.kind in ("number", "date", "moment"):
            return bool(self._unasked)
        return goal.slot.kind != "entity" or fold(str(value)) in self._reading.folded

    def _is_place(self, found: Hit | Commitment) -> bool:
        """Whether a value that is asked for stands there."""
        return any(h.start < found.end and found.start < h.end for h in self._placing.places)

    def _is_in_list(self, goal: Goal, each: Commitment, hits: Sequence[Hit]) -> bool:
        value = goal.expected[0].values[-1]
        if each.stance != "asserted" or not is_comparable(each.value, value):
            return False
        alike = each.value.dimension in (None, value.dimension)
        ends = _ENDS.match(self._reading.text, each.end)
        return alike and bool(ends) and self._is_beside(each, hits)

    def _is_stray(self, goal: Goal, each: Commitment, hits: Sequence[Hit]) -> bool:
        """Whether another value of about the size stands in the value's sentence, from nowhere."""
        value = goal.expected[0].values[-1]
        same = value.dimension == each.value.dimension and value.per == each.value.per
        if not same or not is_comparable(each.value, value):
            return False
        if value.number and not 1 / ALIKE < each.value.number / value.number < ALIKE:
            return False
        if all(self._sentence(hit) != self._sentence((each.start, each.end)) for hit in hits):
            return False
        if each.stance in _NOT_MEANT or _SCALE.search(self._reading.text[: each.start]):
            return False
        known = [*self._known(), *self._seen_values(goal)]
        return not any(compare(s, v) == "exact" for s in each.readings for v in known)

    def _seen_values(self, goal: Goal) -> Iterator[Value]:
        """What stood elsewhere in results than the value."""
        for values in self._seen.places.values():
            if goal.slot.value not in values:
                yield from (v for found in values for v in _values_of(found))

    def _is_beside(self, found: Hit | Commitment, hits: Sequence[Hit]) -> bool:
        """Whether only a comma or an "and" stands between a rival and a value."""
        text, mine = self._reading.text, (found.start, found.end)
        gaps = [sorted((mine, span)) for span in _spans(hits)]
        return any(_COMMA.fullmatch(text[a[1] : b[0]]) for a, b in gaps if a[1] <= b[0] < a[1] + 12)

    def _is_explained(self, goal: Goal, value: Any, rival: Hit, hits: Sequence[Hit]) -> bool:
        """Whether the user named a rival, the agent booked it, or it is, in another sentence, the
        value of something else as well."""
        if self._is_made(value) or fold(str(value)) in self._prompt:
            return True
        if any(self._sentence(hit) == self._sentence(rival) for hit in hits):
            return False
        each = next((c for c in self._reading.commitments if c.start == rival.start), None)
        readings = [s for s in each.readings if s.sure] if each else []
        if any(compare(s, v) == "exact" for s in readings for v in self._known()):
            return True
        end = str(value)[-5:] if goal.slot.kind == "moment" else str(value)
        elsewhere = (vs for vs in self._seen.places.values() if goal.slot.value not in vs)
        return bool(each) and any(str(v).endswith(end) for values in elsewhere for v in values)

    def _known(self) -> Iterator[Value]:
        yield from _given(self._request)
        for goal in self._goals:
            for expected in goal.expected:
                yield from expected.values

    def _is_apart(self, rival: Span, spans: Sequence[Span]) -> bool:
        """Whether words tell that a rival is not the answer."""
        text = self._reading.text
        begin, end = self._sentence(rival)
        floor = max([begin, *(last for _, last in spans if last <= rival[0])])
        ceiling = min([end, *(first for first, _ in spans if first >= rival[1])])
        ceiling = min(ceiling, self._reading.layout.piece_of(*rival)[1])
        if _APART.search(text[floor : rival[0]]) or _APART.search(text[rival[1] : ceiling]):
            return True
        above = text[:begin].rstrip("\n").rpartition("\n")[2] if floor == begin else ""
        return above.rstrip(" *_").endswith(":") and bool(_APART.search(above))

    def _is_chosen(self, hit: Hit, rivals: Sequence[Span]) -> bool:
        """Whether a sentence without rivals chooses the value, or names what it belongs to."""
        text = self._reading.text
        begin, end = self._sentence(hit)
        apart = [self._sentence(rival) for rival in rivals]
        if any(_CHOOSES.search(text[slice(*span)]) for span in apart if span != (begin, end)):
            return False
        if (begin, end) not in apart:
            return bool(_CHOOSES.search(text[begin:end]))
        return self._is_named_later(hit, rivals)

    def _is_named_later(self, hit: Hit, rivals: Sequence[Span]) -> bool:
        piece = self._reading.layout.piece_of
        mine = set(_CALLED.findall(self._reading.text[slice(*piece(hit.start, hit.end))]))
        theirs = {w for r in rivals for w in _CALLED.findall(self._reading.text[slice(*piece(*r))])}
        for begin, end in self._reading.layout.sentences:
            sentence = self._reading.text[begin:end]
            if begin > hit.start and _CHOOSES.search(sentence):
                called = set(_CALLED.findall(sentence))
                if called & (mine - theirs) and not called & (theirs - mine):
                    return True
        return False

    def _sentence(self, place: Hit | Span) -> Span:
        return self._reading.layout.sentence_of(place[0])


@lru_cache(256)
def _given(prompt: str) -> list[Value]:
    """What the user said; asked for again with every text of an attempt."""
    return [value for value in read_values(prompt, "en") if value.sure]


@lru_cache(4096)
def _values_of(found: Any) -> tuple[Value, ...]:
    if isinstance(found, int | float):
        return (Value("number", 0, 0, float(found)),)
    return tuple(read_values(found[:200], "en")) if any(map(str.isdigit, found)) else ()


def _spans(hits: Sequence[Hit]) -> list[Span]:
    return [(hit.start, hit.end) for hit in hits]
