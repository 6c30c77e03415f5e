"""Logical tools: rules that map a call to the tool a person would name.

Takes a TOML file, and calls as (function name, arguments), returns a name, or None for a call
that is left out. The first rule that fits decides; a call that fits none belongs to the programs
that it runs where it is a shell line (`git commit`, `pytest`, several if several), and keeps its
function's name where it is not.

    leave_out = ["read_file", "update_*"]        # native tools that are not to be counted
    reads_only = ["get_*", "lookup"]             # logical tools that change nothing: your word

    [[tool]]
    name = "grafana"
    match = "bash"                                # a glob on the function's name; `*` if absent
    command = "mcp(?:-cli)? grafana"              # a pattern searched in a shell command
    effect = "reads"                              # or "writes"; absent: it may write, unless
                                                  # what its calls run proves that they read

    [[tool]]
    name = "tickets"
    argument.url = "plane[.]example"              # a pattern searched in an argument
    arguments = "plane"                           # a pattern searched in all the arguments' text

Worked: bash with {"command": "mcp grafana query"} is `grafana` by that rule; bash with
{"command": "cd a && git commit -m x && pytest"} is `git commit` and `pytest` by none.
"""

import re
import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from agentdyno.matching.effects import effect_of, is_shell, shell_line
from agentdyno.records import InputError, printable, shortened
from agentdyno.regular_files import read_regular

COMMAND_KEYS = ("command", "cmd", "keystrokes", "script", "code")
LONGEST_SEARCHED = 20_000
"""Characters of an argument that a pattern sees: patterns are a user's own, arguments are not."""

DeclaredEffect = Literal["reads", "writes"]


class Rule(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """One way to recognise a tool; everything that is given must fit."""

    name: str
    match: str = "*"
    """A glob on the function's name."""
    command: str | None = None
    """A pattern in the text of a shell command."""
    arguments: str | None = None
    """A pattern in the text of all arguments."""
    argument: dict[str, str] = {}
    """Patterns in single arguments, by name."""
    effect: DeclaredEffect | None = None
    """The tool's effect on the world; None when the rule does not say."""

    @cached_property
    def patterns(self) -> dict[str, "re.Pattern[str]"]:
        """The patterns compiled, by where they look; `:command` and `:all` are no argument."""
        written = {":command": self.command, ":all": self.arguments, **self.argument}
        return {where: re.compile(text) for where, text in written.items() if text is not None}

    def fits(self, function: str, arguments: str, decoded: Any) -> bool:
        """True when the call is one of this tool."""
        if not fnmatchcase(function, self.match):
            return False
        return all(
            pattern.search(_text_at(where, arguments, decoded)[:LONGEST_SEARCHED])
            for where, pattern in self.patterns.items()
        )


class LogicalTools(Struct, frozen=True, forbid_unknown_fields=True):
    tool: tuple[Rule, ...] = ()
    """In order; the first that fits decides."""
    leave_out: tuple[str, ...] = ()
    """Globs on logical names: calls that are not judged and count nowhere."""
    reads_only: tuple[str, ...] = ()
    """Globs on logical names: tools that change nothing, by the user's word."""

    def name_of(self, function: str, arguments: str) -> str | None:
        """The first logical tool of a call; None when it is left out."""
        return next(iter(self.names_of(function, arguments)), None)

    def names_of(self, function: str, arguments: str) -> tuple[str, ...]:
        """The logical tools of a call, in order; none when it is left out."""
        decoded = _decode(arguments)
        fitting = [rule.name for rule in self.tool if rule.fits(function, arguments, decoded)]
        if not fitting and self._is_left_out(function):
            return ()
        names = tuple(fitting[:1]) or programs_of(function, decoded) or (function,)
        return tuple(name for name in names if not self._is_left_out(name))

    def _is_left_out(self, name: str) -> bool:
        return any(fnmatchcase(name, glob) for glob in self.leave_out)

    def effect_of(self, tool: str) -> DeclaredEffect | None:
        """The effect that the rules declare for a logical tool."""
        declared = next((r.effect for r in self.tool if r.name == tool and r.effect), None)
        if declared is None and any(fnmatchcase(tool, glob) for glob in self.reads_only):
            return "reads"
        return declared


def programs_of(function: str, arguments: Any) -> tuple[str, ...]:
    """The programs that a shell call runs; none when it is no shell call."""
    if not is_shell(function) or shell_line(arguments) is None:
        return ()
    return effect_of(function, arguments).programs


def choose_rules(path: Path | None, reads_only: Sequence[str] | None) -> LogicalTools:
    """The rules of a file, where one is given, and what a user's word adds to them."""
    rules = read_rules(path) if path else LogicalTools()
    return structs.replace(rules, reads_only=(*rules.reads_only, *(reads_only or ())))


def read_rules(path: Path) -> LogicalTools:
    """The rules of a TOML file; `InputError` says what is wrong with it."""
    displayed = shortened(path, 120)
    try:
        rules = msgspec.convert(tomllib.loads(read_regular(path).decode()), LogicalTools)
        for rule in rules.tool:
            _ = rule.patterns
    except OSError as error:
        raise InputError(f"{displayed}: cannot be read ({error.strerror}).") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problem = printable(str(error))
        raise InputError(f"{displayed}: expected TOML, found something else: {problem}.") from error
    except (msgspec.ValidationError, re.error) as error:
        raise InputError(
            f"{displayed}: {printable(str(error))}. See docs/guides/utility.md."
        ) from error
    return rules


def _decode(arguments: str) -> Any:
    try:
        return msgspec.json.decode(arguments)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _text_at(where: str, arguments: str, decoded: Any) -> str:
    if where == ":all":
        return arguments
    if not isinstance(decoded, dict):
        return arguments if where == ":command" else ""
    if where == ":command":
        return next((_text(decoded[key]) for key in COMMAND_KEYS if key in decoded), "")
    return _text(decoded.get(where, ""))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
