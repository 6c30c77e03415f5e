"""A task under construction: every subtask is executed in a world as soon as it is written down.

So a draft knows the values that later subtasks, the answer and the checks are made of, and a
subtask that cannot be done fails the draft at once. What a subtask must bring (its evidence) is
not written by hand: it is what others took from its result."""

import random
from typing import Any

from agentdyno_bench.tps.tasks import references
from agentdyno_bench.tps.tasks.serving import FREE_TEXT, find_serving_tools
from agentdyno_bench.tps.tasks.slots import currency_of, slot_of
from agentdyno_bench.tps.tasks.values import Goal, Slot, StateCheck, Subtask
from agentdyno_bench.tps.world import World

Ref = dict[str, Any]


class DraftError(Exception):
    """The draft cannot become a task."""


class Step:
    """One subtask of a draft, to take values from."""

    def __init__(self, draft: "Draft", subtask_id: str) -> None:
        self.draft = draft
        self.subtask_id = subtask_id
        self.stage = draft.stage
        self.evidence: list[Any] = []
        self.answer: list[Any] = []
        self.slots: list[Slot] = []
        self.told: list[Ref] = []
        self.support: list[Any] = []

    def ask_for(self, *refs: Ref) -> None:
        """Values of this result that the answer must state."""
        if self.stage != self.draft.stage:
            raise ValueError(f"{self.subtask_id} was done for an earlier message of the user")
        for ref in refs:
            self.told.append(ref)
            value = self.draft.value(ref)
            self.draft.take(ref)
            if value not in self.answer:
                self.answer.append(value)
                field = str(ref.get("field") or ref["path"]).rpartition(".")[2]
                arguments, result = self.draft.done(self.subtask_id)
                currency = currency_of(field, arguments, result)
                support = self.support or self.draft.basis(self.subtask_id, ref, value)
                self.slots.append(slot_of(field, value, currency, support))


class Draft:
    """Subtasks so far, with the world they were executed in."""

    def __init__(self, world: World, rng: random.Random, names: "set[str] | None" = None) -> None:
        self.world = world
        self.rng = rng
        self.sentences: list[str] = []
        self.follow_ups: list[str] = []
        self.scenes: list[str] = []
        self.forbidden: bool | None = None
        self.wanted: bool | None = None
        """Whether a rule of the user's has to forbid something here; None where either will do."""
        self.results: references.Results = {}
        self.steps: dict[str, Step] = {}
        self.used: set[str] = set() if names is None else names
        self._written: list[dict[str, Any]] = []

    @property
    def stage(self) -> int:
        """How often the user has answered back."""
        return len(self.follow_ups)

    def say(self, *choices: str) -> None:
        """Add one of several phrasings of what the user says."""
        self.sentences.append(self.rng.choice(choices))

    def answer_back(self, *choices: str) -> None:
        """Add one of several phrasings of the user's reply to the answer."""
        self.follow_ups.append(self.rng.choice(choices))

    def decide(self, holds: bool) -> bool:
        """Notes whether a rule of the user's lets the plan go on; gives the draft up when the
        other case is wanted."""
        if self.wanted is not None and self.wanted == holds:
            raise DraftError("the rule forbids nothing" if holds else "the rule forbids it")
        self.forbidden = not holds
        return holds

    def value(self, ref: Any) -> Any:
        """Resolve a reference."""
        try:
            return references.resolve(ref, self.results)
        except references.UnclearError as error:
            raise DraftError(str(error)) from None

    def done(self, subtask_id: str) -> tuple[dict[str, Any], Any]:
        """The arguments of a step, resolved, and its result."""
        written = self._written[list(self.steps).index(subtask_id)]
        return written["given"], self.results[subtask_id]

    def take(self, value: Any) -> None:
        """Notes as evidence whatever is taken from earlier results."""
        for ref in references.plain_references(value):
            step, content = self.steps[ref["$from"]], self.value(ref)
            for item in content if isinstance(content, list) else [content]:
                if item not in step.evidence and item is not None:
                    step.evidence.append(item)

    def do(
        self,
        goal: str,
        tool: str,
        arguments: dict[str, Any],
        leaves: str | None = None,
        same: tuple[str, ...] = (),
        holds: dict[str, list[Any]] | None = None,
        removes: str | None = None,
        after: Any = None,
    ) -> Step:
        """Adds a subtask and executes it. `leaves` names the collection of the row that it makes,
        `same` the fields by which the row is known, `holds` what must stand in its texts;
        `removes` names the id of a row of that collection which must be gone afterwards, `after`
        refers to steps that have to be done before."""
        step = Step(self, f"s{len(self._written) + 1}")
        self.take(arguments)
        resolved = self.value(arguments)
        removed = None if removes is None else self._removal(tool, resolved[removes], leaves)
        outcome = self.world.call(tool, resolved)
        if outcome.error is not None:
            raise DraftError(f"{tool}: {outcome.text}")
        if tool.startswith("convert_"):
            step.support = self._support(arguments)
        self.results[step.subtask_id] = outcome.value
        self.steps[step.subtask_id] = step
        self._written.append(
            {
                "goal": goal,
                "tool": tool,
                "arguments": arguments,
                "given": resolved,
                "after": after,
                "latency": outcome.latency_seconds,
                "state": removed or self._check(tool, outcome.value, leaves, same, holds or {}),
            }
        )
        return step

    def leave(self, step: Step, state: StateCheck) -> None:
        """Makes a row that a step left a goal, for callers that have seen what it changed."""
        self._written[list(self.steps).index(step.subtask_id)]["state"] = state

    def _removal(self, tool: str, key: str, collection: str | None) -> StateCheck:
        """The goal that a row be gone, taken before it goes."""
        server, name = tool.partition("_")[0], str(collection)
        row = self.world.state(server)[name].get(key)
        if row is None:
            raise DraftError(f"{server} has no {key} to take away")
        field = next(field for field, value in row.items() if value == key)
        return StateCheck(server, name, {field: key}, gone=True)

    def _check(
        self,
        tool: str,
        row: Any,
        collection: str | None,
        same: tuple[str, ...],
        holds: dict[str, list[Any]],
    ) -> StateCheck | None:
        if collection is None:
            return None
        self.take(holds)
        if not isinstance(row, dict) or any(field not in row for field in same):
            raise DraftError(f"{tool} gives no {', '.join(same)}")
        equals = {field: row[field] for field in same}
        return StateCheck(tool.partition("_")[0], collection, equals, self.value(holds))

    def _support(self, arguments: dict[str, Any]) -> list[Any]:
        """Inputs of a calculation: values that a service gave, however far back."""
        values: list[Any] = []
        for ref in references.plain_references(arguments):
            earlier = self.steps[ref["$from"]]
            for value in earlier.support or [self.value(ref)]:
                if value not in values:
                    values.append(value)
        return values

    def basis(self, subtask_id: str, ref: Ref, value: Any) -> list[Any]:
        """Basis of a value that a call was given and its result only repeats: the choice among
        things that the call lists, or the parts of a text."""
        written = self._written[list(self.steps).index(subtask_id)]
        for name, argument_value in written["given"].items():
            if isinstance(argument_value, list) and value in argument_value and "by" in ref:
                return [self.value({**ref, "field": ref["by"]})]
            argument = written["arguments"][name]
            if argument_value == value and isinstance(argument, dict) and "$text" in argument:
                return [self.value(part) for part in argument["of"]]
        return []

    def goals(self) -> list[Goal]:
        """The goals: every state that a step leaves, every value that the answer must give."""
        goals: list[Goal] = []
        for step, written in zip(self.steps.values(), self._written, strict=True):
            goal, state = written["goal"], written["state"]
            # What one goal asks for a second one does not: a task that is put off to its own day.
            is_duplicate = state in [goal.state for goal in goals]
            if state is not None and not is_duplicate and not self._is_overtaken(step, state):
                goals.append(
                    Goal(f"w{len(goals) + 1}", step.subtask_id, goal, None, state, step.stage)
                )
            for slot in step.slots:
                asks = f"{goal}: say the {slot.field.replace('_', ' ')}"
                goals.append(
                    Goal(f"w{len(goals) + 1}", step.subtask_id, asks, slot, None, step.stage)
                )
        return goals

    def _is_overtaken(self, step: Step, state: StateCheck) -> bool:
        """True when the user has changed his mind about a row since."""
        if step.stage == self.stage or state.gone:
            return False
        rows = self.world.state(state.server)[state.collection].values()
        return not any(
            all(row.get(field) == value for field, value in state.equals.items()) for row in rows
        )

    def subtasks(self) -> list[Subtask]:
        """The finished subtasks."""
        return [
            self._finish(step, written)
            for step, written in zip(self.steps.values(), self._written, strict=True)
        ]

    def _finish(self, step: Step, written: dict[str, Any]) -> Subtask:
        if not step.evidence and written["state"] is None:
            raise DraftError(f"no step needs {step.subtask_id} ({written['tool']})")
        about = _about(written["given"])
        serves = find_serving_tools(
            self.world, written["tool"], written["given"], [*about, *step.evidence]
        )
        return Subtask(
            subtask_id=step.subtask_id,
            goal=written["goal"],
            tool=written["tool"],
            arguments=written["arguments"],
            needs=references.find_needed([written["arguments"], written["after"]]),
            serves=serves,
            about=about,
            evidence=step.evidence,
            answer=step.answer,
            state=written["state"],
            latency_seconds=written["latency"],
            stage=step.stage,
        )


def _about(arguments: dict[str, Any]) -> list[str]:
    """The arguments that say what a call is about: names, ids and dates, no free text."""
    names: list[str] = []
    for name, value in arguments.items():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str) and name not in FREE_TEXT and item not in names:
                names.append(item)
    return names
