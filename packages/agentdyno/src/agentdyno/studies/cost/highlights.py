"""What the head of a report names, as values: the bill, the most expensive file, the costliest
pause and MCP servers that nobody called."""

from typing import Literal

from msgspec import Struct

BillGrouping = Literal["day", "week", "month", "session"]


class BillBar(Struct, frozen=True, kw_only=True):
    """The money of one day, week, month or session."""

    name: str
    """2026-02-08, 2026-W06, 2026-02, or the session's main trajectory."""
    title: str | None
    """The title of a session."""
    usd: float
    parts: dict[str, float]
    """What it was charged for: read, write, lost, output, fresh or other; only what is not zero."""


class Bill(Struct, frozen=True):
    """What the money of a ledger was charged for."""

    by: BillGrouping
    """What a bar stands for; sessions where all turns are of one day, or most money has no time."""
    bars: list[BillBar]
    """In order of time, or the most expensive session first."""
    left_out: int
    """Sessions that have no bar."""
    usd: float
    """All money, that of sessions without a bar included."""
    parts: dict[str, float]
    """What all of it was charged for, as in a bar."""


class TopFile(Struct, frozen=True, kw_only=True):
    """The file that cost the most."""

    name: str
    calls: int
    """Calls that read or edited it."""
    cost: float
    """What they cost while they were in context, in the unit of the ledger."""
    trajectory_id: str
    """Where the most expensive of these calls is."""
    turn: int


class TopPause(Struct, frozen=True, kw_only=True):
    """The pause after which the most was paid for cached context again."""

    seconds: float
    usd: float
    title: str | None
    trajectory_id: str
    turn: int
    """The turn after the pause."""


class UnusedServer(Struct, frozen=True, kw_only=True):
    """An MCP server whose tools were in the context and never called."""

    name: str
    tools: list[str]
    """Its tools, as they were offered."""
    sessions: int
    tokens: float
    """Tokens that their schemas took in one context, at most."""
    cost: float | None
    """What the schemas cost over all turns, in the unit of the ledger."""


class Highlights(Struct, frozen=True):
    """What the head of a report names; None or empty where the ledger has none."""

    bill: Bill | None = None
    """What the money was charged for."""
    file: TopFile | None = None
    pause: TopPause | None = None
    unused_servers: list[UnusedServer] = []
    """MCP servers that nobody called, the most expensive first."""
    sessions: int | None = None
    """Sessions, sub-agents counted with theirs; None where the traces name neither a session nor a
    time."""
