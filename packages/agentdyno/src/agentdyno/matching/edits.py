"""What a tool call writes into files, and when two lines of code are the same line.

Takes a tool's name and its arguments, returns the lines that the call put into each file and those
that it took out. An edit is known by the shape of its arguments, whatever the tool is called: a
path with an old and a new text, a path with a whole text, a patch, or a shell line that writes a
file from the lines that follow. A program that writes files leaves no trace of what it wrote.

Lines are compared without blanks and by one kind of quotes, so that indenting changes nothing; one
without a letter or digit is no line.

Worked: Edit("a.py", old "x = 1", new "x = 1\\ny = 'b'") adds `y="b"` and takes nothing out.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.matching.effects import is_shell

LONGEST = 2_000_000
"""Characters of a text that is looked at."""
_PATHS = ("file_path", "path", "notebook_path", "filename", "file", "absolute_path", "target_file",
          "filePath", "relative_path", "TargetFile")  # fmt: skip
_REPLACED = (
    ("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"),
    ("old_text", "new_text"), ("oldText", "newText"), ("search", "replace"), ("old", "new"),
)  # fmt: skip
_INSERTED = ("insert_text", "new_str", "code_edit", "new_source", "insert", "text")
_WHOLE = ("content", "file_text", "contents", "fileContent", "CodeContent", "code", "text")
_WRITES = re.compile(r"write|creat|edit|save|insert|replac|patch|notebook|update|file", re.I)
_READS = re.compile(r"read|view|search|grep|list|fetch|get|find|upload|send", re.I)
_PATCH_FILE = re.compile(r"\*\*\* (?:Add|Update|Delete) File: (.+)")
_PATCH_MOVED = re.compile(r"\*\*\* Move to: (.+)")
_UNIFIED_FILE = re.compile(r"\+\+\+ (?:b/)?([^\t\n]+)")
_HEREDOC = re.compile(
    r"^[^\n]*?<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n(.*?)\n[ \t]*\2[ \t]*$", re.DOTALL | re.MULTILINE
)
_TARGET = re.compile(r"(>>?|\btee\b(?:\s+-a)?)\s*['\"]?([^\s'\"<>|;&]+)")
_BLOCKS = re.compile(r"[-<]{3,} ?SEARCH\n(.*?)\n?={3,}\n(.*?)\n?[+>]{3,} ?REPLACE", re.DOTALL)
_WORD = re.compile(r"\w+")


class Edit(Struct, frozen=True, gc=False):
    """What a call did to one file."""

    path: str
    """The file, as the call names it."""
    added: list[str]
    """Lines that it wrote, in order."""
    removed: list[str]
    """Lines that it took out; those of a file that it replaced as a whole are not among them."""
    is_whole: bool = False
    """Whether `added` is all that the file holds, lines that stood there before included."""


def line_key(line: str) -> str:
    """What makes it the same line: no blanks, one kind of quotes, no comma at its end; empty for
    one without a letter or digit."""
    if not _WORD.search(line):
        return ""
    return "".join(line.split()).replace("'", '"').rstrip(",;")


def line_words(line: str) -> list[str]:
    """Its words, which outlive another layout."""
    return _WORD.findall(line)


def new_lines(before: Iterable[str], after: Iterable[str]) -> list[str]:
    """Lines of `after` that `before` has not, or not so often."""
    known = Counter(map(line_key, before))
    found = []
    for line in after:
        if key := line_key(line):
            if known[key]:
                known[key] -= 1
            else:
                found.append(line)
    return found


def find_edits(tool: str, arguments: str) -> list[Edit]:
    """What the call writes; nothing where it writes no file that can be told."""
    if len(arguments) > LONGEST:
        return []
    try:
        decoded = msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        decoded = arguments
    edits = [edit for edit in _find(tool, decoded) if edit.added or edit.removed]
    return [edit for edit in edits if len(edit.path) < 1_000]


def _find(tool: str, given: Any) -> Iterator[Edit]:
    for text in _texts(given):
        if "*** Begin Patch" in text:
            yield from _read_patch(text)
            return
        if "\n+++ " in text and "\n@@ " in text:
            yield from _read_unified(text)
            return
    if isinstance(given, dict) and (path := _first(given, _PATHS)):
        yield from _edit_file(tool, path, given)
    elif is_shell(tool):
        for text in _texts(given):
            yield from _read_heredocs(text)


def _texts(given: Any, depth: int = 3) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, list) and depth:
        for each in given:
            yield from _texts(each, depth - 1)
    elif isinstance(given, dict) and depth:
        for each in given.values():
            yield from _texts(each, depth - 1)


def _first(given: dict[str, Any], names: Iterable[str]) -> str | None:
    return next((v for name in names if isinstance(v := given.get(name), str) and v), None)


def _edit_file(tool: str, path: str, given: dict[str, Any]) -> Iterator[Edit]:
    several = given.get("edits") or given.get("replacements") or [given]
    pairs = [pair for each in several if isinstance(each, dict) and (pair := _read_pair(each))]
    if isinstance(diff := given.get("diff"), str):
        pairs += _BLOCKS.findall(diff)
    if pairs:
        for old, new in pairs:
            yield _compare(path, old.splitlines(), new.splitlines())
        return
    command = given.get("command")
    name = tool.rsplit("__", 1)[-1]
    if command in ("view", "undo_edit") or (_READS.search(name) and not _WRITES.search(name)):
        return
    if command == "insert" or "insert" in name.lower() or "code_edit" in given:
        text, is_whole = _first(given, _INSERTED), False
    else:
        text, is_whole = _first(given, _WHOLE), "append" not in name.lower()
    if _WRITES.search(name) and text is not None:
        yield Edit(path, text.splitlines(), [], is_whole)


def _read_pair(given: dict[str, Any]) -> tuple[str, str] | None:
    for old, new in _REPLACED:
        before, after = given.get(old), given.get(new)
        if isinstance(before, str) and (after is None or isinstance(after, str)):
            return before, after or ""
    return None


def _compare(path: str, old: list[str], new: list[str]) -> Edit:
    return Edit(path, new_lines(old, new), new_lines(new, old))


def _read_patch(text: str) -> Iterator[Edit]:
    """The patches that Codex writes: files between lines of stars, `+` and `-` before lines."""
    path, is_new = "", False
    old: list[str] = []
    new: list[str] = []
    for line in text.splitlines():
        if found := _PATCH_FILE.match(line):
            if path:
                yield _close(path, old, new, is_new)
            path, is_new, old, new = found[1].strip(), "Add File" in line, [], []
        elif found := _PATCH_MOVED.match(line):
            path = found[1].strip()
        elif path and line[:1] == "+":
            new.append(line[1:])
        elif path and line[:1] == "-":
            old.append(line[1:])
    if path:
        yield _close(path, old, new, is_new)


def _close(path: str, old: list[str], new: list[str], is_new: bool) -> Edit:
    return Edit(path, new, [], True) if is_new else _compare(path, old, new)


def _read_unified(text: str) -> Iterator[Edit]:
    path, old, new = "", list[str](), list[str]()
    for line in text.splitlines():
        if found := _UNIFIED_FILE.match(line):
            if path:
                yield _compare(path, old, new)
            path, old, new = found[1].strip(), [], []
        elif path and line[:1] == "+":
            new.append(line[1:])
        elif path and line[:1] == "-" and not line.startswith("--- "):
            old.append(line[1:])
    if path:
        yield _compare(path, old, new)


def _read_heredocs(text: str) -> Iterator[Edit]:
    """`cat > a.py <<'EOF'` and what follows; a program that is fed so writes no file by itself."""
    for found in _HEREDOC.finditer(text):
        head = found[0].split("\n", 1)[0]
        if "<<<" not in head and (target := _TARGET.search(head)):
            yield Edit(target[2], found[4].splitlines(), [], target[1] in (">", "tee"))
