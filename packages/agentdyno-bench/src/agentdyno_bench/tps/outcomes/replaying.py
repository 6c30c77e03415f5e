"""Calls of a transcript, made again in a fresh world: what they gave, and what they left behind.

Results that a transcript claims are never believed; the world is deterministic, so making the calls
again shows what really happened. Only calls that ran are made again: what was refused before it
reached a service (a tool that was not offered, arguments against its schema) had no effect.
"""

from collections.abc import Iterable
from typing import Any, Protocol

from msgspec import Struct

from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.kit.server import State


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


class Replay(Struct, frozen=True):
    """Result of making the calls again."""

    answered: list[Answered]
    """Calls that succeeded, in order."""
    failed: int
    """Calls that did not run or that the services refused."""
    states: dict[str, State]
    """What every server holds that was called."""


def replay(calls: Iterable[AnyCall], world_seed: int, faults: float = 0.0) -> Replay:
    """Makes the calls that ran in a fresh world."""
    world = World(world_seed, faults, timed=False)
    answered, failed = list[Answered](), 0
    for call in calls:
        if not call.ran:
            failed += 1
            continue
        outcome = world.call(call.tool, call.arguments if isinstance(call.arguments, dict) else {})
        if outcome.error is None:
            answered.append(Answered(call.tool, call.arguments, outcome.value))
        else:
            failed += 1
    return Replay(answered, failed, world.states())
