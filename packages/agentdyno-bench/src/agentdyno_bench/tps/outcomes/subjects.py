"""Which goal a place in a text speaks of: places of values in, those that stand for their goal out.

The words around a value are looked at from near to far (its piece of the clause, its sentence, its
line, the heading above) until they name a goal. A value that stands under the name of another goal
was stated for that other goal.
"""

import re
from collections.abc import Sequence

from agentdyno.matching.commitments import Answer, Hit, Reading
from agentdyno.matching.values import fold, is_comparable
from agentdyno.matching.values.lexicon import month_named
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import Goal, beside, tokens

_HEADING = re.compile(r"^[^\n]*:[ \t*_]*$|^#[^\n]*$|^\*\*[^\n]*\*\*[ \t]*$", re.MULTILINE)
_GOVERNS = re.compile(r"(?:[:=]|\s[–—-]|\b(?:is|are|was|were))[\s*_“\"'€$£+]*\Z")
_CAPITAL = re.compile(r"\b[A-Z][a-z]\w+")
_OF_NAME = re.compile(r"(?:\(|\b(?:in|for|of|at|from|near)\s)([A-Z][a-z]{2,}(?: [A-Z][a-z]+)*)")
"""Who or what a statement is about."""
MOST_OF_A_GOAL = 0.6
"""Share of the words of a goal's sentence that quote it."""
Span = tuple[int, int]


class Placing:
    """The goals of a text with the places of their values."""

    def __init__(
        self, reading: Reading, goals: Sequence[Goal], hits: Sequence[list[list[Hit]]],
        prompt: str, seen: Seen,
    ) -> None:  # fmt: skip
        self._reading = self.reading = reading
        self.goals = goals
        self._places = [[hit for found in each for hit in found] for each in hits]
        self._tokens: dict[Span, frozenset[str]] = {}
        self._around_of: dict[Span, list[Span]] = {}
        self._headings = [m.span() for m in _HEADING.finditer(reading.layout.text)]
        self.places = [hit for found in self._places for hit in found]
        """Every place of a value."""
        self._text = _without(reading.text, self.places)
        self._known = fold(prompt) + "\n" + seen.folded
        self._called = tokens(" ".join(_CAPITAL.findall(prompt)))

    def place(self, goal: Goal, hits: Sequence[Hit]) -> tuple[list[Hit], tuple[Answer, str]]:
        """The places that stand for the goal; and why not, where there are none."""
        found = list[Hit]()
        why: tuple[Answer, str] = ("no", "")
        for hit in hits:
            other = self._taken_by(goal, hit)
            if foreign := self._foreign(goal, hit):
                why = ("no", f"stated for {foreign}, which nobody asked about")
            elif other is not None:
                why = ("no", f"stated for another goal: {other.slot.field}")
            elif swapped := self._out_of_order(goal, hit):
                why = ("unclear", f"could be for another goal: {swapped.slot.field}")
            else:
                found.append(hit)
        named = [hit for hit in found if self._is_named(goal, hit)]
        return named or found, why

    def places_of(self, goal: Goal) -> list[Hit]:
        """Every place of a goal's value."""
        return self._places[self.goals.index(goal)]

    def is_naming(self, span: Span) -> bool:
        """Whether a span names any goal."""
        return any(self._near(span) & goal.all_tokens for goal in self.goals)

    def _is_named(self, goal: Goal, hit: Hit) -> bool:
        """Whether the sentence of a value names its goal beside every other of its kind."""
        near = self._near(self._reading.layout.sentence_of(hit.start))
        others = [o for o in self.goals if o is not goal and o.slot.kind == goal.slot.kind]
        return bool(others) and all(near & goal.tokens_beside(other) for other in others)

    def _taken_by(self, goal: Goal, hit: Hit) -> Goal | None:
        """The other goal under whose name a value stands."""
        governed = self._is_governed(hit)
        for context in self._contexts(hit):
            near = self._near(context)
            label = self._near((context[0], hit.start)) if governed else near
            named = [other for other in self.goals if _names(near, other, goal)]
            rivals = [
                other
                for other in named
                if could_be_for(goal, other)
                or hit.start in {place.start for place in self.places_of(other)}
                or (governed and _names(label, other, goal))
            ]
            if taken := [other for other in rivals if not near & goal.tokens_beside(other)]:
                return taken[0]
            if named or any(near & goal.tokens_beside(other) for other in self.goals):
                return None
        return None

    def _foreign(self, goal: Goal, hit: Hit) -> str:
        """A name that neither the user nor a result has, in the place of the goal's own."""
        span = self._reading.layout.sentence_of(hit.start)
        own = goal.names & self._called
        if not own or own & self._near(span):
            return ""
        names = [n for n in _OF_NAME.findall(self._text, *span) if not month_named(n)]
        return next((name for name in names if fold(name) not in self._known), "")

    def _is_governed(self, hit: Hit) -> bool:
        """Whether a label or an "is" stands right before a value."""
        begin, _ = self._reading.layout.sentence_of(hit.start)
        return (
            _GOVERNS.search(self._reading.text, max(begin, hit.start - 12), hit.start) is not None
        )

    def listed_with(self, goal: Goal, hit: Hit) -> list[Hit]:
        """Values of other goals of its kind in a value's sentence, where only this one is named."""
        sentence = self._reading.layout.sentence_of(hit.start)
        near, found, excused = self._near(sentence), list[Hit](), {hit.start}
        for place, other in enumerate(self.goals):
            spots = [h for h in self._places[place] if sentence[0] <= h.start < sentence[1]]
            if not spots:
                continue
            named = near & (other.tokens_beside(goal) | (other.field - goal.field))
            alone = _names(near, goal, other) and not named
            if other is not goal and alone:
                found += [spot for spot in spots if self._may_swap(other, goal, spot)]
            elif not alone:
                excused |= {spot.start for spot in spots}
        return [each for each in found if each.start not in excused]

    def _out_of_order(self, goal: Goal, hit: Hit) -> Goal | None:
        """Another goal of the same kind that only the order tells from this one, and it does not:
        "4, 39" where 39 was asked for first."""
        mine = self.goals.index(goal)
        near = self._around(hit)
        for place, other in enumerate(self.goals):
            if place == mine or near & goal.tokens_beside(other):
                continue
            if not self._may_swap(goal, other, hit):
                continue
            spots = [h for h in self._places[place] if h.start != hit.start]
            rest = [h for h in spots if self._is_unnamed(other, goal, h)]
            if rest and all((h.start < hit.start) != (place < mine) for h in rest):
                return other
        return None

    def _may_swap(self, goal: Goal, other: Goal, hit: Hit) -> bool:
        """Whether the value as it is written could be for the other goal."""
        bare = self._reading.text[hit.start : hit.end].strip("+-−., \n")
        number = goal.slot.kind == other.slot.kind == "number" and bare[-1:].isdigit()
        return number or could_be_for(goal, other)

    def _is_unnamed(self, goal: Goal, other: Goal, hit: Hit) -> bool:
        near = self._around(hit)
        return not near & goal.tokens_beside(other) and not near & other.tokens_beside(goal)

    def _around(self, hit: Hit) -> frozenset[str]:
        """Words of a value's sentence, line and heading."""
        return frozenset[str]().union(*map(self._near, self._contexts(hit)))

    def _contexts(self, hit: Hit) -> list[Span]:
        span = hit.start, hit.end
        if span not in self._around_of:
            self._around_of[span] = self._find_contexts(hit)
        return self._around_of[span]

    def _find_contexts(self, hit: Hit) -> list[Span]:
        layout = self._reading.layout
        text, sentence = layout.text, layout.sentence_of(hit.start)
        line = (
            text.rfind("\n", 0, hit.start) + 1,
            (text.find("\n", hit.end) + 1 or len(text) + 1) - 1,
        )
        found = [layout.piece_of(hit.start, hit.end), sentence, line]
        above = [span for span in self._headings if span[1] < line[0]]
        return list(dict.fromkeys((*found, *above[-1:])))

    def _near(self, span: Span) -> frozenset[str]:
        if span not in self._tokens:
            self._tokens[span] = tokens(self._text[slice(*span)])
        return self._tokens[span]


def _without(text: str, hits: Sequence[Hit]) -> str:
    """A text without its values, as long as before: what names a goal is not what it asks for."""
    for hit in hits:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    return text


def _names(near: frozenset[str], other: Goal, goal: Goal) -> bool:
    """Whether words name another goal and not this one."""
    if near.isdisjoint(other.all_tokens):
        return False
    _, names, distinct = beside(other, goal)
    if not near.isdisjoint(names):
        return True
    words = near & distinct
    return len(words) > 1 or (bool(distinct) and len(words) >= MOST_OF_A_GOAL * len(distinct))


def could_be_for(goal: Goal, other: Goal) -> bool:
    """Whether one goal's value could be taken for the other's: same kind, and units that fit."""
    a, b = goal.slot, other.slot
    if a.kind != b.kind:
        return False
    if a.kind == "number":
        return is_comparable(goal.expected[0].values[0], other.expected[0].values[0])
    return a.kind != "entity" or a.field == b.field
