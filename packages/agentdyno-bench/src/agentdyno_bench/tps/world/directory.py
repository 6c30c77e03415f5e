"""Which servers there are, and a world in one process without any transport.

The same `Server.call` answers here and behind MCP, so a plan that works in this process works over
a connection; `tests` hold the two together.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from agentdyno.records import InputError, printable
from agentdyno_bench.tps.world.kit.server import Outcome, Server, State
from agentdyno_bench.tps.world.kit.tool import Tool

SERVERS: dict[str, str] = {
    "weather": "Weather",
    "calendar": "Calendar",
    "maps": "Maps",
    "websearch": "WebSearch",
    "flights": "Flights",
    "hotels": "Hotels",
    "restaurants": "Restaurants",
    "shopping": "Shopping",
    "finance": "Finance",
    "news": "News",
    "mail": "Mail",
    "documents": "Documents",
    "notes": "Notes",
    "media": "Media",
    "convert": "Convert",
}
"""Module of this package -> its class. The order is the order of every list of servers."""

DEFAULT_SEED = 7
"""The seed that the bundled tasks were made with."""

SEPARATOR = "_"
"""Between server and tool in the name that an agent sees: `weather_daily_forecast`."""


def server_class(name: str) -> type[Server]:
    """A server's class by the server's name."""
    if name not in SERVERS:
        raise InputError(
            f"expected one of the servers {', '.join(SERVERS)}; found {printable(name)!r}."
        )
    module = import_module(f"agentdyno_bench.tps.world.{name}")
    kind: type[Server] = getattr(module, SERVERS[name])
    return kind


@cache
def all_tools() -> dict[str, Tool]:
    """Every tool by its prefixed name."""
    return {
        f"{name}{SEPARATOR}{tool.name}": tool
        for name in SERVERS
        for tool in server_class(name).tools.values()
    }


class World:
    """All servers in this process, with a state of their own and common books."""

    def __init__(
        self,
        seed: int = DEFAULT_SEED,
        faults: float = 0.0,
        quotas: bool = True,
        timed: bool = True,
    ) -> None:
        self.seed = seed
        self.faults = faults
        self.quotas = quotas
        self.timed = timed
        self._servers: dict[str, Server] = {}

    def server(self, name: str) -> Server:
        """A server, started when first asked for."""
        if name not in self._servers:
            self._servers[name] = server_class(name)(self.seed, self)
        return self._servers[name]

    def find_started(self, name: str) -> Server | None:
        """A server that somebody has called; None when its state is as at first."""
        return self._servers.get(name)

    def call(self, tool: str, arguments: Mapping[str, object]) -> Outcome:
        """Calls a tool by its prefixed name."""
        name, _, tool_name = tool.partition(SEPARATOR)
        if name not in SERVERS:
            return unknown_tool(tool)
        return self.server(name).call(tool_name, arguments)

    def state(self, name: str) -> State:
        """The state of a server."""
        return self.server(name).state

    def states(self) -> dict[str, State]:
        """The state of every server that was called."""
        return {name: server.state for name, server in self._servers.items()}


def unknown_tool(tool: str) -> Outcome:
    """Outcome of calling a tool that no server has."""
    message = f"There is no tool '{printable(tool, 80)}'."
    return Outcome({"error": {"code": "unknown_tool", "message": message}}, "unknown_tool", 0.0)
