"""Which goal a place in a text speaks of: places of values in, those that stand for their goal out.

The words around a value are looked at from near to far (its piece of the clause, its sentence, its
line, the heading above) until they name a goal. A value that stands under the name of another goal,
where that goal's own value does not stand, was stated for that other goal.
"""

import re
from collections.abc import Sequence

from agentdyno.matching.commitments import Answer, Hit, Reading
from agentdyno_bench.tps.outcomes.goals import Goal, tokens

_HEADING = re.compile(r"^[^\n]*:[ \t*_]*$|^#[^\n]*$|^\*\*[^\n]*\*\*[ \t]*$", re.MULTILINE)
MOST_OF_A_GOAL = 0.6
"""Share of the words of a goal's sentence that quote it."""
Span = tuple[int, int]


class Placing:
    """The goals of a text with the places of their values."""

    def __init__(
        self, reading: Reading, goals: Sequence[Goal], hits: Sequence[list[list[Hit]]]
    ) -> None:
        self._reading, self._goals = reading, goals
        self._places = [[hit for found in each for hit in found] for each in hits]
        self._tokens: dict[Span, frozenset[str]] = {}
        self._text = _without(reading.text, [hit for found in self._places for hit in found])

    def place(self, goal: Goal, hits: Sequence[Hit]) -> tuple[list[Hit], tuple[Answer, str]]:
        """The places that stand for the goal; and why not, where there are none."""
        found, why = list[Hit](), ("no", "")
        for hit in hits:
            other = self._taken_by(goal, hit)
            if other is not None:
                why = ("no", f"stated for another goal: {other.slot.field}")
            elif swapped := self._out_of_order(goal, hit):
                why = ("unclear", f"could be for another goal: {swapped.slot.field}")
            else:
                found.append(hit)
        return found, why

    def _taken_by(self, goal: Goal, hit: Hit) -> Goal | None:
        """The other goal under whose name a value stands."""
        for context in self._contexts(hit):
            near = self._near(context)
            rivals = [other for other in self._goals if _names(near, other, goal)]
            alone = [other for other in rivals if not self._stands_in(other, context)]
            own = any(near & (goal.tokens - other.tokens) for other in self._goals)
            if alone and not any(near & (goal.tokens - other.tokens) for other in alone):
                return alone[0]
            if own or rivals:
                return None
        return None

    def _out_of_order(self, goal: Goal, hit: Hit) -> Goal | None:
        """Another goal of the same kind that only the order tells from this one, and it does not:
        "4, 39" where 39 was asked for first."""
        mine = self._goals.index(goal)
        sentence = self._reading.layout.sentence_of(hit.start)
        near = self._near(sentence)
        for place, other in enumerate(self._goals):
            if place == mine or not _is_alike(goal, other):
                continue
            if near & (goal.tokens - other.tokens):
                continue
            spots = [h for h in self._places[place] if h.start != hit.start]
            rest = [h for h in spots if self._is_unnamed(other, goal, h)]
            if rest and all((h.start < hit.start) != (place < mine) for h in rest):
                return other
        return None

    def _is_unnamed(self, goal: Goal, other: Goal, hit: Hit) -> bool:
        sentence = self._reading.layout.sentence_of(hit.start)
        return not self._near(sentence) & (goal.tokens ^ other.tokens)

    def _contexts(self, hit: Hit) -> list[Span]:
        layout = self._reading.layout
        text, sentence = layout.text, layout.sentence_of(hit.start)
        line = text.rfind("\n", 0, hit.start) + 1, (text.find("\n", hit.end) + 1 or len(text) + 1) - 1
        found = [layout.piece_of(hit.start, hit.end), sentence, line]
        above = [m.span() for m in _HEADING.finditer(text, 0, line[0])]
        return [*found, *above[-1:]]

    def _near(self, span: Span) -> frozenset[str]:
        if span not in self._tokens:
            self._tokens[span] = tokens(self._text[slice(*span)])
        return self._tokens[span]

    def _stands_in(self, goal: Goal, context: Span) -> bool:
        hits = self._places[self._goals.index(goal)]
        return any(context[0] <= hit.start < context[1] for hit in hits)


def _without(text: str, hits: Sequence[Hit]) -> str:
    """A text without its values, as long as before: what names a goal is not what it asks for."""
    for hit in hits:
        text = text[: hit.start] + " " * (hit.end - hit.start) + text[hit.end :]
    return text


def _names(near: frozenset[str], other: Goal, goal: Goal) -> bool:
    """Whether words name another goal and not this one."""
    surely = near & (other.names - goal.tokens)
    words = near & (other.words - goal.tokens)
    distinct = other.words - goal.tokens
    quoted = bool(distinct) and len(words) >= MOST_OF_A_GOAL * len(distinct)
    return bool(surely) or len(words) > 1 or quoted


def _is_alike(goal: Goal, other: Goal) -> bool:
    """Whether a bare value could be for either goal."""
    if goal.slot.kind != other.slot.kind:
        return False
    return goal.slot.field == other.slot.field or goal.slot.kind == "number"
