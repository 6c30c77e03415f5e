"""Why a wish was not granted, by what the policy did about the step that would have brought it.

uncalled          no tool that serves the step was called
refused           such tools were called, and every call failed
wrong_arguments   a call succeeded and did not bring what the step is about
unsaid            the value was there, and the answer does not give it as an answer
undone            the step seems done and the state is not there: undone again, or another row

Takes an attempt and its marks; returns a cause and the marks' own reason for each wish.
"""

from typing import Literal

from msgspec import Struct

from agentdyno_bench.tps.outcomes import AttemptMarks
from agentdyno_bench.tps.tasks.checking import first_evidence
from agentdyno_bench.tps.tasks.values import Subtask, Wish
from agentdyno_train.attempts import Attempt

Cause = Literal["uncalled", "refused", "wrong_arguments", "unsaid", "undone"]


class Miss(Struct, frozen=True):
    """One wish that was not granted."""

    wish_id: str
    """The wish."""
    step: str
    """The step of the reference plan that brings it."""
    cause: Cause
    """What went wrong, in a word."""
    reason: str
    """The marks' own words."""


def misses(attempt: Attempt, marks: AttemptMarks) -> list[Miss]:
    """Every wish that was not granted."""
    steps = {subtask.subtask_id: subtask for subtask in attempt.task.subtasks}
    wishes = {wish.wish_id: wish for wish in attempt.task.wishes}
    return [
        Miss(found.wish_id, wish.step, _cause(attempt, steps[wish.step], wish), found.reason)
        for found in marks.wishes
        if not found.done and (wish := wishes[found.wish_id])
    ]


def _cause(attempt: Attempt, step: Subtask, wish: Wish) -> Cause:
    if first_evidence(step, attempt.reached) is not None:
        return "undone" if wish.slot is None else "unsaid"
    mine = [call for call in attempt.calls if call.tool in step.serves]
    if not mine:
        return "uncalled"
    return "refused" if all(call.error for call in mine) else "wrong_arguments"
