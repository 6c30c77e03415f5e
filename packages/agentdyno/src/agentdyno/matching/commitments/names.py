"""How a text stands to a name: left open beside another one, or taken back by what follows.

Names cannot be listed from a text like figures, so another one is known by its capital letter, its
quotes or its digits, where "or", "between" or a word such as "alternatively" points to it.
"""

import re

from agentdyno.matching.commitments.clauses import Layout
from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.stance import Stance

REACH = 80
"""Characters around a name in which another one stands against it."""
_HOW = r"(?:(?:the|maybe|perhaps|possibly|else|even|it could be|it might be)\s+){0,3}"
_OR_NAME = re.compile(
    rf"[^\w.!?\n]{{0,3}}(?:\s*(?-i:or),?\s+|\s*/\s*|[,;]?\s+(?:maybe|perhaps|possibly)\s+)"
    rf"{_HOW}(?-i:[“\"'+A-Z0-9])"
)
_NAME_OR = re.compile(
    r"(?:[A-Z+“\"'][\w”\"'. -]{0,40}?|\d)[^\w.!?\n]{0,3}(?:\s+or,?\s+|\s*/\s*"
    rf"|[,;]?\s+(?:maybe|perhaps|possibly)\s+){_HOW}[“\"']?\Z"
)
_EITHER = re.compile(r"\b(?:either|one of|any of)\b[^.!?\n]{0,60}\Z", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\b[^.!?\n]{0,60}\Z", re.IGNORECASE)


def name_stance(layout: Layout, start: int, end: int) -> tuple[Stance, str] | None:
    """`alternative` or `withdrawn`, with the words that tell it; None for a name that stands."""
    text = layout.text
    before, after = text[max(0, start - REACH) : start], text[end : end + REACH]
    before, after = before.rpartition("\n")[2], after.partition("\n")[0]
    if found := _OR_NAME.match(after) or pattern("open").search(after):
        return "alternative", found[0].strip()
    if found := _NAME_OR.search(before) or pattern("open").search(before):
        return "alternative", found[0].strip()
    if _EITHER.search(before) and re.search(r"\bor\b", before + after):
        return "alternative", "either"
    if _BETWEEN.search(before) and re.search(r"\band\b", before + after):
        return "alternative", "between"
    return _withdraw_corrected(layout, end)


def _withdraw_corrected(layout: Layout, end: int) -> tuple[Stance, str] | None:
    """Whether words behind a name, in its sentence or right after, take something back."""
    _, last = layout.sentence_of(end - 1)
    found = pattern("corrects").search(layout.text, end, min(len(layout.text), last + REACH))
    if not found or "\n" in layout.text[end : found.start()].strip():
        return None
    return "withdrawn", found[0].strip()
