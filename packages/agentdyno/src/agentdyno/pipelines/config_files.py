"""Settings and instructions of agents as bytes: what a file holds and an edit in, what it is to
hold out; and writing it so that a reader sees the old file or the new one.

Writes only regular files of the user's own, below the folder that an agent keeps its settings in.
Comments in TOML stay; JSON with comments is not understood, and refused.
"""

import json
import os
import re
import stat
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno.studies.cost.lever import FileEdit

FOLDERS = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME", ".gemini": "", ".qwen": "",
           ".config/opencode": ""}  # fmt: skip
"""Where agents keep their settings below the home folder, with the variable that names another."""
IN_PROJECT = (".claude/settings.local.json", ".codex/config.toml", ".gemini/settings.json",
              ".qwen/settings.json", "opencode.json")  # fmt: skip
"""…and below a project of the user's."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def find_config(file: str, home: Path, environment: Mapping[str, str]) -> Path:
    """Where a file stands that an edit names with `~`; raises where nobody may write."""
    for folder, variable in FOLDERS.items():
        if file.startswith(f"~/{folder}/") and ".." not in Path(file).parts:
            root = Path(environment.get(variable) or home / folder)
            path = root / file.removeprefix(f"~/{folder}/")
            refuse_foreign(path, home if root == home / folder else root)
            return path
    for name in IN_PROJECT:
        project = Path(file.removesuffix(f"/{name}"))
        if file.endswith(f"/{name}") and ".." not in project.parts and home in project.parents:
            if not project.is_dir():
                raise InputError(f"{printable(file, 120)}: the project is not on this machine.")
            refuse_foreign(Path(file), home)
            return Path(file)
    raise InputError(
        f"{printable(file, 80)}: expected a settings or instruction file of a known agent "
        f"({', '.join(f'~/{name}' for name in FOLDERS)}). Nothing was changed."
    )


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
            kind = "a link" if stat.S_ISLNK(found.st_mode) else "something else"
            raise InputError(
                f"{place}: expected {'a file' if place == path else 'a folder'} of your own, found "
                f"{kind if is_own else 'one of another user'}. Nothing was changed."
            )


def read_bytes(path: Path) -> bytes | None:
    """What a file holds; None where there is none."""
    try:
        return path.read_bytes()
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
    if line in text.splitlines():
        return text
    return f"{text}{'' if text.endswith(chr(10)) or not text else chr(10)}{line}\n"


def _set_json(path: Path, text: str, edit: FileEdit) -> str:
    try:
        data = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise InputError(f"{path}: expected JSON, found {error}. {_BY_HAND}") from error
    if _set_key(path, data, edit) == (json.loads(text) if text.strip() else {}):
        return text
    indent = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    end = "\n" if text.endswith("\n") or not text else ""
    return json.dumps(data, indent=indent[1] if indent else 2, ensure_ascii=False) + end


def _set_key(path: Path, data: Any, edit: FileEdit) -> Any:
    inside = data
    for name in edit.key[:-1]:
        inside = inside.setdefault(name, {}) if isinstance(inside, dict) else None
    last = edit.key[-1]
    old = inside.get(last) if isinstance(inside, dict) else None
    if not isinstance(inside, dict) or (edit.adds and not isinstance(old, list | None)):
        name = ".".join(edit.key)
        raise InputError(f"{path}: expected room for {name}, found another value. {_BY_HAND}")
    added = [*(old or ()), *(each for each in edit.value if each not in (old or ()))] if (
        edit.adds) else edit.value  # fmt: skip
    inside[last] = added
    return data


def _set_toml(path: Path, text: str, edit: FileEdit) -> str:
    """A line of a table, or of the top, set in its place; checked by reading both again."""
    table, line = edit.key[:-1], f"{_quote(edit.key[-1])} = {json.dumps(edit.value)}"
    try:
        expected = _set_key(path, tomllib.loads(text), edit)
        done = _place_line(text, table, edit.key[-1], line)
        agrees = tomllib.loads(done) == expected
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: expected TOML, found {error}. {_BY_HAND}") from error
    if not agrees:
        raise InputError(f"{path}: expected [{'.'.join(table)}] as a table. {_BY_HAND}")
    return done


def _place_line(text: str, table: list[str], name: str, line: str) -> str:
    lines = text.splitlines(keepends=True)
    head = re.compile(r"\s*\[" + r"\s*\.\s*".join(map(_match_name, table)) + r"\]\s*(#.*)?")
    first = 0 if not table else next(
        (at + 1 for at, each in enumerate(lines) if head.fullmatch(each.rstrip("\r\n"))), None
    )  # fmt: skip
    if first is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}[{'.'.join(map(_quote, table))}]\n{line}\n"
    end = next((at for at in range(first, len(lines)) if lines[at].lstrip().startswith("[")),
               len(lines))  # fmt: skip
    own = re.compile(rf"\s*{_match_name(name)}\s*=")
    place = next((at for at in range(first, end) if own.match(lines[at])), None)
    if place is not None:
        return "".join([*lines[:place], f"{line}\n", *lines[place + 1 :]])
    return "".join([*lines[:first], f"{line}\n", *lines[first:]])


def _quote(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _match_name(name: str) -> str:
    return rf"(?:{re.escape(name)}|{re.escape(json.dumps(name))})"


def replace_file(path: Path, before: bytes | None, after: bytes | None, mode: int) -> None:
    """Puts bytes in the place of those that are there, at once; None removes the file. Raises where
    the file does not hold what it is expected to hold."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if read_bytes(path) != before:
        raise InputError(f"{path}: it changed just now. Nothing was changed; try again.")
    if after is None:
        path.unlink()
        return
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
