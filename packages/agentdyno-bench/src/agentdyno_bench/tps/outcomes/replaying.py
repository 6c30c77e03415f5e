"""Calls of a transcript, made again in a fresh world: what they gave, and what they left behind.

Results that a transcript claims are never believed; the world is deterministic, so making the calls
again shows what really happened. Only calls that ran are made again: what was refused before it
reached a service (a tool that was not offered, arguments against its schema) had no effect.

What an attempt wrote proves nothing when it is read back: a result has the rows of notes, events,
documents and mail that the attempt added left out, and those that it changed as they were at first.

What reaches other people is taken down when it happens: a file that was shared and then deleted
was read.
"""

from collections.abc import Iterable
from typing import Any, Protocol

from msgspec import Struct

from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools, server_class
from agentdyno_bench.tps.world.kit.server import Row, State, first_state

COMPOSED = frozenset({"calendar", "notes", "documents", "mail"})
"""Services whose rows hold what a caller writes and nothing of their own."""
REACHES = frozenset({"attendees", "shared_with"})
"""Fields whose members are other people."""


class AnyCall(Protocol):
    """A call as any agent's transcript has it."""

    @property
    def tool(self) -> str:
        """The tool's prefixed name."""

    @property
    def arguments(self) -> Any:
        """Arguments of the call."""

    @property
    def ran(self) -> bool:
        """True when the tool was executed; a call that was only written brings nothing."""


class Answered(Struct, frozen=True):
    """A call that a service answered."""

    tool: str
    arguments: Any
    result: Any
    """What it gave, without what the attempt itself had written."""


class Reached(Struct, frozen=True):
    """A person whom a call let have something."""

    server: str
    collection: str
    key: str
    field: str
    person: str


class Replay(Struct, frozen=True):
    """Result of making the calls again."""

    answered: list[Answered]
    """Calls that succeeded, in order."""
    failed: int
    """Calls that did not run or that the services refused."""
    states: dict[str, State]
    """What every server holds that was called."""
    reached: list[Reached]
    """Who was reached, in order, whatever was undone afterwards."""


def replay(calls: Iterable[AnyCall], world_seed: int, faults: float = 0.0) -> Replay:
    """Makes the calls that ran in a fresh world."""
    world, tools = World(world_seed, faults, timed=False), all_tools()
    answered, failed, written = list[Answered](), 0, list[Any]()
    reached = dict[Reached, None]()
    for call in calls:
        if not call.ran:
            failed += 1
            continue
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        outcome = world.call(call.tool, arguments)
        if outcome.error is not None:
            failed += 1
            continue
        if tools[call.tool].writes:
            written += leaves(arguments)
            reached |= dict.fromkeys(_find_reached(world, call.tool))
        result = _Original(world, call.tool, written).restore(outcome.value)
        answered.append(Answered(call.tool, call.arguments, result))
    return Replay(answered, failed, world.states(), list(reached))


def leaves(value: Any) -> list[Any]:
    """Every text and number within a value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if isinstance(value, str | int | float) else []


def _find_reached(world: World, tool: str) -> Iterable[Reached]:
    """People on the rows of a service that were not on them at first."""
    server = tool.partition("_")[0]
    first = first_state(server_class(server), world.seed)
    for collection, rows in world.state(server).items():
        for key, row in rows.items():
            before = first.get(collection, {}).get(key)
            if row is not before:
                for field in REACHES & row.keys():
                    known = (before or {}).get(field) or []
                    for person in set(row[field] or ()) - set(known):
                        yield Reached(server, collection, key, field, str(person))


class _Original:
    """The rows of a service as they were before the attempt."""

    def __init__(self, world: World, tool: str, written: list[Any]) -> None:
        server = tool.partition("_")[0]
        self._is_composed, self._written = server in COMPOSED, written
        self._added, self._changed = set[str](), dict[str, Row]()
        first = first_state(server_class(server), world.seed)
        for collection, rows in world.state(server).items():
            self._compare(first.get(collection, {}), rows)

    def _compare(self, first: dict[str, Row], rows: dict[str, Row]) -> None:
        for key, row in rows.items():
            before = first.get(key)
            if before is None:
                self._added.add(key)
            elif before is not row and self._is_composed:
                self._changed[key] = before

    def restore(self, value: Any) -> Any:
        """A result without what was written, and with changed rows as they were."""
        if not self._added and not self._changed:
            return value
        if isinstance(value, list):
            return [self.restore(item) for item in value]
        if not isinstance(value, dict):
            return value
        texts = {item for item in value.values() if isinstance(item, str)}
        if ids := self._added & texts:
            return {k: v for k, v in value.items() if self._is_news(v, ids)}
        before = next((self._changed[t] for t in texts if t in self._changed), None)
        if before is not None:
            return {key: before[key] for key in value if key in before}
        return {key: self.restore(item) for key, item in value.items()}

    def _is_news(self, value: Any, ids: set[str]) -> bool:
        """True when an added row holds a value of the service's own: its id, or a price."""
        if isinstance(value, str) and value in ids:
            return True
        return not self._is_composed and value not in self._written
