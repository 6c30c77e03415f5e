"""Completion by program: which subtasks are done, by evidence, answer and state.

A subtask is done when
- a call to a tool that can serve it succeeded, and its arguments and result hold what the subtask
  is about and what it must bring (evidence),
- the final answer states what it asks for, where it asks for anything,
- the world holds the row that it must leave, where it must leave one.

Enters what was executed, leaves the ids of the subtasks that are done. Nothing is judged.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from agentdyno.benchmarks.tps.tasks.matching import contains_words, holds, states
from agentdyno.benchmarks.tps.tasks.values import CompoundTask, StateCheck, Subtask

StateOf = Callable[[str], dict[str, dict[str, dict[str, Any]]]]
"""The state of a server by its name."""


class MadeCall(Struct, frozen=True):
    """One executed call with what came of it."""

    turn: int
    """The turn with calls that made it, from 0."""
    tool: str
    """The tool's prefixed name."""
    arguments: Any
    """What was asked."""
    result: Any
    """What came back, decoded."""
    error: str | None
    """What went wrong; None when nothing did."""
    latency_seconds: float
    """How long the service took, or would have taken."""


def completed_subtasks(
    task: CompoundTask, calls: list[MadeCall], answer: str, state_of: StateOf
) -> list[str]:
    """The subtasks that are done, in the task's order."""
    return [
        s.subtask_id
        for s in task.subtasks
        if first_evidence(s, calls) is not None
        and all(states(answer, value) for value in s.answer)
        and (s.state is None or _left(s.state, state_of))
    ]


def first_evidence(subtask: Subtask, calls: list[MadeCall]) -> int | None:
    """The place of the first call that did the subtask; None when none did."""
    wanted = [*subtask.about, *subtask.evidence]
    for place, call in enumerate(calls):
        if call.error is None and call.tool in subtask.serves:
            found = [call.arguments, call.result]
            if all(holds(found, value) for value in wanted):
                return place
    return None


def _left(check: StateCheck, state_of: StateOf) -> bool:
    rows = state_of(check.server).get(check.collection, {}).values()
    return any(_fits(row, check) for row in rows)


def _fits(row: dict[str, Any], check: StateCheck) -> bool:
    return all(row.get(field) == value for field, value in check.equals.items()) and all(
        _stands_in(row.get(field), value)
        for field, values in check.contains.items()
        for value in values
    )


def _stands_in(field: Any, value: Any) -> bool:
    if isinstance(field, list):
        return value in field
    if isinstance(value, (int, float)):
        return states(str(field), value)
    return contains_words(str(field), str(value)) or states(str(field), value)
