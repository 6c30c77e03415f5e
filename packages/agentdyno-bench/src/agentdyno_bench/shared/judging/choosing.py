"""Which kinds of verdict can be asked for: built-in ones and those of plug-ins, by one door.

Takes a name and what the user handed over, returns the `Kind` that puts the questions. The entry
point group is `agentdyno.judge_kinds`; each names a `JudgeKind`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from msgspec import Struct

from agentdyno.plugins import load_plugins
from agentdyno.records import InputError, printable
from agentdyno_bench.shared.verdicts.kinds import Kind
from agentdyno_bench.shared.verdicts.options import JudgeOptions

GROUP = "agentdyno.judge_kinds"


class Truth(Struct, frozen=True):
    """The user's facts about the tasks."""

    tasks: str | None = None
    """`bundled`, or the path of tasks."""
    references: Path | None = None
    """A file of right answers."""
    report: Callable[[str], None] = lambda line: None
    """Called with every line that was skipped."""


class JudgeKind(Struct, frozen=True):
    """A kind of verdict that can be asked for."""

    name: str
    """What `--kind` takes."""
    title: str
    build: Callable[[JudgeOptions, Truth], Kind]
    """Makes what puts the questions."""
    takes: tuple[Literal["tasks", "references"], ...] = ()
    """What of the truth it can use; the rest is refused."""


def load_kinds() -> dict[str, JudgeKind]:
    """Every installed kind by name, built-in ones first."""
    return load_plugins(GROUP, JudgeKind)[0]


def choose_kind(name: str, truth: Truth) -> JudgeKind:
    """The kind that the user asked for; refuses what does not go with it."""
    kinds = load_kinds()
    if name not in kinds:
        raise InputError(f"No kind {printable(name, 60)!r}. Known: {', '.join(kinds)}.")
    for option in ("tasks", "references"):
        if getattr(truth, option) is not None and option not in kinds[name].takes:
            fit = " or ".join(kind.name for kind in kinds.values() if option in kind.takes)
            raise InputError(f"--{option} goes with --kind {fit}, found --kind {name}.")
    return kinds[name]
