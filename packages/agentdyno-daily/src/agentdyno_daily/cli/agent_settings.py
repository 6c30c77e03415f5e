"""Claude Code's settings file: what we put into it, and take out again.

Every other byte stays. What the file held before anything of ours was in it is beside it
(`settings.json.before-agentdyno`), and taking ours out gives it back as it was.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from agentdyno.records import InputError, printable
from agentdyno_daily.changes.applied_changes import lock_changes
from agentdyno_daily.changes.config_files import NEW_FILE, find_folder, read_bytes, replace_file
from agentdyno_daily.changes.json_edits import JsonText

MARK = "agentdyno"
STATUS = ["statusLine"]
EVENTS = ("UserPromptSubmit", "PreToolUse")
"""Before these Claude Code asks whether the budget is spent."""


def set_status_line(words: list[str] | None) -> str:
    """Writes the status line, or takes it out; says what was done."""
    done = "The status line is taken out" if words is None else "The status line is set"
    return _change(_STATUS_LINE, words, done)


def set_budget_hook(words: list[str] | None) -> str:
    """The same of the hook that stops an agent when a budget is spent."""
    done = "The budget hook is taken out" if words is None else "Agents stop at the budget now"
    return _change(_BUDGET_HOOK, words, done)


class _Part(NamedTuple):
    """Something of ours in the settings."""

    name: str
    find: Callable[[JsonText], str | None]
    """Our command in them."""
    add: Callable[[JsonText, str], JsonText]
    """Puts it in, in the place of an older one."""
    remove: Callable[[JsonText], JsonText]


def _change(part: _Part, words: list[str] | None, done: str) -> str:
    with lock_changes():
        file, before = _read()
        if words is not None:
            copy = _write(part.add(file, _command(words)), before)
            return f"{done}: {file.path}{copy}"
        if before is None or part.find(file) is None:
            return f"{file.path}: has no {part.name} of AgentDyno; nothing was changed."
        path = file.path.resolve()
        replace_file(path, before, _take_out(part, file, before), path.stat().st_mode & 0o777)
        return f"{done}: {file.path}"


def _read() -> tuple[JsonText, bytes | None]:
    """The settings, and the bytes of the file; None where there is none."""
    path = find_folder(".claude", Path.home(), os.environ) / "settings.json"
    try:
        before = read_bytes(path)
        return JsonText(path, (before or b"").decode()), before
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); nothing was changed.") from None


def _write(new: JsonText, before: bytes | None) -> str:
    """Names the copy of a file that had nothing of ours."""
    path = new.path.resolve()  # Many keep their settings behind a link.
    if before == (after := new.text.encode()):
        return ""
    mode = NEW_FILE if before is None else path.stat().st_mode & 0o777
    is_first = before is not None and not _has_ours(JsonText(new.path, before.decode()))
    if is_first:
        replace_file(_copy(path), read_bytes(_copy(path)), before, mode)
    replace_file(path, before, after, mode)
    return f" (before: {_copy(path).name})" if is_first else ""


def _take_out(part: _Part, file: JsonText, before: bytes) -> bytes | None:
    """The file without this part: as it was, where putting what is ours into that gives what is
    there now."""
    for old in (read_bytes(_copy(file.path.resolve())), None):
        for order in (_PARTS, _PARTS[::-1]):
            try:
                older = JsonText(file.path, (old or b"").decode())
                if _has_ours(older) or _put_in(order, file, older) != before:
                    continue
                others = [each for each in order if each is not part and each.find(file)]
                return _put_in(others, file, older) if others else old
            except (InputError, UnicodeError):
                continue  # Not a copy of ours.
    return part.remove(file).text.encode()


def _put_in(parts: Iterable[_Part], file: JsonText, older: JsonText) -> bytes:
    """An older file with those of these parts that the file has."""
    for part in parts:
        if command := part.find(file):
            older = part.add(older, command)
    return older.text.encode()


def _copy(path: Path) -> Path:
    return path.with_name(f"{path.name}.before-agentdyno")


def _has_ours(file: JsonText) -> bool:
    try:
        return (_find_status(file) or _find_budget(file)) is not None
    except InputError:
        return False  # Other hooks are not as Claude Code reads them.


def _find_status(file: JsonText) -> str | None:
    own = file.value(STATUS)
    command = own.get("command") if isinstance(own, dict) else None
    return command if _is_ours(command, "statusline") else None


def _add_status(file: JsonText, command: str) -> JsonText:
    if file.has(STATUS) and _find_status(file) is None:
        raise InputError(
            f"{file.path}: expected no status line, found another one: "
            f"{printable(json.dumps(file.value(STATUS)), 120)}. Take it out first; nothing was "
            "changed."
        )
    if _find_status(file) == command:
        return file
    return file.set(STATUS, {"type": "command", "command": command})


def _remove_status(file: JsonText) -> JsonText:
    return file.remove(STATUS)


def _find_budget(file: JsonText) -> str | None:
    return next((command for _, command in _list_hooks(file)), None)


def _add_budget(file: JsonText, command: str) -> JsonText:
    if [ours for _, ours in _list_hooks(file)] == [command] * len(EVENTS):
        return file
    file = _remove_budget(file)
    for event in EVENTS:
        entry = {"hooks": [{"type": "command", "command": command}]}
        file = file.append(["hooks", event], entry)
    return file


def _remove_budget(file: JsonText) -> JsonText:
    while hooks := _list_hooks(file):
        file = file.remove(hooks[-1][0])
    return file


def _list_hooks(file: JsonText) -> list[tuple[list[str | int], str]]:
    """Key and command of our hooks; where an entry holds no other hook, the key is the entry's."""
    found: list[tuple[list[str | int], str]] = []
    for event in EVENTS:
        for place, entry in enumerate(file.list_at(["hooks", event])):
            hooks = entry.get("hooks") if isinstance(entry, dict) else None
            rows: list[Any] = hooks if isinstance(hooks, list) else []
            for number, row in enumerate(rows):
                command = row.get("command") if isinstance(row, dict) else None
                if _is_ours(command, "budget"):
                    key: list[str | int] = ["hooks", event, place]
                    found.append((key + ["hooks", number] * (len(rows) > 1), str(command)))
    return found


_STATUS_LINE = _Part("status line", _find_status, _add_status, _remove_status)
_BUDGET_HOOK = _Part("budget hook", _find_budget, _add_budget, _remove_budget)
_PARTS = (_STATUS_LINE, _BUDGET_HOOK)


def _is_ours(command: object, verb: str) -> bool:
    return isinstance(command, str) and MARK in command and f" {verb}" in command


def _command(words: list[str]) -> str:
    """This very program, so that it is found whatever PATH the agent has."""
    program = shutil.which("agentdyno") or f"{Path(sys.executable).with_name('agentdyno')}"
    return shlex.join([program, *words])
