"""Lists every sentence that the programs can print, to be read once.

python tools/list_messages.py [WORD …]

Takes the sources, prints each text of three words or more that is not a docstring, with its place;
holes of f-strings are shown as {…}. With words, only the texts that contain one of them.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = 3
_WORD = re.compile(r"[A-Za-z]{2,}")


def main() -> None:
    wanted = [re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE) for word in sys.argv[1:]]
    for path in sorted(ROOT.glob("packages/*/src/**/*.py")):
        for line, text in list_texts(path):
            if not wanted or any(pattern.search(text) for pattern in wanted):
                print(f"{path.relative_to(ROOT)}:{line}: {text}")


def list_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Texts of a module with their lines, in order."""
    tree = ast.parse(path.read_text("utf-8"))
    skipped = {id(node) for node in _docstrings(tree)}
    parts: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in skipped or id(node) in parts:
            continue
        text = _text_of(node)
        if text is not None:
            parts |= {id(child) for child in ast.walk(node)}
            text = " ".join(text.split())
            if len(_WORD.findall(text.replace("{…}", ""))) >= WORDS:
                yield node.lineno, text


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text_of(value) or "{…}" for value in node.values)
    return None


def _docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Strings that stand by themselves: docstrings and those of fields."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


if __name__ == "__main__":
    main()
