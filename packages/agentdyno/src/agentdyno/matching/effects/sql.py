"""SQL, parsed and never run: statements in, tables read and written out.

sqlglot reads the statements; what it cannot read is judged by nothing, so it may write. A query
writes too when a function in it does (`SELECT nextval('s')`); one with a function that nobody knows
reads by its looks alone, and its certainty is `named`.
"""

import logging
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agentdyno.matching.effects.effect import ANYTHING, Certainty, Effect
from agentdyno.matching.effects.sql_functions import (
    PURE_FUNCTIONS,
    WRITING_FUNCTIONS,
    does_pragma_read,
)

if TYPE_CHECKING:
    from sqlglot import exp

LONGEST = 10_000
"""Longer statements are data."""
DEEPEST = 60
"""Open brackets within each other; the parser is recursive."""
_START = re.compile(
    r"\s*(?:--[^\n]*\n\s*)*\(*\s*(?:select|insert|update|delete|create|drop|alter|truncate|with|merge"
    r"|replace|show|describe|explain|pragma|vacuum|begin|grant|revoke|set|use|call|copy|upsert)\b",
    re.IGNORECASE,
)
_READING = ("Select", "Union", "Except", "Intersect", "Show", "Describe", "Subquery", "Table",
            "Values")  # fmt: skip
_WRITING = ("Insert", "Update", "Delete", "Create", "Drop", "Alter", "AlterTable", "TruncateTable",
            "Merge", "Into", "Command", "Copy", "Lock", "PropertyEQ", "NextValueFor")  # fmt: skip
"""Also rows that are locked, and variables of the session that are set in passing."""
_ONE = r"[^;]*;?\s*\Z"
_EXPLAIN = re.compile(rf"\s*explain\b(?!.*\banaly[sz]e\b){_ONE}", re.IGNORECASE | re.DOTALL)
_ANALYSED = re.compile(
    r"\s*explain\s+(?:\([^)]*\)|(?:analy[sz]e|verbose)\b|\s)+(?=[a-z(])", re.IGNORECASE
)
_SHOW = re.compile(rf"\s*show\s+\w{_ONE}", re.IGNORECASE)
_EXECUTED_COMMENT = re.compile(r"/\*M?!")


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as SQL does."""
    return bool(_START.match(text[:400])) and " " in text.strip()


@lru_cache(maxsize=1024)
def effect_of_sql(text: str) -> Effect:
    """What the statements of a text read and change."""
    unknown = Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), "SQL that cannot be parsed")
    if len(text) > LONGEST or _depth(text) > DEEPEST or _EXECUTED_COMMENT.search(text):
        return unknown
    if _EXPLAIN.match(text):
        return Effect("reads", "parsed", reads=(ANYTHING,), why="EXPLAIN")
    if _SHOW.match(text):
        return Effect("reads", "parsed", reads=(ANYTHING,), why="SHOW")
    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # Its warnings print text of the trace.
    try:
        # EXPLAIN ANALYZE runs what it explains.
        statements = [s for s in sqlglot.parse(_ANALYSED.sub("", text, count=1)) if s is not None]
    except (sqlglot.errors.SqlglotError, RecursionError, ValueError):
        return unknown
    return _effect(statements, text) if statements else unknown


def _effect(statements: list[Any], text: str) -> Effect:
    from sqlglot import exp

    tables, written = set(), set()
    certainty: Certainty = "parsed"
    why = type(statements[0]).__name__
    for statement in statements:
        is_pragma = type(statement).__name__ == "Pragma"
        functions = set() if is_pragma else set(_find_unlisted_functions(statement))
        if changing := _does_write(statement, text, functions):
            target = statement.args.get("this")
            place = target if isinstance(target, exp.Expression) else statement
            found = place.find(exp.Table)
            written.add(found.name if found is not None else ANYTHING)
            why = why if changing is True else changing
        elif unknown := sorted(functions - PURE_FUNCTIONS):
            certainty, why = "named", f"function {unknown[0]}"[:60]
        tables |= {table.name for table in statement.find_all(exp.Table) if table.name}
    if not written:
        return Effect("reads", certainty, reads=tuple(sorted(tables)), why=why)
    return Effect(
        "writes", "parsed", reads=tuple(sorted(tables)), writes=tuple(sorted(written)), why=why
    )


def _does_write(statement: "exp.Expression", text: str, functions: set[str]) -> bool | str:
    """Whether a statement changes something; the function that does."""
    name = type(statement).__name__
    if name == "Pragma":
        return "Pragma" if ";" in text.rstrip("; \n\t") or not does_pragma_read(text) else False
    kinds = {type(node).__name__ for node in statement.walk()}
    if kinds & set(_WRITING) or name not in _READING:
        return True
    return next((f for f in sorted(functions) if _own_name(f) in WRITING_FUNCTIONS), False)


_SYSTEM = frozenset(["pg_catalog", "sys", "information_schema"])


def _find_unlisted_functions(statement: "exp.Expression") -> Iterator[str]:
    """Functions that the parser does not know, or that stand in a schema of a user's own."""
    from sqlglot import exp

    for call in statement.find_all(exp.Func):
        name = str(call.name if isinstance(call, exp.Anonymous) else call.key).lower()
        schema = str(call.parent.this).lower() if isinstance(call.parent, exp.Dot) else ""
        if schema and schema not in _SYSTEM:
            yield f"{schema}.{name}"
        elif isinstance(call, exp.Anonymous):
            yield name


def _own_name(function: str) -> str:
    return function.rpartition(".")[2]


def _depth(text: str) -> int:
    deepest = depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    return deepest
