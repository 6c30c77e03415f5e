"""An exercise: something that a user wants, with the calls that bring it and what to answer.

Takes a world and exercises, makes their calls level by level and returns the results and the
answer; None when a call fails, when a value is not clear, or when there is too much to read. Where
exercises come from is the business of `natural` and `mechanical`.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.tasks.references import (
    Results,
    UnclearError,
    needed,
    plain_references,
    resolve,
)
from agentdyno_bench.tps.world import World
from agentdyno_train.answer_lines import answer_line
from agentdyno_train.weighing import only_new, weighing

LONGEST = 2_900
"""Characters of one result; the dialect cuts at 3,000."""


class Step(Struct, frozen=True):
    """One call."""

    step_id: str
    """`s1`, `s2`, … within its exercise."""
    tool: str
    """The tool."""
    arguments: dict[str, Any]
    """Its arguments; values of earlier results as references."""
    after: list[str] = []
    """Steps that come first although no value comes from them."""

    @property
    def needs(self) -> list[str]:
        """Steps that must be done first."""
        return [*needed(self.arguments), *self.after]


class Said(Struct, frozen=True):
    """A value of the answer."""

    label: str
    """Its name, in words."""
    at: Any
    """A reference to it."""


class Exercise(Struct, frozen=True):
    """One wish."""

    asks: str
    """What the user says."""
    steps: list[Step]
    """The calls, in an order in which they can be made."""
    subject: str
    """What it is about, in the user's words."""
    said: list[Said]
    """What is answered; empty when it is enough that it is done."""


class MadeStep(Struct, frozen=True):
    """A call as it was made."""

    tool: str
    """The tool."""
    arguments: dict[str, Any]
    """Its arguments."""
    value: Any
    """What came back."""
    text: str
    """The same as text."""


class Played(Struct, frozen=True):
    """What came of exercises that were done together."""

    levels: list[list[MadeStep]]
    """Calls that were made at the same time, in order."""
    answers: list[str]
    """A line for every exercise."""
    results: list[Results]
    """Results of every exercise by step."""
    thoughts: list[str]
    """What is weighed before each level of calls, and last before the answer; may be empty."""

    @property
    def made(self) -> list[MadeStep]:
        """Every call."""
        return [step for level in self.levels for step in level]


def play(world_seed: int, exercises: Sequence[Exercise]) -> Played | None:
    """Does exercises together, each call as early as it can be; None when one fails."""
    world = World(world_seed)
    results: list[Results] = [{} for _ in exercises]
    levels: list[list[MadeStep]] = []
    thoughts: list[str] = []
    try:
        while ready := _ready(exercises, results):
            thoughts.append(only_new(_before_calls(exercises, ready, results), thoughts))
            asked = [(i, step, resolve(step.arguments, results[i])) for i, step in ready]
            made = [(i, step, _made(world, step, given)) for i, step, given in asked]
            for i, step, call in made:
                results[i][step.step_id] = call.value
            levels.append([call for _, _, call in made])
        done = list(zip(exercises, results, strict=True))
        answers = [_answer(exercise, found) for exercise, found in done]
        weighed = [line for exercise, found in done for line in _before_saying(exercise, found)]
        thoughts.append(only_new(weighed, thoughts))
    except UnclearError:
        return None
    return Played(levels, answers, results, thoughts)


def _before_calls(
    exercises: Sequence[Exercise], ready: Sequence[tuple[int, Step]], results: Sequence[Results]
) -> list[str]:
    return [
        line
        for number, step in ready
        for line in weighing(
            exercises[number].subject, plain_references(step.arguments), results[number]
        )
    ]


def _before_saying(exercise: Exercise, results: Results) -> list[str]:
    wanted = [at for said in exercise.said for at in plain_references(said.at)]
    return weighing(exercise.subject, wanted, results)


def _ready(exercises: Sequence[Exercise], results: Sequence[Results]) -> list[tuple[int, Step]]:
    return [
        (number, step)
        for number, (exercise, done) in enumerate(zip(exercises, results, strict=True))
        for step in exercise.steps
        if step.step_id not in done and all(need in done for need in step.needs)
    ]


def _made(world: World, step: Step, arguments: dict[str, Any]) -> MadeStep:
    outcome = world.call(step.tool, arguments)
    if outcome.error is not None or len(outcome.text) > LONGEST:
        raise UnclearError(f"{step.tool}: {outcome.error or 'too long'}")
    return MadeStep(step.tool, arguments, outcome.value, outcome.text)


def _answer(exercise: Exercise, results: Results) -> str:
    return answer_line(exercise.subject, [(s.label, _sayable(s, results)) for s in exercise.said])


def _sayable(said: Said, results: Results) -> Any:
    """A plain value, or a list of such; what was a whole figure in a text is one again."""
    value = resolve(said.at, results)
    if "pattern" in said.at and isinstance(value, float) and value.is_integer():
        return int(value)
    plain = value if isinstance(value, list) else [value]
    if any(item is None or isinstance(item, (dict, list)) for item in plain):
        raise UnclearError(f"{said.label} cannot be said")
    return value
