"""Cuts the state around a call to a budget: the task, the call and its result get a third each at
most, and what is left goes to events."""

from msgspec import Struct

from agentdyno_bench.judges.evidence import Event
from agentdyno_bench.judges.evidence_budget import (
    CHARACTERS_PER_TOKEN,
    choose_events,
    describe_missing,
    shorten,
)
from agentdyno_bench.judges.utility.state import CallState

TASK_SHARE, CALL_SHARE = 1 / 3, 1 / 3


class Cut(Struct, frozen=True):
    """A state within its budget."""

    task: str
    """The task, perhaps shortened."""
    arguments: str
    """The request, perhaps shortened."""
    result: str | None
    """The result, perhaps shortened."""
    before: tuple[tuple[int, Event], ...]
    """The events that are shown, numbered from 1, perhaps shortened."""
    left_out: str
    """What is missing, in a sentence; empty when nothing is."""


def cut_to_budget(state: CallState, tokens: int) -> Cut:
    """The state in at most so many tokens, or a little more where that would be senseless."""
    room = tokens * CHARACTERS_PER_TOKEN
    task = shorten(state.task, int(room * TASK_SHARE))
    call_room = int(room * CALL_SHARE)
    arguments = shorten(state.arguments, call_room // 3)
    result = None if state.result is None else shorten(state.result, call_room - len(arguments))
    used = len(task) + len(arguments) + len(result or "")
    about = f"{state.arguments} {state.result or ''}"
    displayed = choose_events(state.before, about, max(room - used, 0))
    missing = describe_missing(state.before, displayed, task_cut=len(task) != len(state.task))
    return Cut(task, arguments, result, tuple(displayed.items()), missing)
