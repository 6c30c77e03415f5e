"""A policy's attempt at one task, as a value, and the cause of each missed goal.

uncalled          no tool that serves the step was called
refused           such tools were called, and every call failed
wrong_arguments   a call succeeded and did not bring what the step is about
unsaid            the value was there, and was not submitted, or another one was
undone            the step seems done and the state is not there: undone again, or another row

An attempt has all that rewards need, and nothing of the policy.
"""

from typing import Literal

from msgspec import Struct

from agentdyno_bench.tps.outcomes import AttemptMarks
from agentdyno_bench.tps.tasks.checking import ExecutedCall, first_evidence
from agentdyno_bench.tps.tasks.values import CompoundTask, Goal, Subtask

NOT_OFFERED = "not_offered"
UNSOUND = "unsound_arguments"
BROKEN = "internal_error"
"""Errors that the environment gives itself: such calls did not run."""
Cause = Literal["uncalled", "refused", "wrong_arguments", "unsaid", "undone"]


class TurnTokens(Struct, frozen=True):
    """One model call, in tokens."""

    context: int
    """Tokens before the first that was generated."""
    generated: int
    """Tokens that were generated, the ending one included."""


class Attempt(Struct, frozen=True):
    """One attempt at one task."""

    task: CompoundTask
    world_seed: int
    """The world that it was put in."""
    faults: float
    """Share of calls that failed for no reason of the policy's."""
    calls: list[ExecutedCall]
    """Every call that could be read, those that never reached a service included."""
    malformed: int
    """Lines that look like a call and could not be read."""
    answer: str
    """What was submitted last, as JSON; empty when nothing was."""
    stopped: str
    """`answered`, `nothing submitted`, `turn limit`, `token limit` or empty while it goes on."""
    tokens: list[TurnTokens] | None = None
    """Each model call; None when tokens were not counted."""
    earlier_answers: list[str] = []
    """What was submitted to messages before the user's last one."""

    @property
    def answers(self) -> list[str]:
        """The answer to each message of the user."""
        return [*self.earlier_answers, self.answer]

    @property
    def reached(self) -> list[ExecutedCall]:
        """Calls that a service saw."""
        return [call for call in self.calls if call.ran]


class Miss(Struct, frozen=True):
    """One goal that was missed."""

    goal_id: str
    step: str
    """The step of the reference plan that brings it."""
    cause: Cause
    """What went wrong, in a word."""
    reason: str


def misses(attempt: Attempt, marks: AttemptMarks) -> list[Miss]:
    """Every goal that was missed."""
    steps = {subtask.subtask_id: subtask for subtask in attempt.task.subtasks}
    goals = {goal.goal_id: goal for goal in attempt.task.goals}
    return [
        Miss(entry.goal_id, goal.step, _cause(attempt, steps[goal.step], goal), entry.reason)
        for entry in marks.goals
        if not entry.done and (goal := goals[entry.goal_id])
    ]


def _cause(attempt: Attempt, step: Subtask, goal: Goal) -> Cause:
    if first_evidence(step, attempt.reached) is not None:
        return "undone" if goal.slot is None else "unsaid"
    calls = [call for call in attempt.calls if call.tool in step.serves]
    if not calls:
        return "uncalled"
    return "refused" if all(call.error for call in calls) else "wrong_arguments"
