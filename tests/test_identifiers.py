"""Names in the code use the field's words: those of the project's own old dialect stay out.

A name that is stored in files people have keeps its word; such names are listed here, and the list
only gets shorter.
"""

import ast
import re
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
def read_names() -> tuple[dict[Path, set[str]], list[str]]:
    """The names of each file, and every parameter and every place where a name is assigned."""
    by_file, bound = {}, []
    for file in (ROOT / "packages").glob("*/src/**/*.py"):
        defined, assigned = names_in(ast.parse(file.read_text()))
        module = file.parent.name if file.name == "__init__.py" else file.stem
        by_file[file] = {module, *defined, *assigned}
        bound += assigned
    return by_file, bound


def names_in(tree: ast.AST) -> tuple[list[str], list[str]]:
    """Of functions, classes and other parameters; of parameters by place or keyword and what is
    assigned."""
    defined, assigned = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.append(node.name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assigned += [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.append(node.id)
        elif isinstance(node, ast.arg):
            defined.append(node.arg)
    return defined, assigned


def test_names_use_the_fields_words() -> None:
    banned = {
        f"{name} ({file.name})"
        for file, names in read_names()[0].items()
        for name in names
        if {word.lower() for word in _WORDS.findall(name)} & BANNED and name not in LEFT
    }
    assert not banned, "see the glossary in CONTRIBUTING.md for what to write instead"


def test_the_list_of_names_that_are_left_has_nothing_that_is_gone() -> None:
    assert set().union(*read_names()[0].values()) >= LEFT


def test_few_names_say_how_a_value_came_about() -> None:
    _, bound = read_names()
    vague = [name for name in bound if name in VAGUE]
    assert len(vague) <= MOST_VAGUE * len(bound) / 1000
