"""A server of the world: tools over data that come from a seed, and a state that calls change.

Takes a tool's name and its arguments, returns an `Outcome`. The state is a dictionary of
collections, each a dictionary of rows by id. Rows are values: a change puts a new row in the place
of the old one, so that what changed since the beginning is found by identity. Servers of one world
see each other's books: a flight is paid from the bank account. Knows nothing of MCP; `kit.mcp`
serves it.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import msgspec
from msgspec import Struct

from agentdyno_bench.tps.world.kit.chance import reference, share
from agentdyno_bench.tps.world.kit.errors import ServiceError
from agentdyno_bench.tps.world.kit.tool import Tool, tools_of

Row = dict[str, Any]
State = dict[str, dict[str, Row]]

FAILED_SECONDS = 0.05
"""Services refuse faster than they answer."""
TIMEOUT_SECONDS = 10.0
"""What a call takes that is given up."""
SLOW_SHARE, SLOWEST = 0.06, 8.0
"""The tail: this share of all calls takes up to so many times as long as usual."""
UNTIL_MIDNIGHT = 15 * 3600
"""Quotas are counted by the day, and it is always nine in the morning."""
_canonical = msgspec.json.Encoder(order="sorted").encode
_encode = msgspec.json.encode


class Outcome(Struct, frozen=True):
    """Result of one call."""

    value: Any
    """The result, or `{"error": {...}}`."""
    error: str | None
    """The error's code; None when the call succeeded."""
    latency_seconds: float
    """What the service took, or would have taken."""

    @property
    def text(self) -> str:
        """The result as the agent sees it."""
        return _encode(self.value).decode()


class Neighbours(Protocol):
    """The world as its servers see it."""

    faults: float
    """Share of calls that fail for no reason of the caller's."""
    quotas: bool
    """Whether services count how often they are asked."""
    timed: bool
    """Whether anybody wants to know how long a call took."""

    def server(self, name: str) -> "Server":
        """Another server of the same world."""

    def find_started(self, name: str) -> "Server | None":
        """Another server, if anybody has called it; its state is untouched otherwise."""


class Server:
    """Base of all servers. One instance is one workspace: its state is nobody else's."""

    name: ClassVar[str]
    """The prefix of its tools."""
    title: ClassVar[str]
    """What the service calls itself."""
    about: ClassVar[str]
    """What it is for, in a sentence."""
    version: ClassVar[str] = "1.4.0"
    """What it announces to clients."""
    tools: ClassVar[dict[str, Tool]]

    def __init_subclass__(cls) -> None:
        cls.tools = tools_of(cls)

    def __init__(self, seed: int, world: Neighbours) -> None:
        self.seed = seed
        self.world = world
        self.state: State = {
            name: dict(rows) for name, rows in first_state(type(self), seed).items()
        }
        self._used: dict[str, int] = {}
        self._tried: dict[bytes, int] = {}

    def first_state(self) -> State:
        """The service's state before the first call."""
        return {}

    def call(self, name: str, arguments: Mapping[str, object]) -> Outcome:
        """Answers a call; a refusal is an outcome, not an exception."""
        tool = self.tools.get(name)
        if tool is None:
            return _refuse(ServiceError("unknown_tool", f"{self.name} has no tool '{name}'."))
        try:
            checked = tool.read(arguments)
            self._break(tool, arguments)
            self._count(tool)
            value = getattr(self, name)(**checked)
        except ServiceError as error:
            return _refuse(error)
        timed = self.world.timed
        return Outcome(value, None, self.latency(tool, arguments) if timed else 0.0)

    def _break(self, tool: Tool, arguments: Mapping[str, object]) -> None:
        """Fails now and then, by the seed; the same call tried again is drawn again."""
        if not self.world.faults:
            return
        key = _canonical([tool.name, arguments])
        tries = self._tried[key] = self._tried.get(key, 0) + 1
        drawn = share(self.seed, "fault", self.name, key, tries)
        if drawn < self.world.faults / 2:
            raise ServiceError("unavailable", f"503: {self.title} is unavailable; try again.")
        if drawn < self.world.faults:
            raise ServiceError("timeout", f"504: {self.title} did not answer in time; try again.")

    def quota(self, tool: Tool) -> int | None:
        """How often a tool may be called in a day here; None without limit."""
        if tool.quota is None or not self.world.quotas:
            return None
        least, most = tool.quota
        return least + int((most - least + 1) * share(self.seed, "quota", self.name, tool.name))

    def _count(self, tool: Tool) -> None:
        quota = self.quota(tool)
        if quota is None:
            return
        self._used[tool.name] = self._used.get(tool.name, 0) + 1
        if self._used[tool.name] > quota:
            raise ServiceError(
                "rate_limited",
                f"429: {tool.name} allows {quota} requests a day and all are used; "
                f"retry after {UNTIL_MIDNIGHT} seconds.",
                retry_after=UNTIL_MIDNIGHT,
            )

    def latency(self, tool: Tool, arguments: Mapping[str, object]) -> float:
        """The declared latency, a quarter more or less by the arguments; a few calls take long."""
        key = _canonical(arguments)
        spread = share(self.seed, "latency", self.name, tool.name, key)
        tail = share(self.seed, "tail", self.name, tool.name, key)
        slow = 1 + (SLOWEST - 1) * (1 - tail / SLOW_SHARE) if tail < SLOW_SHARE else 1.0
        return round(tool.latency_seconds * (0.75 + 0.5 * spread) * slow, 3)

    def new_id(self, prefix: str, *key: object) -> str:
        """An identifier for something that a call made; the same call makes the same."""
        return reference(prefix, self.seed, self.name, *key)

    def row(self, collection: str, key: str, what: str) -> Row:
        """A row of the state, or the error that says there is none."""
        rows = self.state.get(collection, {})
        if key not in rows:
            raise ServiceError("not_found", f"No {what} '{key}'.")
        return rows[key]

    def keep(self, collection: str, key: str, row: Row) -> Row:
        """Adds or replaces a row and gives it back."""
        self.state.setdefault(collection, {})[key] = row
        return row


_first: dict[tuple[str, int], State] = {}


def first_state(kind: type[Server], seed: int) -> State:
    """The first state of a server of this kind; never to be changed by its readers."""
    key = (kind.name, seed)
    if key not in _first:
        bare = kind.__new__(kind)
        bare.seed = seed
        _first[key] = bare.first_state()
    return _first[key]


def _refuse(error: ServiceError) -> Outcome:
    fields: Row = {"code": error.code, "message": error.message}
    if error.retry_after is not None:
        fields["retry_after_seconds"] = error.retry_after
    seconds = TIMEOUT_SECONDS if error.code == "timeout" else FAILED_SECONDS
    return Outcome({"error": fields}, error.code, seconds)
