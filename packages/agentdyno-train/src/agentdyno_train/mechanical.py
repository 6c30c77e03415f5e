"""Exercises in the words of tool descriptions, for whatever can be called.

Takes a world's seed and what is known of it (`searching`), returns exercises without end: a tool
with arguments that were found by trying, and fields of its result; a third go on with a second tool
that takes a value of the first one's result. They are stiff, and they reach combinations of
arguments and fields that no template has.
"""

import random
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.tool import Tool
from agentdyno_train.exercises import AnswerField, Exercise, Step
from agentdyno_train.weighing import format_value, subject_of
from agentdyno_train.world_values import Values, explore_world

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
TRIES = 8
"""Calls that are tried until one succeeds."""
LONGEST = 1_500
"""Characters of a result, so that several fit."""
QUESTIONS = (
    "{about}, please, for {given}: I want {fields}.",
    "{about}. It is about {given}; tell me {fields}.",
    "For {given}, look this up: {about}. Give me {fields}.",
    "What is {fields}? ({about}; {given})",
    "{fields} - that is what I need of: {about}, {given}.",
)
ORDERS = (
    "{about}, with {given}.",
    "Do this for me: {about} ({given}).",
    "With {given}: {about}.",
)
ONWARD = (
    "{first} Take the {field} from there, and with it: {second}",
    "{second} For that you need the {field}, which comes from this: {first}",
    "{first} Then go on with the {field} that you found. {second}",
)
LOOKUPS = ("look up {about} for {given}.", "{about}, {given}.", "check {about} ({given}).")
CHAINED = 0.35
"""Share that goes on with a second tool."""

Field = tuple[str, str, Any]
"""A field in words, its path and its value."""


def mechanical_exercises(world_seed: int, rng: random.Random) -> Iterator[Exercise]:
    """Exercises without end, every tool about as often as any other."""
    maker = _Maker(world_seed, explore_world(world_seed, rng), rng)
    tools = list(all_tools())
    while True:
        rng.shuffle(tools)
        for name in tools:
            first = maker.find_call(name)
            chain = first is not None and rng.random() < CHAINED
            exercise = (maker.chain(*first) if chain and first else None) or (
                maker.single(*first) if first else None
            )
            if exercise is not None:
                yield exercise


Called = tuple[str, dict[str, Any], Any]
"""A tool, its arguments and what came back."""


class _Maker:
    """Makes exercises of one world."""

    def __init__(self, world_seed: int, values: Values, rng: random.Random) -> None:
        self._seed, self._values, self._rng = world_seed, values, rng

    def find_call(self, name: str, preset: dict[str, Any] | None = None) -> Called | None:
        """A call that succeeds; None when none was found."""
        for _ in range(TRIES):
            arguments = self._values.arguments(all_tools()[name], self._rng)
            if arguments is None:
                return None
            arguments |= preset or {}
            outcome = World(self._seed).call(name, arguments)
            if outcome.error is None and len(outcome.text) <= LONGEST:
                return name, arguments, outcome.value
        return None

    def single(self, name: str, arguments: dict[str, Any], value: Any) -> Exercise | None:
        """One call, asked for by its description."""
        fields = self._choose_fields(name, arguments, value)
        if fields is None:
            return None
        request = self._write_request(all_tools()[name], arguments, fields)
        answer_fields = [
            AnswerField(_label(path), {"$from": "s1", "path": path}) for _, path, _ in fields
        ]
        return Exercise(
            request, [Step("s1", name, arguments)], subject_of(arguments.values()), answer_fields
        )

    def chain(self, name: str, arguments: dict[str, Any], value: Any) -> Exercise | None:
        """A call and another one that takes a value of its result; None without any."""
        if all_tools()[name].writes:
            return None
        fields = [field for field in _fields(value) if isinstance(field[2], str)]
        self._rng.shuffle(fields)
        for field in fields:
            kind = field[1].rpartition(".")[2]
            takers = [
                other for other, tool in all_tools().items()
                if kind in tool.schema.get("required", ()) and other != name
            ]  # fmt: skip
            if takers and str(field[2]) not in map(str, arguments.values()):
                second = self.find_call(self._rng.choice(takers), {kind: field[2]})
                picked = second and self._choose_fields(*second)
                if second and picked is not None:
                    return self._join(name, arguments, field, kind, second, picked)
        return None

    def _join(
        self, name: str, arguments: dict[str, Any], field: Field, kind: str, second: Called,
        fields: list[Field],
    ) -> Exercise:  # fmt: skip
        taker, second_arguments, _ = second
        lookup = self._rng.choice(LOOKUPS).format(
            about=_about(all_tools()[name]), given=self._list_arguments(arguments)
        )
        other_values = {k: v for k, v in second_arguments.items() if k != kind}
        request = self._rng.choice(ONWARD).format(
            first=_sentence(lookup),
            field=field[0],
            second=self._write_request(all_tools()[taker], other_values, fields),
        )
        onward = Step("s2", taker, {**second_arguments, kind: {"$from": "s1", "path": field[1]}})
        answer_fields = [
            AnswerField(_label(path), {"$from": "s2", "path": path}) for _, path, _ in fields
        ]
        subject = subject_of([*arguments.values(), *other_values.values()])
        return Exercise(request, [Step("s1", name, arguments), onward], subject, answer_fields)

    def _choose_fields(
        self, name: str, arguments: dict[str, Any], value: Any
    ) -> list[Field] | None:
        """Fields to ask for; empty for a tool that writes, None when there is none."""
        if all_tools()[name].writes:
            return []
        echoed = {str(argument) for argument in arguments.values()}
        fields = [field for field in _fields(value) if str(field[2]) not in echoed]
        if not fields:
            return None
        return self._rng.sample(fields, self._rng.randint(1, min(3, len(fields))))

    def _write_request(self, tool: Tool, arguments: dict[str, Any], fields: list[Field]) -> str:
        listed = self._list_arguments(arguments) or "today"
        named = ", ".join(f"the {words}" for words, _, _ in fields)
        frame = self._rng.choice(QUESTIONS if fields else ORDERS)
        return _sentence(frame.format(about=_about(tool), given=listed, fields=named))

    def _list_arguments(self, arguments: dict[str, Any]) -> str:
        return ", ".join(f"{_words(k)} {self._write_value(v)}" for k, v in arguments.items())

    def _write_value(self, value: Any) -> str:
        """An argument in the user's words: days as people write them."""
        if isinstance(value, str) and _DAY.fullmatch(value) and self._rng.random() < 0.6:
            day = date.fromisoformat(value)
            return self._rng.choice(
                (f"{day.day} {day:%B}", f"{day:%B} {day.day}", f"{day.day} {day:%b} 2026")
            )
        return f"“{value}”" if isinstance(value, str) and " " in value else format_value(value)


def _about(tool: Tool) -> str:
    about = tool.description.partition(".")[0]
    return about[:1].lower() + about[1:] if about[1:2].islower() else about


def _fields(value: Any) -> list[Field]:
    """Fields of a result that can be asked for: its own, and those of the first of a list."""
    if not isinstance(value, dict):
        return []
    fields = [(_words(k), k, v) for k, v in value.items() if _plain(v)]
    for name, items in value.items():
        if isinstance(items, list) and items and isinstance(items[0], dict):
            fields += [
                (f"{_words(k)} of the first of the {_words(name)}", f"{name}.0.{k}", v)
                for k, v in items[0].items()
                if _plain(v)
            ]
            break
    return fields


def _plain(value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and 0 < len(value) <= 60)


def _label(path: str) -> str:
    return _words(path.rpartition(".")[2])


def _words(name: str) -> str:
    return name.replace("_", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
