"""Proves that a call only reads, from what it runs; for advice that is harmful where it is wrong.

Takes a tool's name and its decoded arguments. True only where the tool is a plain shell or runs SQL
and nothing besides, and all that it is told to run is on a list of what never writes. A name alone
proves nothing, nor does a request over the network. False means not proven, not that it writes.
"""

import re
from collections.abc import Sequence
from typing import Any

from agentdyno.matching.effects.calls import NAME_WORDS, SQL_KEYS
from agentdyno.matching.effects.programs import Word
from agentdyno.matching.effects.rules import Proven, Rules, default_rules
from agentdyno.matching.effects.shell import SHELL_KEYS, Command, node_types, parse
from agentdyno.matching.effects.sql import effect_of_sql

_NOWHERE = ("/dev/null", "&1", "&2")
_PLAIN_NODES = frozenset(
    """program list pipeline command command_name word string string_content raw_string
    ansi_c_string number concatenation comment test_command test_operator binary_expression
    unary_expression negated_command redirected_statement file_redirect file_descriptor subshell
    simple_expansion variable_name brace_expression regex extglob_pattern""".split()
)
"""Without assignments, functions, loops and substitutions, what a line runs is what it shows."""
_SED_PRINTS = re.compile(r"\d+(?:,(?:\d+|\$))?p|\$p|\$=")
_MOST_SUBCOMMANDS = 3


def proves_reading(tool: str, arguments: Any, rules: Rules | None = None) -> bool:
    """True when the call cannot have changed anything, by what it ran."""
    proven = (rules or default_rules()).proven
    words = {word.lower() for word in NAME_WORDS.findall(tool.rsplit("__", 1)[-1])}
    if not words or not isinstance(arguments, dict):
        return False
    if words & proven.shells and words <= proven.shells | proven.shell_words:
        line = _only_text(arguments, SHELL_KEYS, proven)
        return line is not None and _does_line_read(line, proven)
    if words <= proven.sql_words:
        text = _only_text(arguments, SQL_KEYS, proven)
        return text is not None and _does_sql_read(text)
    return False


def _only_text(arguments: dict[str, Any], keys: Sequence[str], proven: Proven) -> str | None:
    """The one text that is run; None where another argument may be run, or say where to write."""
    present = [key for key in arguments if key in keys]
    unexpected = [
        key
        for key, value in arguments.items()
        if key not in keys and key not in proven.other_arguments and value not in (None, "", [])
    ]
    text = arguments[present[0]] if len(present) == 1 and not unexpected else None
    return text if isinstance(text, str) else None


def _does_sql_read(text: str) -> bool:
    effect = effect_of_sql(text)
    return effect.action == "reads" and effect.certainty == "parsed"


def _does_line_read(line: str, proven: Proven) -> bool:
    commands, broken = parse(line)
    if broken or not commands or not node_types(line) <= _PLAIN_NODES | _signs(line):
        return False
    return all(_does_command_read(command, proven) for command in commands)


def _signs(line: str) -> frozenset[str]:
    """Brackets, pipes and the like are nodes of their own, named as they are written."""
    return frozenset(kind for kind in node_types(line) if not kind[:1].isalpha())


def _does_command_read(command: Command, proven: Proven) -> bool:
    if command.script is not None or any(output not in _NOWHERE for output in command.outputs):
        return False
    words = list(command.words)
    if not words:
        return True
    if None in words[:_MOST_SUBCOMMANDS] or any("\\" in (word or "") for word in words[:1]):
        return False
    return _is_listed(words, proven) and not _has_writing_flag(words, proven)


def _is_listed(words: list[Word], proven: Proven) -> bool:
    names = [word or "" for word in words[:_MOST_SUBCOMMANDS]]
    if names[0] == "sed":
        return words[1:2] == ["-n"] and bool(_SED_PRINTS.fullmatch(words[2] or ""))
    return any(" ".join(names[:many]) in proven.commands for many in range(1, len(names) + 1))


def _has_writing_flag(words: list[Word], proven: Proven) -> bool:
    program = words[0] or ""
    flags = proven.unless.get(program)
    if program == "sed":
        return any((word or "-").startswith("-") for word in words[3:])
    if flags is None:
        return False
    # What only a running shell would know may be a flag.
    return any(word is None or _is_flag(word, flags) for word in words[1:])


def _is_flag(word: str, flags: frozenset[str]) -> bool:
    if word in flags:
        return True
    if word.startswith("--"):
        # GNU programs take any beginning of a long flag.
        name = word.partition("=")[0]
        return len(name) > 2 and any(flag.startswith(name) for flag in flags)
    letters = {flag[1] for flag in flags if len(flag) == 2}
    return word.startswith("-") and bool(letters & set(word[1:]))
