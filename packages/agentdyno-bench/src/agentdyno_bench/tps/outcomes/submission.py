"""The act by which an agent answers: one call of `submit`, with a typed field for each value that a
message of the user asks for.

    submit_schema(task, 0)      what the first message asks for, as the tool's JSON schema
    answers_of(task)            the right submissions, one to each message
    read_answer(task, 0, text)  goal -> what was submitted for it

A field is called by its public label (`labels.toml`); where one message asks for several of a
label, by what the user named that tells them apart (`price_rome`), else by their order. States of
the world are not submitted: they are there or not. No field lists choices, and no text of it holds
a value or names a tool or one of several things that the task chooses from.
"""

import re
import tomllib
from collections.abc import Collection, Iterator
from datetime import datetime
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from agentdyno_bench.shared.values import fold
from agentdyno_bench.tps.outcomes.same_values import is_same
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import BARE, CompoundTask, Goal, Slot, Subtask

SUBMIT = "submit"
"""The tool's name."""
DESCRIPTION = (
    "Hands in what the user's last message asks for: once, alone in its turn, when everything is "
    "done. Values as the services gave them; null for one that could not be found."
)
NOT_ALONE = "Submit alone, in a turn after the results of all other calls."
LONGEST_ANSWER = 200_000
"""Characters of an answer that are read; more is no answer."""
_FORMS = {
    "date": "a date, YYYY-MM-DD",
    "time": "a time, HH:MM",
    "moment": "date and time, YYYY-MM-DDTHH:MM",
    "entity": "a name, text or code as the service gives it",
    "list": "all of them",
}
_KINDS = {
    "number": "number", "date": "date", "time": "time", "moment": "date and time",
    "entity": "name", "list": "all",
}  # fmt: skip
"""What a value is called that has no label and for which the user has no word of the field's."""
_MOST_NAMES = 3


class Field(NamedTuple):
    """A field of `submit`."""

    name: str
    goal: Goal
    """The goal whose value it takes."""
    schema: dict[str, Any]
    about: tuple[str, ...]
    """What the user named that it rests on; first what tells it from others of its label."""

    @property
    def slot(self) -> Slot:
        """The value that is asked for."""
        assert self.goal.slot is not None
        return self.goal.slot


def submit_schema(task: CompoundTask, stage: int = 0) -> dict[str, Any]:
    """The JSON schema of the tool's arguments for a message of the user."""
    return {
        "type": "object",
        "properties": {field.name: field.schema for field in fields_of(task, stage)},
        "required": [],
        "additionalProperties": False,
    }


def submit_schemas(task: CompoundTask) -> list[dict[str, Any]]:
    """One for each message of the user."""
    return [submit_schema(task, stage) for stage in range(len(task.follow_ups) + 1)]


def fields_of(task: CompoundTask, stage: int = 0) -> list[Field]:
    """A field for each value that a message asks for, in the order in which it does."""
    request = read_request(task, stage)
    steps = {step.subtask_id: step for step in task.subtasks if step.stage == stage}
    goals = [goal for goal in task.goals if goal.slot is not None and goal.stage == stage]
    labels = [_label(goal.slot, request) for goal in goals if goal.slot]
    values = [goal.slot.value for goal in goals if goal.slot]
    names = [_find_names(goal, steps, request) for goal in goals]
    fields, bases = list[Field](), list[str]()
    for index, goal in enumerate(goals):
        alike = [n for n, label in enumerate(labels) if label == labels[index] and n != index]
        shared_names = {name for n in alike for name in names[n]}
        distinct = [name for name in names[index] if name not in shared_names] if alike else []
        about = tuple((distinct or names[index])[:_MOST_NAMES])
        bases.append(_identifier(labels[index], *distinct[:_MOST_NAMES]))
        order = bases.count(bases[-1])
        name = bases[-1] if order == 1 else f"{bases[-1]}_no_{order}"
        text = _describe(labels[index], goal.slot, values, about, order)
        fields.append(Field(name, goal, _schema(goal.slot, text), about))
    return fields


def _identifier(label: str, *names: str) -> str:
    words = re.findall("[a-z0-9]+", fold(" ".join(names)))[:4]
    return "_".join([*re.findall("[a-z0-9]+", fold(label)), *words])


def _describe(
    label: str, slot: Slot | None, values: list[Any], about: tuple[str, ...], order: int
) -> str:
    assert slot is not None
    text = f"{label}: {_FORMS.get(slot.kind) or _number_form(slot, values)}"
    text += f", for {', '.join(about)}" if about else ""
    return f"{text}; number {order} of these in the order asked for" if order > 1 else text


def _number_form(slot: Slot, values: list[Any]) -> str:
    """A number with its unit, unless the unit is itself asked for."""
    unit = "" if slot.unit in (None, BARE, *values) else f" in {slot.unit}"
    return f"a number{unit}" + (", negative for a fall" if "change" in slot.field else "")


def _schema(slot: Slot | None, description: str) -> dict[str, Any]:
    assert slot is not None
    if slot.kind == "list":
        return {"type": ["array", "null"], "items": {}, "description": description}
    kind = "number" if slot.kind == "number" else "string"
    return {"type": [kind, "null"], "description": description}


@cache
def read_labels() -> dict[str, str]:
    """Field of the results -> its public label."""
    return tomllib.loads((files(__package__) / "labels.toml").read_text("utf-8"))


def _label(slot: Slot, request: str) -> str:
    """The label of a field. A field without one is called by those of its own words that the user
    says, else by the kind of its value."""
    if slot.field in read_labels():
        return read_labels()[slot.field]
    heard = {word[:5] for word in re.findall("[a-z]+", fold(request))}
    words = [w for w in fold(slot.field).split("_") if w[:5] in heard and len(w) > 2]
    return " ".join(words) or _KINDS[slot.kind]


_NAME = r"(?:[A-Z][\w'-]+(?: [A-Z][\w'-]+)*|\d+ [A-Z]\w+|\d{4}-\d\d-\d\d|“[^”]+”)"
_ALTERNATIVES = re.compile(rf"(?:{_NAME},? )*{_NAME},? or {_NAME}")
"""Things of which the task picks one: to name it would be half of the answer."""


@cache
def find_alternatives(request: str) -> str:
    """All that a request leaves open."""
    return " ".join(match[0] for match in _ALTERNATIVES.finditer(request))


def _find_names(goal: Goal, steps: dict[str, Subtask], request: str) -> list[str]:
    """Names from the user that a goal's step rests on, in the user's order; no alternatives that
    the task chooses from, and no names at all where one of them is the answer."""
    left_open, positions = find_alternatives(request), dict[str, int]()
    for step in _with_needed(goal.step, steps):
        for text in (value for value in step.arguments.values() if isinstance(value, str)):
            name = in_user_words(text, request)
            if name and name not in left_open and not (goal.slot and is_same(goal.slot, text)):
                positions[name] = request.casefold().index(name.casefold())
    answer = in_user_words(str(goal.slot.value), request) if goal.slot else None
    return [] if answer in positions else sorted(positions, key=positions.__getitem__)


def _with_needed(step_id: str, steps: dict[str, Subtask]) -> Iterator[Subtask]:
    waiting, seen = [step_id], set[str]()
    while waiting:
        step = steps.get(waiting.pop(0))
        if step is not None and step.subtask_id not in seen:
            seen.add(step.subtask_id)
            waiting += step.needs
            yield step


@lru_cache(maxsize=8192)
def in_user_words(text: str, request: str) -> str | None:
    """A name as the user wrote it, a day as a day of the month; None where he did not."""
    forms = [text]
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = datetime.fromisoformat(text)
        forms += [f"{day.day} {day:%B}", f"{day:%B} {day.day}"]
    elif re.fullmatch(r"[A-Z]\w+ [A-Z]\w+", text):
        forms.append(text.split()[0])
    matching = (f for f in forms if re.search(rf"(?<!\w){re.escape(f)}(?!\w)", request, re.I))
    return next((form for form in matching if len(form) > 1), None)


# What is submitted


def answers_of(task: CompoundTask) -> list[str]:
    """The right answer to each message of the user."""
    return [answer_of(task, stage) for stage in range(len(task.follow_ups) + 1)]


def answer_of(task: CompoundTask, stage: int = 0, goals: Collection[str] | None = None) -> str:
    """The submission with everything found, or only with the values of some goals."""
    return write_answer(right_fields(task, stage, goals))


def right_fields(
    task: CompoundTask, stage: int = 0, goals: Collection[str] | None = None
) -> dict[str, Any]:
    """The same as fields, in the order of the schema."""
    return {
        field.name: field.slot.value
        for field in fields_of(task, stage)
        if goals is None or field.goal.goal_id in goals
    }


def write_answer(arguments: Any) -> str:
    """A submission as logs and transcripts keep it; nothing for what cannot be written."""
    try:
        return msgspec.json.encode(arguments, order="sorted").decode()
    except (TypeError, ValueError, RecursionError):
        return ""


def read_answer(task: CompoundTask, stage: int, answer: str) -> dict[str, Any]:
    """Goal -> what was submitted for it; nothing where the answer is no submission."""
    try:
        decoded = msgspec.json.decode(answer) if len(answer) <= LONGEST_ANSWER else None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    values = decoded if isinstance(decoded, dict) else {}
    return {field.goal.goal_id: values.get(field.name) for field in fields_of(task, stage)}
