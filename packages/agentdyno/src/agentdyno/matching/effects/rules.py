"""The rules of effects as data: the bundled TOML file, with a user's laid over it.

Takes files, returns `Rules`; says what is wrong with a file that is no such rules.
"""

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError, convert

from agentdyno.matching.effects.effect import Action
from agentdyno.records import InputError
from agentdyno.regular_files import read_regular

_ACTIONS: tuple[Action, ...] = ("reads", "runs", "writes", "waits")


class _Programs(Struct, frozen=True):
    reads: str = ""
    writes: str = ""
    runs: str = ""
    waits: str = ""


class _Subcommands(_Programs, frozen=True):
    default: Action = "writes"
    bare: Action | None = None
    single: Action | None = None


class Subcommands(Struct, frozen=True):
    """The actions of a program, by subcommand."""

    default: Action
    """For a subcommand that is not listed."""
    bare: Action | None
    """Without any further word; None for the default."""
    single: Action | None
    """With exactly one further word; None when that makes no difference."""
    listed: dict[str, Action]
    """By subcommand or flag."""


class _Flags(Struct, frozen=True):
    writes: dict[str, str] = {}
    reads: dict[str, str] = {}
    anything: str = ""
    valued: dict[str, str] = {}


class _Wrappers(Struct, frozen=True):
    plain: dict[str, str] = {}
    counted: str = ""
    named: str = ""


class _Tools(Struct, frozen=True):
    reads: str = ""
    writes: str = ""
    writes_anywhere: str = ""
    runs: str = ""
    waits: str = ""
    waiting_names: str = ""
    notes: str = ""


class Touches(Struct, frozen=True):
    """The resources that a program reads and changes; `PATHS` for the words behind it."""

    reads: str = ""
    writes: str = ""


class _Checks(Struct, frozen=True):
    programs: str = ""
    subcommands: str = ""
    runners: str = ""
    words: str = ""


class _Proven(Struct, frozen=True):
    programs: str = ""
    subcommands: str = ""
    unless: dict[str, str] = {}
    shells: str = ""
    shell_words: str = ""
    sql_words: str = ""
    other_arguments: str = ""


class Proven(Struct, frozen=True):
    """Programs and words that surely change nothing, for advice that would be harmful were it
    wrong.
    """

    commands: frozenset[str]
    """Programs, with their subcommand where they have some."""
    unless: dict[str, frozenset[str]]
    """Program -> flags with which it may write after all."""
    shells: frozenset[str]
    """Words that name a shell."""
    shell_words: frozenset[str]
    """Words that may stand beside these in the name of a tool that is nothing but a shell."""
    sql_words: frozenset[str]
    """Words of the names of tools that only run SQL."""
    other_arguments: frozenset[str]
    """Further arguments of such tools that change nothing."""


class _File(Struct, frozen=True):
    programs: _Programs = _Programs()
    subcommands: dict[str, _Subcommands] = {}
    flags: _Flags = _Flags()
    wrappers: _Wrappers = _Wrappers()
    tools: _Tools = _Tools()
    rename: dict[str, str] = {}
    touches: dict[str, Touches] = {}
    checks: _Checks = _Checks()
    proven: _Proven = _Proven()


class Rules:
    def __init__(self, read: list[_File]) -> None:
        self.programs: dict[str, Action] = {}
        """Program -> what it does."""
        self.subcommands: dict[str, Subcommands] = {}
        """Program, or program and subcommand -> what it does."""
        self.writing_flags: dict[str, frozenset[str]] = {}
        self.reading_flags: dict[str, frozenset[str]] = {}
        self.harmless: frozenset[str] = frozenset()
        """Flags with which any program only tells something about itself."""
        self.valued: dict[str, frozenset[str]] = {}
        """Program -> flags before its subcommand that take a value."""
        self.wrappers: dict[str, frozenset[str]] = {}
        """Programs that run the command behind them -> their flags that take a value."""
        self.counted: frozenset[str] = frozenset()
        """Wrappers whose first word is a duration."""
        self.named: frozenset[str] = frozenset()
        """Wrappers whose first word is the place to run in."""
        self.tools: dict[str, frozenset[str]] = {}
        """Words of tool names by what they say."""
        self.rename: dict[str, str] = {}
        """Program -> the name it is to be reported under."""
        self.touches: dict[str, Touches] = {}
        """Program with subcommand -> its resources, where they are known without its words."""
        self.checks: set[str] = set()
        """Programs, with their subcommand, that run code and leave sources as they are."""
        self.runners: set[str] = set()
        """Programs that run a task by its name."""
        self.checking: set[str] = set()
        """Words of a task's name that make it a check."""
        self.proven = Proven(frozenset(), {}, *[frozenset[str]()] * 4)
        """Commands that surely change nothing."""
        for file in read:
            self._lay(file)

    def _lay(self, read: _File) -> None:
        for action in _ACTIONS:
            self.programs.update(dict.fromkeys(getattr(read.programs, action).split(), action))
        for program, sub in read.subcommands.items():
            listed: dict[str, Action] = {}
            for action in _ACTIONS:
                listed.update(dict.fromkeys(getattr(sub, action).split(), action))
            self.subcommands[program] = Subcommands(sub.default, sub.bare, sub.single, listed)
        self.writing_flags.update(_words(read.flags.writes))
        self.reading_flags.update(_words(read.flags.reads))
        self.harmless |= frozenset(read.flags.anything.split())
        self.valued.update(_words(read.flags.valued))
        self.wrappers.update(_words(read.wrappers.plain))
        self.counted |= frozenset(read.wrappers.counted.split())
        self.named |= frozenset(n for n in read.wrappers.named.split(";") if n)
        for field in _Tools.__struct_fields__:
            words = frozenset(getattr(read.tools, field).split())
            self.tools[field] = self.tools.get(field, frozenset()) | words
        self.rename.update(read.rename)
        self.touches.update(read.touches)
        self.checks.update(read.checks.programs.split(), read.checks.subcommands.splitlines())
        self.runners.update(read.checks.runners.splitlines())
        self.checking.update(read.checks.words.split())
        self.proven = _merge_rules(self.proven, read.proven)


def _merge_rules(base: Proven, more: _Proven) -> Proven:
    return Proven(
        base.commands.union(more.programs.split(), more.subcommands.splitlines()),
        base.unless | _words(more.unless),
        base.shells.union(more.shells.split()),
        base.shell_words.union(more.shell_words.split()),
        base.sql_words.union(more.sql_words.split()),
        base.other_arguments.union(more.other_arguments.split()),
    )


def _words(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in table.items()}


@lru_cache(maxsize=1)
def default_rules() -> Rules:
    return Rules([_load_bundled()])


def load_rules(path: Path) -> Rules:
    """The bundled rules with those of a TOML file laid over them."""
    try:
        decoded: Any = tomllib.loads(read_regular(path).decode())
        user_rules = convert(decoded, _File)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise InputError(
            f"{path}: expected TOML with [programs], [subcommands], [flags], [wrappers], [tools] or"
            f" [touches] as in the guide on scheduling, found: {error}"
        ) from None
    return Rules([_load_bundled(), user_rules])


def _load_bundled() -> _File:
    text = files(__package__).joinpath("rules.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), _File)
