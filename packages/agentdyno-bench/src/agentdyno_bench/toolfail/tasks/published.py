"""The published repository of ToolFailBench, read as data: a folder in, its field names out.

The published rule calls an answer fabricated where it has two of a list of field names that stands
in `evaluation/detect.py`. The file is parsed, never run, and the list is not ours to copy.
"""

import ast
from pathlib import Path

from agentdyno.records import InputError, printable

RULE = ("evaluation", "detect.py")
FUNCTION = "_contains_structured_data"
LARGEST_BYTES = 1_000_000


def read_field_names(folder: Path) -> tuple[str, ...]:
    """The list of the function that looks for structured data, in its order."""
    file = folder.joinpath(*RULE)
    expected = f"{file}: expected the published rule with a list of field names in {FUNCTION}"
    try:
        with file.open("rb") as stream:
            text = stream.read(LARGEST_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{expected}, found {reason}. Pass the repository's folder.") from None
    if len(text) > LARGEST_BYTES:
        raise InputError(f"{expected}, found more than {LARGEST_BYTES:,} bytes.")
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{expected}, found no Python: {printable(str(error), 120)}.") from None
    lists = [names for node in ast.walk(tree) if _is_rule(node) for names in _literals(node)]
    if not lists:
        raise InputError(f"{expected}, found none.")
    return max(lists, key=len)


def _is_rule(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == FUNCTION


def _literals(node: ast.AST) -> list[tuple[str, ...]]:
    """Lists of texts alone."""
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.List | ast.Tuple | ast.Set) and inner.elts:
            values = [item.value for item in inner.elts if isinstance(item, ast.Constant)]
            texts = tuple(value for value in values if isinstance(value, str))
            if len(texts) == len(inner.elts):
                found.append(texts)
    return found
