"""What a policy did with one task, as a value: all that rewards need, and nothing of the policy."""

from msgspec import Struct

from agentdyno_bench.tps.tasks.checking import MadeCall
from agentdyno_bench.tps.tasks.values import CompoundTask

NOT_OFFERED = "not_offered"
UNSOUND = "unsound_arguments"
BROKEN = "internal_error"
AT_THE_DOOR = frozenset({NOT_OFFERED, UNSOUND, BROKEN})
"""Errors that the environment gives itself: such calls never reached a service."""


class TurnTokens(Struct, frozen=True):
    """One model call, in tokens."""

    context: int
    """Tokens before the first that was generated."""
    generated: int
    """Tokens that were generated, the ending one included."""


class Attempt(Struct, frozen=True):
    """One attempt at one task."""

    task: CompoundTask
    """The task."""
    world_seed: int
    """The world that it was put in."""
    faults: float
    """Share of calls that failed for no reason of the policy's."""
    calls: list[MadeCall]
    """Every call that could be read, those refused at the door included."""
    malformed: int
    """Lines that look like a call and could not be read."""
    answer: str
    """The final answer; empty when there was none."""
    stopped: str
    """`answered`, `turn limit`, `token limit` or empty while it goes on."""
    tokens: list[TurnTokens] | None = None
    """Each model call; None when nobody counted."""

    @property
    def reached(self) -> list[MadeCall]:
        """Calls that a service saw."""
        return [call for call in self.calls if call.error not in AT_THE_DOOR]
