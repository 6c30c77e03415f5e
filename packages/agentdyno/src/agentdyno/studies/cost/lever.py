"""A lever as a value."""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit

LeverUnit = Literal[CostUnit, "seconds"]
Certainty = Literal["at most", "counted"]
Scope = Literal["user", "project"]
Kind = Literal["setting", "file", "habit"]


class FileEdit(Struct, frozen=True, kw_only=True):
    """One exact change to a file of an agent."""

    agent: str
    """The format that reads the agent's sessions."""
    file: str
    """Where the agent reads it from, `~` for the home folder."""
    key: list[str]
    """The setting, from the outside in; empty for a line of an instruction file."""
    value: Any
    """What it is set to, or the line."""
    adds: bool = False
    """Whether the value joins a list instead of taking its place."""

    def describe(self) -> str:
        """`in ~/.claude/settings.json set env.X to "1"`."""
        value = msgspec.json.encode(self.value).decode()
        if not self.key:
            return f"in {self.file} write {value}"
        verb, link = ("add", "to") if self.adds else ("set", "to")
        name = ".".join(self.key)
        return f"in {self.file} {verb} " + (
            f"{value} {link} {name}" if self.adds else f"{name} {link} {value}"
        )


class Lever(Struct, frozen=True, kw_only=True):
    """Something that could be changed, and what hangs on it."""

    name: str
    """cache_lifetime, unused_server:linear, section:CLAUDE.md # Tests, …"""
    kind: Kind = "habit"
    """What has to be changed: a setting, an instruction file, or what the user does."""
    agent: str | None = None
    """The format that reads the sessions of the agent whose setting it is; None: no one agent's."""
    scope: Scope = "user"
    """Whether it holds for all that the user does, or in the projects of `where` alone."""
    applies_to: str = ""
    """What it moves: all turns, all sub-agents, schemas of a server, …"""
    edits: list[FileEdit] = []
    """The exact changes; none for a habit, and where the agent has no such setting."""
    what: str
    """What to do, in a few words without figures."""
    where: list[str]
    """The projects, tools or settings it concerns, the largest first; as the trace has them."""
    amount: float
    """How much hangs on it, in `unit`."""
    low: float | None = None
    """The amount with fewer of the sessions that bring it: the lower end of a 95 % interval."""
    high: float | None = None
    """The upper end."""
    share: float
    """The amount over all of the cost in that unit."""
    unit: LeverUnit = "pte"
    """What is saved; PTE only where the ledger has one architecture."""
    certainty: Certainty
    """How sure the amount is."""
    assumption: str
    """What the figure takes for granted."""
    rows: int = 0
    """Rows of the ledger that the amount is the sum of."""
    evidence: str = ""
    """What in the ledger speaks for it; empty where the amount says all."""
    change: str = ""
    """The same changes in words, or what to do; empty where it cannot be named."""
    sessions: int = 0
    """Sessions that the amount is counted over."""
    days: int | None = None
    """The days that they are of, the last ones of the ledger; None: all of it."""
