"""Settings and instructions of agents as bytes: what a file holds and an edit in, what it is to
hold out; and writing it so that a reader sees the old file or the new one.

Writes only the files that are listed here by name, where they are the user's own and no link leads
to them. What an edit does not change stays byte for byte (`json_edits` for JSON).
"""

import json
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

from agentdyno.ledger.disk import sync_folder
from agentdyno.records import InputError, printable
from agentdyno.regular_files import read_regular
from agentdyno.studies.cost.lever import FileEdit
from agentdyno_daily.changes.json_edits import JsonText, find_line_end

NEW_FILE = 0o600
"""Permissions of a settings file that an agent did not write."""
IN_HOME = {
    ".claude": ("CLAUDE_CONFIG_DIR", ("settings.json", "CLAUDE.md")),
    ".codex": ("CODEX_HOME", ("config.toml", "AGENTS.md")),
    ".gemini": ("", ("settings.json", "GEMINI.md")),
    ".qwen": ("", ("settings.json", "QWEN.md")),
    ".config/opencode": ("", ("opencode.json", "AGENTS.md")),
}
"""By the folder below the home folder that an agent keeps its settings in: the variable that names
another folder, and the files that may be written."""
IN_PROJECT = (".claude/settings.local.json", ".codex/config.toml", ".gemini/settings.json",
              ".qwen/settings.json", "opencode.json")  # fmt: skip
"""…and below a project of the user's."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = r"""\"(?:\\.|[^\"\\])*\"|'[^']*'|[^\s#"'\[{][^#\r\n]*?(?=\s*(?:#|\Z))"""
"""A TOML string, number, date or truth value in one line."""


def find_config(file: str, home: Path, environment: Mapping[str, str]) -> Path:
    """The path of a file that an edit names with `~`, or that a note names in full; raises where
    it is none of those listed above, or a link leads to it."""
    for folder, (_, names) in IN_HOME.items():
        root = find_folder(folder, home, environment)
        for name in names:
            if file in (f"~/{folder}/{name}", str(root / name)):
                refuse_foreign(root / name, home if root == home / folder else root)
                return root / name
    for name in IN_PROJECT:
        project = Path(file.removesuffix(f"/{name}"))
        if file.endswith(f"/{name}") and ".." not in project.parts and home in project.parents:
            if not project.is_dir():
                raise InputError(f"{printable(file, 120)}: the project is not on this machine.")
            refuse_foreign(Path(file), home)
            return Path(file)
    known = [f"~/{folder}/{name}" for folder, (_, names) in IN_HOME.items() for name in names]
    raise InputError(
        f"{printable(file, 120)}: expected a settings or instruction file that AgentDyno knows "
        f"({', '.join(known)}; in a project {', '.join(IN_PROJECT)}). Nothing was changed."
    )


def find_folder(folder: str, home: Path, environment: Mapping[str, str]) -> Path:
    """Where an agent keeps its settings: below the home folder, or where its variable says."""
    variable, _ = IN_HOME[folder]
    stated = environment.get(variable, "").split(",")[0].strip() if variable else ""
    return Path(stated).expanduser() if stated else home / folder


def refuse_foreign(path: Path, top: Path) -> None:
    """Raises where the file or a folder above it, up to `top`, is a link or another user's."""
    for place in (path, *path.parents):
        if place == top.parent:
            break
        try:
            found = place.lstat()
        except FileNotFoundError:
            continue
        is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        good = stat.S_ISREG(found.st_mode) if place == path else stat.S_ISDIR(found.st_mode)
        if not (is_own and good):
            is_link = stat.S_ISLNK(found.st_mode)
            kind = f"a link to {os.path.realpath(place)}" if is_link else "something else"
            raise InputError(
                f"{place}: expected {'a file' if place == path else 'a folder'} of your own, found "
                f"{kind if is_own else 'one of another user'}. Nothing was changed; change it "
                "by hand."
            )


def read_bytes(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None


def apply_edit(path: Path, before: bytes | None, edit: FileEdit) -> bytes:
    """What the file holds with the edit."""
    try:
        text = (before or b"").decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8, found other bytes. {_BY_HAND}") from error
    if not edit.key:
        done = _add_line(text, str(edit.value))
    elif path.suffix == ".toml":
        done = _set_toml(path, text, edit)
    else:
        done = _set_json(path, text, edit)
    return done.encode()


_BY_HAND = "Nothing was changed; make the change by hand."


def _add_line(text: str, line: str) -> str:
    """As the last line, which ends as the last one did."""
    if line in text.splitlines():
        return text
    end = find_line_end(text)
    return f"{text}{line}{end}" if not text or text.endswith("\n") else f"{text}{end}{line}"


def _set_json(path: Path, text: str, edit: FileEdit) -> str:
    file = JsonText(path, text)
    if not edit.adds:
        old = file.value(edit.key)
        is_set = old == edit.value and isinstance(old, bool) == isinstance(edit.value, bool)
        return text if is_set else file.set(edit.key, edit.value).text
    present = file.list_at(edit.key)
    for value in edit.value:
        if value not in present:
            file = file.append(edit.key, value)
    return text if file.list_at(edit.key) == present else file.text


def _set_toml(path: Path, text: str, edit: FileEdit) -> str:
    """A line of a table, or of the top, set in its place; checked by reading both again."""
    table = edit.key[:-1]
    try:
        expected = tomllib.loads(text)
        inside = expected
        for depth, name in enumerate(table, 1):
            inside = inside.setdefault(name, {})
            if not isinstance(inside, dict):
                raise InputError(
                    f"{path}: expected a table at {'.'.join(table[:depth])}, found "
                    f"{printable(repr(inside), 40)}. Nothing was changed; make it a table or "
                    "remove it, and try again."
                )
        inside[edit.key[-1]] = edit.value
        done = _place_line(text, table, edit.key[-1], json.dumps(edit.value))
        agrees = tomllib.loads(done) == expected
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: expected TOML, found {error}. {_BY_HAND}") from error
    if not agrees:
        raise InputError(f"{path}: expected [{'.'.join(table)}] as a table. {_BY_HAND}")
    return done


def _place_line(text: str, table: list[str], name: str, value: str) -> str:
    lines, end, line = (
        text.splitlines(keepends=True),
        find_line_end(text),
        f"{_quote(name)} = {value}",
    )
    head = re.compile(r"\s*\[" + r"\s*\.\s*".join(map(_match_name, table)) + r"\]\s*(#.*)?")
    first = 0 if not table else next(
        (at + 1 for at, each in enumerate(lines) if head.fullmatch(each.rstrip("\r\n"))), None
    )  # fmt: skip
    if first is None:
        ends = not text or text.endswith("\n")
        gap = "" if not text or text.endswith(2 * end) else end if ends else 2 * end
        table_head = f"[{'.'.join(map(_quote, table))}]"
        return f"{text}{gap}{table_head}{end}{line}{end if ends else ''}"
    last = next((at for at in range(first, len(lines)) if lines[at].lstrip().startswith("[")),
                len(lines))  # fmt: skip
    own = re.compile(rf"(\s*{_match_name(name)}\s*=\s*)(?:{_PLAIN})?(.*?\s*)", re.DOTALL)
    for at in range(first, last):
        if (found := own.fullmatch(lines[at])) is not None:
            # A value that is not plain goes with all that follows it in its line.
            is_plain = re.fullmatch(r"\s*(#.*)?\s*", found[2]) is not None
            after = found[2] if is_plain else re.search(r"[\r\n]*\Z", lines[at])[0]  # type: ignore[index]
            return "".join([*lines[:at], f"{found[1]}{value}{after}", *lines[at + 1 :]])
    if first == len(lines) and text and not text.endswith("\n"):
        return f"{text}{end}{line}"
    return "".join([*lines[:first], f"{line}{end}", *lines[first:]])


def _quote(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _match_name(name: str) -> str:
    return rf"(?:{re.escape(name)}|{re.escape(json.dumps(name))})"


def replace_file(path: Path, before: bytes | None, after: bytes | None, mode: int) -> None:
    """Puts bytes in the place of those that are there, at once and lastingly; None removes the
    file. Raises where the file does not hold what it is expected to hold."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if read_bytes(path) != before:
        raise InputError(f"{path}: it changed just now. Nothing was changed; try again.")
    if after is None:
        path.unlink(missing_ok=True)
        return sync_folder(path.parent)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(descriptor)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return sync_folder(path.parent)
