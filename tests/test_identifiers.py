"""Names in the code use the field's words: those of the project's own old dialect stay out.

A name that is stored in files people have keeps its word; such names are listed here, and the list
only gets shorter.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

BANNED = {
    "told", "said", "shown", "wanted", "made", "stranger", "strangers", "door", "doors", "settle",
    "settled", "settling", "cared", "mending", "mend", "mended", "aside", "parcel", "parcels",
    "lacking", "inquiry", "glance", "tell", "telling", "lesson", "lessons", "drill", "drills",
    "wish", "wishes", "asks", "player", "seat", "seats", "hands", "dealing",
}  # fmt: skip
LEFT = {
    "_seats", "asks", "choose_seat", "connection_made", "drills", "find_settling_depths", "lesson",
    "lessons", "made", "made_by", "seat", "seat_map", "seat_seconds", "seats", "settled",
    "settling_depth", "write_lessons",
}  # fmt: skip
"""Stored fields, options, the worlds' own words (a seat of a plane), asyncio's, and the paper's
settling depth."""
VAGUE = {
    "apart", "asked", "chosen", "done", "each", "found", "given", "held", "here", "kept", "known",
    "left", "made", "mine", "one", "others", "own", "place", "rest", "said", "stated", "taken",
    "theirs", "there", "told", "took", "way", "ways", "whole",
}  # fmt: skip
"""Words that say how a value came about and not what it is."""
MOST_VAGUE = 12
"""Of 1,000 names that are bound; other codebases of this field have 0 to 2."""
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@cache
def names_by_file() -> dict[Path, set[str]]:
    files = (ROOT / "packages").glob("*/src/**/*.py")
    return {file: set(names_in(file)) for file in files}


def names_in(file: Path) -> Iterator[str]:
    yield file.parent.name if file.name == "__init__.py" else file.stem
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


def test_names_use_the_fields_words() -> None:
    banned = {
        f"{name} ({file.name})"
        for file, names in names_by_file().items()
        for name in names
        if {word.lower() for word in _WORDS.findall(name)} & BANNED and name not in LEFT
    }
    assert not banned, "see the glossary in CONTRIBUTING.md for what to write instead"


def test_the_list_of_names_that_are_left_has_nothing_that_is_gone() -> None:
    assert set().union(*names_by_file().values()) >= LEFT


def test_few_names_say_how_a_value_came_about() -> None:
    bound = [name for file in names_by_file() for name in bound_in(file)]
    vague = [name for name in bound if name in VAGUE]
    assert len(vague) <= MOST_VAGUE * len(bound) / 1000


def bound_in(file: Path) -> Iterator[str]:
    """Every parameter and every place where a name is assigned."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (argument.arg for argument in (*node.args.args, *node.args.kwonlyargs))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
