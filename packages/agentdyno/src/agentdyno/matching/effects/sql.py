"""SQL, parsed and never run: statements in, tables read and written out.

sqlglot reads the statements; what it cannot read is judged by nothing, so it may write.
"""

import re
from functools import lru_cache

from agentdyno.matching.effects.effect import ANYTHING, Effect

LONGEST = 10_000
"""Longer statements are data."""
DEEPEST = 60
"""Open brackets within each other; the parser is recursive."""
_START = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*\(*\s*(?:select|insert|update|delete|create|drop|alter|truncate|with|merge"
    r"|replace|show|describe|explain|pragma|vacuum|begin|grant|revoke|set|use|call|copy|upsert)\b",
    re.IGNORECASE,
)
_READING = ("Select", "Union", "Except", "Intersect", "Show", "Describe", "Pragma", "Use", "Set",
            "Subquery", "Table", "Values")  # fmt: skip
_WRITING = ("Insert", "Update", "Delete", "Create", "Drop", "Alter", "AlterTable", "TruncateTable",
            "Merge", "Into", "Command", "Copy")  # fmt: skip
_EXPLAIN = re.compile(r"\s*explain\b(?!\s+analy)", re.IGNORECASE)


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as SQL does."""
    return bool(_START.match(text[:400])) and " " in text.strip()


@lru_cache(maxsize=1024)
def effect_of_sql(text: str) -> Effect:
    """What the statements of a text read and change."""
    unknown = Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), "SQL that cannot be parsed")
    if len(text) > LONGEST or _depth(text) > DEEPEST:
        return unknown
    if _EXPLAIN.match(text):
        return Effect("reads", "parsed", reads=(ANYTHING,), why="EXPLAIN")
    import sqlglot
    from sqlglot import exp

    try:
        statements = [s for s in sqlglot.parse(text) if s is not None]
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
        return unknown
    if not statements:
        return unknown
    tables, written = set(), set()
    action = "reads"
    for statement in statements:
        kinds = {type(node).__name__ for node in statement.walk()}
        if kinds & set(_WRITING) or type(statement).__name__ not in _READING:
            action = "writes"
            target = statement.args.get("this")
            place = target if isinstance(target, exp.Expression) else statement
            found = place.find(exp.Table)
            written.add(found.name if found is not None else ANYTHING)
        tables |= {table.name for table in statement.find_all(exp.Table) if table.name}
    why = type(statements[0]).__name__
    if action == "reads":
        return Effect("reads", "parsed", reads=tuple(sorted(tables)), why=why)
    return Effect(
        "writes", "parsed", reads=tuple(sorted(tables)), writes=tuple(sorted(written)), why=why
    )


def _depth(text: str) -> int:
    deepest = depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest
