"""Decides if the result of a call was used later: an index and a call in, the evidence out.

A result is used when the model later writes something of it that it could not have had from
elsewhere: a token that this result brought in, with some weight, or several light ones. "Nobody
used it" is only said where nothing else can explain the silence: a look-up that brought at least
`FEWEST` weighty tokens, a next turn that says nothing about it, reasoning that is not hidden, and
no further call of the same tool, for then what it showed may have been ruled out. A failure, or an
empty answer, is used when the next turn takes up what it was about.

Worked: a calendar of 40 names and times, none of which recurs in the five turns that follow.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence, Set
from typing import NamedTuple

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.distinct_tokens import argument_tokens, is_spaced, weight
from agentdyno.matching.failing import is_nothing
from agentdyno.records import ToolCall

FEWEST = 10
"""Telling tokens that a result must bring before silence about all of them says anything."""
INFORMATIVE = 0.4
WEIGHTY = 0.5
ENOUGH = 0.6
"""Summed weight of recurring tokens that shows a use."""
LONGEST = 2_000
"""Characters of an argument whose words are looked for again."""
WORN = 0.3
"""Share of the parts beyond which a word proves nothing."""


LONG = 200
"""Characters of a text that says more than what comes next."""
_COMMENT = re.compile(
    r"\W*(?:good|great|perfect|excellent|nice|ok(?:ay)?|yes|no|hmm|i|it|its|this|that|these|those"
    r"|the|there|here|based|so|since|interesting|unfortunately|your|now|as|looks|all|let me|let's"
    r"|found|done|still|confirmed|both|we|you|thank|sorry|for|which|however|because|only|none"
    r"|nothing|next|first|then|and|but)\b",
    re.IGNORECASE,
)


class Use(NamedTuple):
    """How a result was used."""

    used: bool | None
    """None when nobody can tell."""
    why: str
    """The token that recurs, or why nothing can be said."""


def use_of(index: Appearances, call: int) -> Use:
    """Evidence that the result of a call was used."""
    record = index.calls[call]
    if record.result is None or not record.executed:
        return Use(None, "nothing came back")
    part = index.parts[record.result]
    turn = record.turn
    if index.failed[call] or is_nothing(part.text):
        again = _take_up(index, call)
        return Use(None, "it failed, or found nothing") if again is None else Use(True, again)
    new = index.brought.get(record.result, ())
    recurring = [(weight(token), token) for token in new if index.last_written[token] > turn]
    strong = max(recurring, default=(0.0, ""))
    if strong[0] >= WEIGHTY or sum(w for w, _ in recurring) >= ENOUGH:
        return Use(True, strong[1])
    if strong[0] > 0:
        return Use(None, f"{strong[1]} recurs, which may be chance")
    if turn + 1 >= len(index.trajectory.turns) or index.hidden_after > turn:
        return Use(None, "what came after is not recorded")
    if _is_answered(index, record.result, part.enters):
        return Use(None, "the next turn answers it in words")
    if _goes_on(index, record.tool, turn):
        return Use(None, "the search goes on: it may have been ruled out")
    if not is_spaced(part.text):
        return Use(None, "its words cannot be told apart")
    if (
        sum(weight(token) >= INFORMATIVE for token in _find_first_displayed(index, record.result))
        < FEWEST
    ):
        return Use(None, "it says too little to be recognised")
    return Use(False, "nothing of it recurs")


def _take_up(index: Appearances, call: int) -> str | None:
    """A word in the next turn about a call that failed or returned nothing."""
    record = index.calls[call]
    named = {t for value in index.arguments[call] for t in argument_tokens(value[:LONGEST])}
    rare = max(3, WORN * len(index.parts))
    for part_index in index.parts_of_turns.get(record.turn + 1, ()):
        shared = [t for t in named & index.held[part_index] if weight(t) >= INFORMATIVE]
        if rare_tokens := [t for t in shared if index.count(t) <= rare]:
            return max(rare_tokens, key=lambda token: (weight(token), token))
    return None


def _find_first_displayed(index: Appearances, part_index: int) -> Set[str]:
    """Tokens that this result showed first."""
    return set(index.held[part_index]).difference(*index.held[:part_index])


def _is_answered(index: Appearances, part_index: int, turn: int | None) -> bool:
    """True when the turn after the result comments on it, at length or with a word of it."""
    for reply in index.spoken.get(turn, ()) if turn is not None else ():
        text = index.parts[reply].text
        if len(text) > LONG or _COMMENT.match(text):
            return True
        if any(len(token) > 3 for token in index.held[reply] & index.held[part_index]):
            return True
    return False


def _goes_on(index: Appearances, tool: str, turn: int) -> bool:
    """True when the same tool is called again in the same turn or the next."""
    later = index.tools_of_turns
    same = sum(call.turn == turn and call.tool == tool for call in _calls_nearby(index, turn))
    return same > 1 or tool in later.get(turn + 1, ())


def _calls_nearby(index: Appearances, turn: int) -> Sequence[ToolCall]:
    first = bisect_left(index.calls, turn, key=lambda call: call.turn)
    last = bisect_left(index.calls, turn + 1, key=lambda call: call.turn)
    return index.calls[first:last]
