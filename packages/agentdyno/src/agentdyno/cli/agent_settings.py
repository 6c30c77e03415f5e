"""Claude Code's settings file: what we put into it, and take out again.

Every other key stays, in its order; the file is written in one step, indented as it was, with the
one before it beside it (`settings.json.before-agentdyno`).
"""

import json
import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno.regular_files import read_regular

MARK = "agentdyno"
EVENTS = ("UserPromptSubmit", "PreToolUse")
"""Before these Claude Code asks whether the budget is spent."""


def set_status_line(words: list[str] | None) -> str:
    """Writes the status line, or takes it out; says what was done."""
    path, settings, text = _read()
    own = settings.get("statusLine")
    is_ours = isinstance(own, dict) and _is_ours(own.get("command"), "statusline")
    if words is None:
        if not is_ours:
            return f"{path}: has no status line of AgentDyno; nothing was changed."
        del settings["statusLine"]
        return _write(path, settings, text, "The status line is taken out")
    if own is not None and not is_ours:
        raise InputError(
            f"{path}: expected no status line, found another one: "
            f"{printable(json.dumps(own), 120)}. Take it out first; nothing was changed."
        )
    settings["statusLine"] = {"type": "command", "command": _command(words)}
    return _write(path, settings, text, "The status line is set")


def set_budget_hook(words: list[str] | None) -> str:
    """The same of the hook that stops an agent when a budget is spent."""
    path, settings, text = _read()
    hooks = settings.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise InputError(f"{path}: expected an object at $.hooks; nothing was changed.")
    found = False
    for event in EVENTS:
        kept = [each for each in hooks.get(event, []) if not _has_our_hook(each)]
        found = found or len(kept) != len(hooks.get(event, []))
        if words is not None:
            kept.append({"hooks": [{"type": "command", "command": _command(words)}]})
        hooks[event] = kept
        if not kept:
            del hooks[event]
    if not hooks:
        del settings["hooks"]
    if words is None and not found:
        return f"{path}: has no budget hook of AgentDyno; nothing was changed."
    done = "The budget hook is taken out" if words is None else "Agents stop at the budget now"
    return _write(path, settings, text, done)


def _has_our_hook(entry: Any) -> bool:
    hooks = entry.get("hooks") if isinstance(entry, dict) else None
    rows = hooks if isinstance(hooks, list) else []
    return any(isinstance(row, dict) and _is_ours(row.get("command"), "budget") for row in rows)


def _is_ours(command: object, verb: str) -> bool:
    return isinstance(command, str) and MARK in command and f" {verb}" in command


def _command(words: list[str]) -> str:
    """This very program, so that it is found whatever PATH the agent has."""
    program = shutil.which("agentdyno") or f"{Path(sys.executable).with_name('agentdyno')}"
    return shlex.join([program, *words])


def _read() -> tuple[Path, dict[str, Any], str]:
    folder = os.environ.get("CLAUDE_CONFIG_DIR", "").split(",")[0].strip()
    path = Path(folder or Path.home() / ".claude").expanduser() / "settings.json"
    try:
        text = read_regular(path).decode()
    except FileNotFoundError:
        return path, {}, ""
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); nothing was changed.") from None
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: expected JSON, found {error}; nothing was changed.") from None
    if not isinstance(settings, dict):
        raise InputError(f"{path}: expected a JSON object; nothing was changed.")
    return path, settings, text


def _write(path: Path, settings: dict[str, Any], text: str, done: str) -> str:
    found = re.search(r"\n([ \t]+)\"", text)
    indent: str | int = found[1] if found else 2
    new = json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"
    target = path.resolve()  # Many keep their settings behind a link.
    target.parent.mkdir(parents=True, exist_ok=True)
    if text:
        shutil.copy2(target, target.with_name(f"{target.name}.before-agentdyno"))
    staging = target.with_name(f".{target.name}.agentdyno")
    staging.write_text(new, "utf-8")
    if text:
        shutil.copymode(target, staging)
    staging.replace(target)
    return f"{done}: {path}" + (f" (before: {target.name}.before-agentdyno)" if text else "")
