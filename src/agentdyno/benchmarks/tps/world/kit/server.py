"""A server of the world: tools over data that come from a seed, and a state that calls change.

Enters a tool's name and its arguments, leaves an `Outcome`. The state is a dictionary of
collections, each a dictionary of rows by id, so that a check by program can look for a row. Knows
nothing of MCP; `kit.mcp` serves it.
"""

import copy
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from agentdyno.benchmarks.tps.world.kit.chance import reference, share
from agentdyno.benchmarks.tps.world.kit.errors import ServiceError
from agentdyno.benchmarks.tps.world.kit.tool import Tool, tools_of

Row = dict[str, Any]
State = dict[str, dict[str, Row]]

FAILED_SECONDS = 0.05
"""Services refuse faster than they answer."""
_canonical = msgspec.json.Encoder(order="sorted").encode
_encode = msgspec.json.encode


class Outcome(Struct, frozen=True):
    """What one call gave."""

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


class Server:
    """Base of all servers. One instance is one workspace: its state is nobody else's."""

    name: ClassVar[str]
    """The prefix of its tools."""
    title: ClassVar[str]
    """What the service calls itself."""
    about: ClassVar[str]
    """What it is for, in a sentence."""
    tools: ClassVar[dict[str, Tool]]
    """Its tools by name."""

    def __init_subclass__(cls) -> None:
        cls.tools = tools_of(cls)

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.state: State = copy.deepcopy(self.first_state())
        self._used: dict[str, int] = {}

    def first_state(self) -> State:
        """What the service holds before anybody called."""
        return {}

    def call(self, name: str, arguments: dict[str, object]) -> Outcome:
        """Answers a call; a refusal is an outcome, not an exception."""
        tool = self.tools.get(name)
        if tool is None:
            return _refused(ServiceError("unknown_tool", f"{self.name} has no tool '{name}'."))
        try:
            given = tool.read(arguments)
            self._count(tool)
            value = getattr(self, name)(**given)
        except ServiceError as error:
            return _refused(error)
        return Outcome(value, None, self.latency(tool, arguments))

    def _count(self, tool: Tool) -> None:
        if tool.quota is None:
            return
        self._used[tool.name] = self._used.get(tool.name, 0) + 1
        if self._used[tool.name] > tool.quota:
            raise ServiceError(
                "rate_limited",
                f"429: {tool.name} allows {tool.quota} requests a day; try again tomorrow.",
            )

    def latency(self, tool: Tool, arguments: dict[str, object]) -> float:
        """The declared latency, a quarter more or less by the arguments."""
        spread = share(self.seed, "latency", self.name, tool.name, _canonical(arguments))
        return round(tool.latency_seconds * (0.75 + 0.5 * spread), 3)

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


def _refused(error: ServiceError) -> Outcome:
    value = {"error": {"code": error.code, "message": error.message}}
    return Outcome(value, error.code, FAILED_SECONDS)
