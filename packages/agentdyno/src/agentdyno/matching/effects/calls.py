"""The effect of any call: shell lines by their parse, SQL by its words, HTTP by method, file tools
and task lists by their arguments, MCP tools by their annotations, and names last.

Takes a tool's name, its decoded arguments and, where the trace shows it, the tool's schema.
"""

import re
from functools import lru_cache
from typing import Any

import msgspec

from agentdyno.matching.effects.effect import ANYTHING, PATCHED, Effect
from agentdyno.matching.effects.rules import Rules, default_rules
from agentdyno.matching.effects.shell import effect_of_command, shell_line
from agentdyno.matching.effects.sql import effect_of_sql, looks_like_sql

NOTES = "notes of the agent"
"""The resource that task lists and plans change."""
_SHELL = re.compile(r"bash|shell|terminal|command|cmd|exec|\brun\b|run_|console|powershell", re.I)
_EDITING = {"view": "reads", "create": "writes", "str_replace": "writes", "insert": "writes",
            "undo_edit": "writes", "delete": "writes", "rename": "writes"}  # fmt: skip
_FILE_TOOLS = {
    "read": "reads", "view": "reads", "cat": "reads", "ls": "reads", "glob": "reads",
    "grep": "reads", "notebookread": "reads", "read_file": "reads", "list_directory": "reads",
    "read_many_files": "reads", "search_file_content": "reads", "open_file": "reads",
    "edit": "writes", "multiedit": "writes", "write": "writes", "notebookedit": "writes",
    "write_file": "writes", "replace": "writes", "edit_file": "writes", "create_file": "writes",
    "apply_patch": "writes", "str_replace_editor": "writes", "delete_file": "writes",
}  # fmt: skip
_PATH_KEYS = ("file_path", "path", "notebook_path", "filename", "file", "absolute_path",
              "target_file", "dir_path", "directory")  # fmt: skip
SQL_KEYS = ("sql", "query", "statement", "sql_query")
NAME_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def effect_of(
    tool: str, arguments: Any, schema: str | None = None, rules: Rules | None = None
) -> Effect:
    """The effect of the call; `arguments` as decoded, of any type."""
    active_rules = rules or default_rules()
    name = tool.lower().rsplit("__", 1)[-1]
    if isinstance(arguments, dict):
        if (effect := _by_arguments(tool, name, arguments, active_rules)) is not None:
            return effect
    elif isinstance(arguments, str) and _SHELL.search(tool):
        return effect_of_command(arguments, active_rules)
    if schema and (declared := read_declared_effect(schema)) is not None:
        return declared
    return effect_of_name(tool, active_rules)


def _by_arguments(tool: str, name: str, arguments: dict[str, Any], rules: Rules) -> Effect | None:
    command = arguments.get("command")
    if isinstance(command, str) and command in _EDITING and _path(arguments):
        return _file_effect(_EDITING[command], arguments)
    line = shell_line(arguments)
    if line is not None and (_SHELL.search(tool) or isinstance(arguments.get("command"), str)):
        return effect_of_command(line, rules)
    if name in rules.tools["notes"]:
        if name == "think":
            return Effect("reads", "declared", why="thinks")
        return Effect("writes", "declared", (), (NOTES,), (NOTES,), "keeps notes")
    if name in _FILE_TOOLS:
        return _file_effect(_FILE_TOOLS[name], arguments)
    for key in SQL_KEYS:
        if isinstance(text := arguments.get(key), str) and looks_like_sql(text):
            return effect_of_sql(text)
    return _by_method(arguments)


def is_shell(tool: str) -> bool:
    return bool(_SHELL.search(tool))


def _by_method(arguments: dict[str, Any]) -> Effect | None:
    method, link = arguments.get("method"), arguments.get("url") or arguments.get("uri")
    if not isinstance(method, str) or not isinstance(link, str):
        return None
    if method.upper() in ("GET", "HEAD", "OPTIONS"):
        return Effect("reads", "declared", reads=(link,), why=f"HTTP {method.upper()}")
    return Effect("writes", "declared", (), (link,), (link,), f"HTTP {method.upper()}"[:40])


def _file_effect(action: str, arguments: dict[str, Any]) -> Effect:
    path = _path(arguments)
    patch = arguments.get("input") or arguments.get("patch")
    paths = tuple(PATCHED.findall(patch)) if isinstance(patch, str) else ()
    paths = paths or ((path,) if path else (ANYTHING,))
    if action == "reads":
        return Effect("reads", "declared", reads=paths, why="a tool for files")
    return Effect("writes", "declared", (), paths, paths, "a tool for files")


def _path(arguments: dict[str, Any]) -> str | None:
    for key in _PATH_KEYS:
        if isinstance(value := arguments.get(key), str) and value:
            return value
    return None


@lru_cache(maxsize=512)
def read_declared_effect(schema: str) -> Effect | None:
    """The effect that an MCP tool declares in the annotations of its schema."""
    if "Hint" not in schema:
        return None
    try:
        decoded = msgspec.json.decode(schema)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    inner = decoded.get("function") if isinstance(decoded, dict) else None
    hints = _annotations(decoded) or _annotations(inner)
    if hints.get("readOnlyHint") is False or hints.get("destructiveHint") is True:
        return Effect("writes", "declared", (), (ANYTHING,), (ANYTHING,), "destructiveHint")
    if hints.get("readOnlyHint") is True:
        return Effect("reads", "declared", reads=(ANYTHING,), why="readOnlyHint")
    return None


def _annotations(decoded: Any) -> dict[str, Any]:
    hints = decoded.get("annotations") if isinstance(decoded, dict) else None
    return hints if isinstance(hints, dict) else {}


def effect_of_name(tool: str, rules: Rules | None = None) -> Effect:
    """By the words of the name: `find_order` reads, `cancel_order` writes, `frobnicate` may."""
    return _name(tool, rules or default_rules())


@lru_cache(maxsize=4096)
def _name(tool: str, rules: Rules) -> Effect:
    last = tool.rsplit("__", 1)[-1]
    words = [word.lower() for word in NAME_WORDS.findall(last)]
    words_of_kind, name = rules.tools, last.lower()
    if name in words_of_kind["notes"]:
        return Effect("writes", "named", (), (NOTES,), (NOTES,), name)
    if name in words_of_kind["waiting_names"] or (words and words[0] in words_of_kind["waits"]):
        return Effect("waits", "named", why=name)
    for word in words:
        if word in words_of_kind["writes_anywhere"]:
            return Effect("writes", "named", (), (ANYTHING,), (ANYTHING,), word)
    # The first verb says what is done; nouns that look like verbs come behind it.
    for word in words:
        if word in words_of_kind["reads"]:
            return Effect("reads", "named", reads=(ANYTHING,), why=word)
        if word in words_of_kind["writes"]:
            return Effect("writes", "named", (), (ANYTHING,), (ANYTHING,), word)
        if word in words_of_kind["runs"]:
            return Effect("runs", "named", (), (ANYTHING,), (ANYTHING,), word)
    return Effect("runs", "unknown", (), (ANYTHING,), (ANYTHING,), "no rule knows the name")
