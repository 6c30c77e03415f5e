"""Exercises in the words of people: an ask with its blanks filled from a world.

Takes an ask, a world's blanks and chance, returns an exercise that was tried in that world; None
when what was drawn does not work there (no such table, two equally cheap). Ids are never said: they
come from earlier calls, as they would for an agent.
"""

import random
import re
from typing import Any

from agentdyno_bench.tps.tasks.references import Results, UnclearError, resolve
from agentdyno_train.answer_lines import subject_of
from agentdyno_train.asks import Ask, Reference, Saying
from agentdyno_train.exercises import Exercise, Said, Step, play
from agentdyno_train.slots import Filled, Slots, worded

ROWS = 5
"""Rows among which one is chosen that the user names."""
_BLANK = re.compile(r"\{([a-z]\w*)\}")


def natural_exercise(
    ask: Ask, saying: Saying, world_seed: int, slots: Slots, rng: random.Random
) -> Exercise | None:
    """The ask in this wording, tried; None when it does not work with what was drawn."""
    filled = slots.fill(_blanks(ask, saying), rng)
    writer = _Writer(ask, filled, rng.randrange(ROWS))
    played = play(world_seed, [Exercise("", writer.steps, "", [])])
    if played is None:
        return None
    try:
        return writer.exercise(saying, played.results[0], rng)
    except UnclearError:
        return None


def _blanks(ask: Ask, saying: Saying) -> list[str]:
    """Names of blanks, in the order in which calls need them."""
    taken = {name for step in ask.steps for name in step.taken}
    calls = [(step.arguments, step.taken) for step in ask.steps]
    written = f"{calls} {[wanted.at for wanted in saying.wanted]} {saying.text}"
    return [name for name in dict.fromkeys(_BLANK.findall(written)) if name not in taken]


class _Writer:
    """Writes one ask with its blanks filled."""

    def __init__(self, ask: Ask, filled: Filled, row: int) -> None:
        self._filled, self._row = filled, row
        self._taken: dict[str, Reference] = {}
        self.steps: list[Step] = []
        for number, step in enumerate(ask.steps, 1):
            before = [earlier.step_id for earlier in self.steps]
            arguments = {name: self._given(value) for name, value in step.arguments.items()}
            self.steps.append(
                Step(f"s{number}", step.tool, arguments, before if step.waits else [])
            )
            for name, at in step.taken.items():
                self._taken[name] = self._reference(at, f"s{number}")

    def _given(self, value: Any) -> Any:
        """An argument or a condition with its blanks filled."""
        if isinstance(value, list):
            return [self._given(item) for item in value]
        blank = _BLANK.fullmatch(value) if isinstance(value, str) else None
        if blank is None:
            return value
        return self._taken[blank[1]] if blank[1] in self._taken else self._filled[blank[1]]

    def _reference(self, at: Reference, step_id: str) -> Reference:
        if at.get("take") == "any":
            return {"$from": step_id, "path": f"{at['list']}.{self._row}.{at['field']}"}
        where = [self._given(test) for test in at.get("where", ())]
        return {"$from": step_id, **at} | ({"where": where} if where else {})

    def exercise(self, saying: Saying, results: Results, rng: random.Random) -> Exercise:
        """The exercise, in words that name what was found where the wording has it."""
        named = {n: self._found(n, results) for n in self._taken if f"{{{n}}}" in saying.text}
        last = self.steps[-1].step_id
        said = [Said(wanted.label, self._reference(wanted.at, last)) for wanted in saying.wanted]
        told = {name: worded(name, value, rng) for name, value in self._filled.items()}
        names = [value for name, value in self._filled.items() if name != "text"]
        subject = subject_of([*named.values(), *names])
        return Exercise(saying.text.format(**told, **named), self.steps, subject, said)

    def _found(self, name: str, results: Results) -> Any:
        """A value that the user names; it must be the only one of that name."""
        at = self._taken[name]
        value = resolve(at, results)
        if str(results[at["$from"]]).count(repr(value)) > 1:
            raise UnclearError(f"two are called {value}")
        return value
