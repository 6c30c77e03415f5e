"""Exercises in the words of people: a prompt template with its blanks filled from a world.

Takes a template, a world's blanks and chance, returns an exercise that was tried in that world;
None when what was drawn does not work there (no such table, two equally cheap). Requests have no
ids: they come from earlier calls, as they would for an agent.
"""

import random
import re
from typing import Any

from agentdyno_bench.tps.tasks.references import Results, UnclearError, resolve
from agentdyno_train.exercises import AnswerField, Exercise, Step, run_exercises
from agentdyno_train.prompt_templates import PromptTemplate, Reference, Wording
from agentdyno_train.slots import Filled, Slots, write_out
from agentdyno_train.weighing import subject_of

ROWS = 5
"""Rows among which one is chosen that the user names."""
_BLANK = re.compile(r"\{([a-z]\w*)\}")


def natural_exercise(
    template: PromptTemplate, wording: Wording, world_seed: int, slots: Slots, rng: random.Random
) -> Exercise | None:
    """The template in this wording, tried; None when it does not work with what was drawn."""
    filled = slots.fill(_blanks(template, wording), rng)
    writer = _Writer(template, filled, rng.randrange(ROWS))
    run = run_exercises(world_seed, [Exercise("", writer.steps, "", [])])
    if run is None:
        return None
    try:
        return writer.exercise(wording, run.results[0], rng)
    except UnclearError:
        return None


def _blanks(template: PromptTemplate, wording: Wording) -> list[str]:
    """Names of blanks, in the order in which calls need them."""
    produced = {name for step in template.steps for name in step.taken}
    calls = [(step.arguments, step.taken) for step in template.steps]
    written = f"{calls} {[values.at for values in wording.values]} {wording.text}"
    return [name for name in dict.fromkeys(_BLANK.findall(written)) if name not in produced]


class _Writer:
    """Writes one template with its blanks filled."""

    def __init__(self, template: PromptTemplate, filled: Filled, row: int) -> None:
        self._filled, self._row = filled, row
        self._taken: dict[str, Reference] = {}
        self.steps: list[Step] = []
        for number, step in enumerate(template.steps, 1):
            before = [earlier.step_id for earlier in self.steps]
            arguments = {name: self._fill(value) for name, value in step.arguments.items()}
            self.steps.append(
                Step(f"s{number}", step.tool, arguments, before if step.waits else [])
            )
            for name, at in step.taken.items():
                self._taken[name] = self._reference(at, f"s{number}")

    def _fill(self, value: Any) -> Any:
        """An argument or a condition with its blanks filled."""
        if isinstance(value, list):
            return [self._fill(item) for item in value]
        blank = _BLANK.fullmatch(value) if isinstance(value, str) else None
        if blank is None:
            return value
        return self._taken[blank[1]] if blank[1] in self._taken else self._filled[blank[1]]

    def _reference(self, at: Reference, step_id: str) -> Reference:
        if at.get("take") == "any":
            return {"$from": step_id, "path": f"{at['list']}.{self._row}.{at['field']}"}
        where = [self._fill(test) for test in at.get("where", ())]
        return {"$from": step_id, **at} | ({"where": where} if where else {})

    def exercise(self, wording: Wording, results: Results, rng: random.Random) -> Exercise:
        """The exercise, in words that name what was found where the wording has it."""
        named = {n: self._look_up(n, results) for n in self._taken if f"{{{n}}}" in wording.text}
        last = self.steps[-1].step_id
        answer_fields = [
            AnswerField(values.label, self._reference(values.at, last)) for values in wording.values
        ]
        blanks = {name: write_out(name, value, rng) for name, value in self._filled.items()}
        names = [value for name, value in self._filled.items() if name != "text"]
        subject = subject_of([*named.values(), *names])
        return Exercise(wording.text.format(**blanks, **named), self.steps, subject, answer_fields)

    def _look_up(self, name: str, results: Results) -> Any:
        """A value that the user names; it must be the only one of that name."""
        at = self._taken[name]
        value = resolve(at, results)
        if str(results[at["$from"]]).count(repr(value)) > 1:
            raise UnclearError(f"two are called {value}")
        return value
