"""How a text stands to a span of it, and what is decided by that: the cues around the span, each
with its scope.

A cue before the span reaches it when no other value stands between them; a cue behind it reaches
back from its own clause, or from the next one when that one points back ("which", "but that").

The cues are data (`cues.toml`), so that a script can leave out one after the other and count.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from agentdyno.matching.commitments.clauses import Layout
from agentdyno.matching.commitments.cues import cues, pattern

Stance = Literal[
    "asserted",
    "denied",
    "hedged",
    "alternative",
    "range",
    "question",
    "quoted",
    "past",
    "withdrawn",
]
"""`quoted`: somebody else's word, or a guess before looking; `past`: of another time."""
STANDS: frozenset[Stance] = frozenset({"asserted", "past"})
Answer = Literal["yes", "no", "unclear"]

LONGEST_LABEL = 25
"""Characters of what may stand before a colon and speak of the value behind it."""


class Decision(NamedTuple):
    """The answer to one question to a text."""

    answer: Answer
    reason: str
    """Why, in a sentence."""
    start: int = 0
    """Where in the text that stands which decided."""
    end: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """Both ends; equal where nothing in the text decided."""
        return self.start, self.end


class Cue(NamedTuple):
    """Words that tell a stance."""

    name: str
    stance: Stance
    where: Literal["before", "after", "sentence"]
    pattern: re.Pattern[str]


CUES: tuple[Cue, ...] = tuple(
    Cue(each["name"], each["stance"], each["where"], re.compile(each["pattern"], re.IGNORECASE))
    for each in cues()["cue"]
)
"""In the order in which they are asked; the first that holds counts."""


def stance_of(layout: Layout, start: int, end: int, floor: int, ceiling: int) -> tuple[Stance, str]:
    """The stance to a span, and the words that tell it; `floor` and `ceiling` are the ends of the
    values before and behind it."""
    text = layout.text
    if any(first <= start and end <= last for first, last in layout.struck):
        return "withdrawn", "struck out"
    number = layout.clause_number(start)
    clause = layout.clauses[number]
    label = layout.clauses[number - 1] if number else clause
    is_label = text[label.end : label.end + 1] == ":" and label.end - label.start < LONGEST_LABEL
    before = text[max(label.start if is_label else clause.start, floor, start - 120) : start]
    after = text[end : min(clause.end, ceiling if ceiling > end else clause.end)]
    behind = _behind(layout, number, end, ceiling)
    granted = pattern("grants").match(text, clause.start) is not None
    stance, words = _find_cue(before, after, behind, granted)
    if stance in ("asserted", "hedged") and _is_asked(layout, start, end):
        return "question", "?"
    return stance, words


@lru_cache(4096)
def _find_cue(before: str, after: str, behind: str, granted: bool) -> tuple[Stance, str]:
    """What the first cue around a value tells; answers to one task have many words in common."""
    nothing_behind = not after and not behind
    for cue in CUES:
        if cue.where == "after" and (nothing_behind or (granted and cue.stance == "denied")):
            continue
        found = cue.pattern.search(before if cue.where == "before" else after)
        if not found and cue.where == "after" and behind and cue.stance != "quoted":
            found = cue.pattern.search(behind)
        if found:
            return cue.stance, found[0].strip()[:80]
    return "asserted", ""


def _behind(layout: Layout, number: int, end: int, ceiling: int) -> str:
    """What the next clause says of a value that stands last in its own, where it points back."""
    clause = layout.clauses[number]
    if ceiling <= clause.end or number + 1 >= len(layout.clauses):
        return ""
    following = layout.clauses[number + 1]
    if following.sentence > clause.sentence + 1:
        return ""
    text = layout.text[following.start : min(following.end, max(following.start, ceiling))]
    return text if pattern("points_back").match(text) else ""


def _is_asked(layout: Layout, start: int, end: int) -> bool:
    """Whether the sentence asks; an answer may stand before a question behind a dash."""
    first, last = layout.sentence_of(start)
    sentence = layout.text[first:last].rstrip("\"'”’)] \n")
    if not sentence.endswith(("?", "？")):
        return False
    clause = layout.clauses[layout.clause_number(start)]
    return clause.end >= last - 2 or not re.search(r"[:;—–]", layout.text[end:last])
