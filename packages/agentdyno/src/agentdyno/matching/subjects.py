"""The subject of a tool call, as people would name it: a file, a command, a search, a page, an
MCP server, a skill, a sub-agent.

Takes a tool's name and its arguments as the model wrote them, returns a `Subject` or None. Goes by
the names of arguments that agents use, so it knows tools it has never met; runs nothing.
"""

import re
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from agentdyno.matching.effects.effect import PATCHED
from agentdyno.matching.effects.shell import shell_line
from agentdyno.records.problems import printable

SubjectKind = Literal[
    "file", "command", "search", "web page", "web search", "MCP server", "skill", "sub-agent"
]
LONGEST = 300
"""Characters of a subject."""
_FILE_KEYS = (
    "file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filename",
    "file", "relative_workspace_path",
)  # fmt: skip
_SEARCH = re.compile(r"grep|glob|search|find|^rg$|list_?(dir|files)|^ls$", re.IGNORECASE)
_WEB_SEARCH = re.compile(r"web_?search|google", re.IGNORECASE)
_SUB_AGENT = re.compile(r"^(task|agent|spawn_?agent|delegate|new_?task)$", re.IGNORECASE)
_SKILL = re.compile(r"^(skill|slash_?command|activate_?skill)$", re.IGNORECASE)
_SHELL_TOOL = re.compile(r"bash|shell|terminal|command|exec|console|powershell", re.IGNORECASE)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_ENDS_COMMAND = re.compile(r"&&|\|\||[;|\n]")
_NOT_THE_POINT = frozenset(
    {
        "cd",
        "export",
        "source",
        ".",
        "set",
        "pushd",
        "echo",
        "sleep",
        "true",
        "[",
        "[[",
        "test",
        "read",
    }
)
_WRAPPERS = frozenset({"sudo", "time", "timeout", "env", "nohup", "command", "exec", "nice"})
_KEYWORDS = frozenset("do then else if elif while until { ( ! time".split())
"""Words of the shell that stand before a command."""
_NO_COMMAND = frozenset("for case select function done fi esac } )".split())
"""Words that begin what is no command."""
_CONTINUED = re.compile(r"\\\r?\n")
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_VALUED = frozenset(
    "-C -c --git-dir --work-tree -f -n --namespace --context -p --project --prefix --cwd --filter"
    " --manifest-path -R --repo --directory --chdir".split()
)
"""Options before a subcommand whose value is the next word."""
_RUNNERS = frozenset("run exec x".split())
"""Subcommands that run a task or a program, which is what a command is about."""
_WITH_SUBCOMMAND = frozenset(
    "git go npm pnpm yarn npx bun cargo docker kubectl helm pip uv poetry make gh glab aws gcloud"
    " az terraform dotnet mvn gradle brew apt apt-get systemctl rails bundle mix just mise".split()
)


class Subject(Struct, frozen=True):
    kind: SubjectKind
    name: str
    """The path, the program with its subcommand, the pattern, the address, the server's name."""


def find_subject(tool: str, arguments: str) -> Subject | None:
    """The subject of the call; None where nothing tells it."""
    if arguments.startswith("\0"):  # `keep_subject` was here, or a trace is hostile.
        _, kind, *name = arguments.split("\0", 2)
        subject_kind = next(
            (name_of_kind for name_of_kind in get_args(SubjectKind) if name_of_kind == kind), None
        )
        return _subject(subject_kind, "".join(name)) if subject_kind else None
    if tool.startswith("mcp__"):
        return _subject("MCP server", tool.split("__")[1])
    decoded = _decode(arguments)
    if isinstance(decoded, str):
        return _find_in_text(tool, decoded)
    if not isinstance(decoded, dict):
        return None
    return _find_in_fields(tool, decoded)


def keep_subject(tool: str, arguments: str) -> str:
    """The arguments cut down to what `find_subject` needs to find the same in them."""
    subject = find_subject(tool, arguments)
    return "" if subject is None else f"\0{subject.kind}\0{subject.name}"


def _decode(arguments: str) -> Any:
    try:
        return msgspec.json.decode(arguments)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return arguments


def _find_in_text(tool: str, text: str) -> Subject | None:
    if patched := PATCHED.search(text):
        return _subject("file", patched[1])
    return _subject("command", name_command(text)) if _SHELL_TOOL.search(tool) else None


def _find_in_fields(tool: str, fields: dict[str, Any]) -> Subject | None:
    if _SUB_AGENT.match(tool):
        return _subject("sub-agent", _first(fields, "subagent_type", "agent_type", "agent", "mode"))
    if _SKILL.match(tool):
        return _subject("skill", _first(fields, "skill", "name", "command"))
    if url := _first(fields, "url", "uri"):
        return _subject("web page", url)
    if _WEB_SEARCH.search(tool):
        return _subject("web search", _first(fields, "query", "q"))
    path = _first(fields, *_FILE_KEYS)
    if path and not _SEARCH.search(tool):
        return _subject("file", path)
    # A script may be of any language; under a shell's name it is the shell's.
    keys = ("command", "cmd", "script") if _SHELL_TOOL.search(tool) else ("command", "cmd")
    if line := shell_line(fields, keys):
        patched = PATCHED.search(line)
        return _subject("file", patched[1]) if patched else _subject("command", name_command(line))
    if patch := _first(fields, "input", "patch"):
        patched = PATCHED.search(patch)
        return _subject("file", patched[1]) if patched else None
    if _SEARCH.search(tool):
        return _subject("search", _first(fields, "pattern", "query", "regex", "q") or path)
    return None


def name_command(line: str) -> str:
    """The first command that does something, with its subcommand: `go test` of
    `cd api && GOFLAGS=-v go test ./...`, `mise run lint` of a task."""
    text = _COMMENT.sub("", _CONTINUED.sub(" ", line))
    for command in _ENDS_COMMAND.split(text):
        words = _without_wrappers(command.strip().lstrip("({").rstrip(")}").split())
        if words and words[0] not in _NOT_THE_POINT and words[0] not in _NO_COMMAND:
            return _name_program(words)
    return " ".join(text.split()[:1])


def _without_wrappers(words: list[str]) -> list[str]:
    while words and (
        _ASSIGNMENT.match(words[0])
        or words[0] in _WRAPPERS
        or words[0] in _KEYWORDS
        or (words[0].rstrip("smh").isdigit() and len(words) > 1)
    ):
        words = words[1:]
    return words


def _name_program(words: list[str]) -> str:
    program = words[0].strip("'\"()").rsplit("/", 1)[-1]
    if program in ("python", "python3", "node", "ruby") and len(words) > 1:
        return f"{program} {' '.join(words[1:3])}" if words[1] == "-m" else program
    if program not in _WITH_SUBCOMMAND:
        return program
    arguments = _without_options(words[1:])
    many = 2 if arguments[:1] and arguments[0] in _RUNNERS and program != "docker" else 1
    named = [word.strip("'\"") for word in arguments[:many]]
    return " ".join([program, *(word for word in named if not word.startswith(("/", "~", "$")))])


def _without_options(words: list[str]) -> list[str]:
    """The words that are no option, nor the value of one that stands before the subcommand."""
    remaining: list[str] = []
    words_left = iter(words)
    for word in words_left:
        if word in _VALUED and not remaining:
            next(words_left, "")
        elif not word.startswith("-"):
            remaining.append(word)
    return remaining


def _first(fields: dict[str, Any], *keys: str) -> str | None:
    """The first of these fields that holds a text."""
    values = (fields.get(key) for key in keys)
    return next((value for value in values if isinstance(value, str) and value.strip()), None)


def _subject(kind: SubjectKind, name: str | None) -> Subject | None:
    return Subject(kind, printable(name.strip(), LONGEST)) if name and name.strip() else None
