"""Whether what a call returned was used afterwards: an index and a call in, the evidence out.

A result is used when the model later writes something of it that it could not have had from
elsewhere: a token that this result brought in, with some weight, or several light ones; or when the
turn that got it answers it. "Nobody used it" is only said where nothing else can explain the
silence: a look-up that brought at least `FEWEST` weighty tokens, reasoning that is not hidden, at
least one later turn that says something, and no later call on the same thing.

Worked: a calendar of 40 names and times, none of which recurs in the five turns that follow.
"""

import re
from typing import NamedTuple

from agentdyno.matching.appearances import Appearances
from agentdyno.matching.tokens import weight

FEWEST = 12
"""Weighty tokens that a result must bring before silence about all of them says anything."""
WEIGHTY = 0.5
ENOUGH = 0.6
"""Summed weight of recurring tokens that shows a use."""
MOST = 20_000
_COMMENT = re.compile(
    r"\W*(?:good|great|perfect|excellent|nice|ok(?:ay)?|yes|no|hmm|i see|i can see|it|its|this|that"
    r"|these|those|the|there|here|based|so|since|interesting|unfortunately|your|now|as|looks|all"
    r"|let me|i (?:found|notice|understand|need|will|have|don't|do not)|i'll|found|done|still"
    r"|confirmed|both|we|you|thank|sorry|for|which|that's|however|because|only|none|nothing)\b",
    re.IGNORECASE,
)


class Use(NamedTuple):
    """How a result was used."""

    used: bool | None
    """None when nobody can tell."""
    why: str
    """The token that recurs, or why nothing can be said."""


def use_of(index: Appearances, call: int) -> Use:
    """Whether the result of a call was used."""
    asked = index.calls[call]
    if asked.result is None or asked.error is not None or not asked.executed:
        return Use(None, "nothing came back")
    part = index.parts[asked.result]
    turn = asked.turn
    new = _brought(index, asked.result, turn)
    recurring = [(weight(token), token) for token in new if index.is_said_after(token, turn)]
    strong = max(recurring, default=(0.0, ""))
    if strong[0] >= WEIGHTY or sum(w for w, _ in recurring) >= ENOUGH:
        return Use(True, strong[1])
    if turn + 1 >= len(index.trajectory.turns) or index.hidden_after > turn:
        return Use(None, "what came after is not recorded")
    answer = [p for p in index.parts if p.made == part.enters and p.kind in ("text", "reasoning")]
    if any(p.text.strip() for p in answer):
        return Use(None, "the next turn answers it in words")
    if sum(weight(token) >= WEIGHTY for token in new) < FEWEST:
        return Use(None, "it says too little to be recognised")
    return Use(False, "nothing of it recurs")


def _brought(index: Appearances, place: int, turn: int) -> list[str]:
    """Tokens that this result showed first."""
    return [token for token in list(index.held[place])[:MOST] if index.places[token][0] == place]


def is_comment(text: str) -> bool:
    """Whether a text begins as an answer to what was just seen."""
    return bool(_COMMENT.match(text))
