"""An exercise: something that a user wants, with the calls that bring it and what to submit.

Takes a world and exercises, makes their calls level by level and returns the results; None when a
call fails, when a value is not clear, or when there is too much to read. Where exercises come from
is the business of `natural` and `mechanical`.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.tasks.references import (
    Results,
    UnclearError,
    find_needed,
    plain_references,
    resolve,
)
from agentdyno_bench.tps.world import World
from agentdyno_train.weighing import drop_repeated, weigh_rows

LONGEST = 2_900
"""Characters of one result; the dialect cuts at 3,000."""


class Step(Struct, frozen=True):
    """One call of an exercise."""

    step_id: str
    """`s1`, `s2`, … within its exercise."""
    tool: str
    arguments: dict[str, Any]
    """Its arguments; values of earlier results as references."""
    after: list[str] = []
    """Steps that come first although no value comes from them."""

    @property
    def needs(self) -> list[str]:
        """Steps that must be done first."""
        return [*find_needed(self.arguments), *self.after]


class AnswerField(Struct, frozen=True):
    """A value of the answer."""

    label: str
    at: Any
    """A reference to the value in a result."""


class Exercise(Struct, frozen=True):
    """One request with the calls that serve it."""

    request: str
    """Text of the user's message."""
    steps: list[Step]
    """The calls, in an order in which they can be made."""
    subject: str
    """What it is about, in the user's words."""
    answer_fields: list[AnswerField]
    """Fields of the answer; empty when doing it is enough."""


class PerformedCall(Struct, frozen=True):
    """A call that was executed."""

    tool: str
    arguments: dict[str, Any]
    """Arguments, with references resolved."""
    value: Any
    """The value that came back."""
    text: str
    ran: bool = True
    """Whether it was executed: what is performed is."""


class ExerciseRun(Struct, frozen=True):
    """The results of exercises that were done together."""

    levels: list[list[PerformedCall]]
    """Calls by turn: those of one turn were executed at the same time."""
    results: list[Results]
    """Results of every exercise by step."""
    thoughts: list[str]
    """What is weighed before each level of calls, and last before the answer; may be empty."""

    @property
    def calls(self) -> list[PerformedCall]:
        """Every executed call, in order."""
        return [step for level in self.levels for step in level]


def run_exercises(world_seed: int, exercises: Sequence[Exercise]) -> ExerciseRun | None:
    """Does exercises together, each call as early as it can be; None when one fails."""
    world = World(world_seed)
    results: list[Results] = [{} for _ in exercises]
    levels: list[list[PerformedCall]] = []
    thoughts: list[str] = []
    try:
        while ready := _ready(exercises, results):
            thoughts.append(drop_repeated(_before_calls(exercises, ready, results), thoughts))
            planned = [(i, step, resolve(step.arguments, results[i])) for i, step in ready]
            calls = [(i, step, _perform(world, step, arguments)) for i, step, arguments in planned]
            for i, step, call in calls:
                results[i][step.step_id] = call.value
            levels.append([call for _, _, call in calls])
        pairs = list(zip(exercises, results, strict=True))
        for exercise, values in pairs:
            _check_fields(exercise, values)
        weighed = [line for exercise, values in pairs for line in _before_answer(exercise, values)]
        thoughts.append(drop_repeated(weighed, thoughts))
    except UnclearError:
        return None
    return ExerciseRun(levels, results, thoughts)


def _before_calls(
    exercises: Sequence[Exercise], ready: Sequence[tuple[int, Step]], results: Sequence[Results]
) -> list[str]:
    return [
        line
        for number, step in ready
        for line in weigh_rows(
            exercises[number].subject, plain_references(step.arguments), results[number]
        )
    ]


def _before_answer(exercise: Exercise, results: Results) -> list[str]:
    references = [
        at for answer_fields in exercise.answer_fields for at in plain_references(answer_fields.at)
    ]
    return weigh_rows(exercise.subject, references, results)


def _ready(exercises: Sequence[Exercise], results: Sequence[Results]) -> list[tuple[int, Step]]:
    return [
        (number, step)
        for number, (exercise, values) in enumerate(zip(exercises, results, strict=True))
        for step in exercise.steps
        if step.step_id not in values and all(need in values for need in step.needs)
    ]


def _perform(world: World, step: Step, arguments: dict[str, Any]) -> PerformedCall:
    outcome = world.call(step.tool, arguments)
    if outcome.error is not None or len(outcome.text) > LONGEST:
        raise UnclearError(f"{step.tool}: {outcome.error or 'too long'}")
    return PerformedCall(step.tool, arguments, outcome.value, outcome.text)


def _check_fields(exercise: Exercise, results: Results) -> None:
    """Every field has to be a plain value, or a list of such."""
    for field in exercise.answer_fields:
        value = resolve(field.at, results)
        plain = value if isinstance(value, list) else [value]
        if any(item is None or isinstance(item, (dict, list)) for item in plain):
            raise UnclearError(f"{field.label} cannot be said")
