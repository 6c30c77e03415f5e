"""Executed calls, and which of them did a step of the reference plan.

A call did a step when its tool can serve the step and its arguments and result hold what the step
is about and what it must bring. Schedules are measured by this; marks are not (see `outcomes`).
"""

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.tasks.matching import holds
from agentdyno_bench.tps.tasks.values import Subtask


class ExecutedCall(Struct, frozen=True):
    """One call that an agent wrote, with what came of it."""

    turn: int
    """The turn with calls that made it, from 0."""
    tool: str
    arguments: Any
    result: Any
    """What came back, decoded."""
    error: str | None
    """What went wrong; None when nothing did."""
    latency_seconds: float
    """How long the service took, or would have taken."""
    ran: bool
    """Whether the tool was executed, as the tool itself notes. A tool that was not offered and
    arguments against its schema are refused before."""


def first_evidence(
    subtask: Subtask, calls: list[ExecutedCall], earlier: Collection[int] = ()
) -> int | None:
    """The place of the first call that did the subtask; None when none did. `earlier` calls did
    what an earlier message of the user asked for: a second letter is not the first one again."""
    expected = [*subtask.about, *subtask.evidence]
    for index, call in enumerate(calls):
        if index in earlier or not call.ran or call.error is not None:
            continue
        if call.tool in subtask.serves:
            evidence = [call.arguments, call.result]
            if all(holds(evidence, value) for value in expected):
                return index
    return None
