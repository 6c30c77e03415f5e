"""SQL by its words, never parsed and never run: whether a text may write.

A text that begins as a query, has no word that writes and calls nothing but plain functions reads;
with another function it reads by its looks alone, and its certainty is `named`. Everything else may
write: a word in a string or a comment counts too, so a query may be taken for more than it is, and
a statement that writes never for a query.
"""

import re

from agentdyno.matching.effects.effect import ANYTHING, Effect

LONGEST = 10_000
"""Longer statements are data."""
_SPACE = r"\s*(?:--[^\n]*\n\s*)*\(*\s*"
_QUERY = re.compile(rf"{_SPACE}(?:select|with|values|show|describe|explain)\b", re.IGNORECASE)
_STATEMENT = re.compile(
    rf"{_SPACE}(?:insert|update|delete|create|drop|alter|truncate|merge|replace|pragma|vacuum|begin"
    r"|grant|revoke|set|use|call|copy|upsert)\b",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"\b(?:insert|update|delete|create|drop|alter|truncate|merge|upsert|into|copy|call|exec|execute"
    r"|do|grant|revoke|set|lock|vacuum|pragma|begin|commit|attach|load|install|nextval|setval"
    r"|dblink\w*|pg_\w+|lo_\w+)\b|:=|/\*M?!",
    re.IGNORECASE,
)
_CALLED = re.compile(r"([\w.]+)\s*\(")
_PLAIN = frozenset(
    "and as avg between by case cast coalesce count date distinct exists from having if ifnull in"
    " is join length like lower max min not now nullif on or over round select strftime substr sum"
    " union upper using values when where".split()
)
"""Before a bracket: functions that change nothing, and words of a query."""


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as SQL does."""
    start = text[:400]
    return bool(_QUERY.match(start) or _STATEMENT.match(start)) and " " in text.strip()


def effect_of_sql(text: str) -> Effect:
    """What the statements of a text may change."""
    if len(text) > LONGEST or not (_QUERY.match(text) or _STATEMENT.match(text)):
        return Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), "no SQL that is known")
    if word := _STATEMENT.match(text) or _WRITING.search(text):
        why = f"the word {word[0].split()[-1].lstrip('(')}"
        return Effect("writes", "parsed", reads=(ANYTHING,), writes=(ANYTHING,), why=why)
    others = sorted({name.lower() for name in _CALLED.findall(text)} - _PLAIN)
    if others:
        return Effect("reads", "named", reads=(ANYTHING,), why=f"function {others[0]}"[:60])
    return Effect("reads", "parsed", reads=(ANYTHING,), why="a query")
