"""Values an agent has read: those in the results of its calls, and what they add up to.

A value that no result brought, and that no values read lead to, was guessed or learnt by heart; it
does not count. A task's value is proved by a result that holds it in a field of its kind, in a row
that names what the value is about: the price of this share, not a number that is the same. A list
that names it in another row says nothing of it.

What a service only gives back is no evidence: a value from the call's own arguments, the outcome
of a calculation that the agent wrote itself, and rows that the attempt wrote (see `replaying`).

Sums of a list that was read and the gaps between listed events count as read.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from agentdyno_bench.shared.values import fold
from agentdyno_bench.tps.outcomes.replaying import COMPOSED, Answered, leaves
from agentdyno_bench.tps.outcomes.same_values import plain
from agentdyno_bench.tps.tasks.references import find_needed
from agentdyno_bench.tps.tasks.slots import slot_of
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, Subtask
from agentdyno_bench.tps.world.calendar import DAY_BEGINS
from agentdyno_bench.tps.world.directory import all_tools

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")
_DAY = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d)?)?|\d\d:\d\d")
_CALCULATOR = "convert_"
_FACTS_OF_CALCULATOR = frozenset({"rate", "hours_ahead"})
"""What the calculator knows of the world; everything else it gives was handed to it."""
_TOTALS = frozenset({"total", "mean", "sum", "figure", "each"})
"""Fields that say how a number came about and not what it counts."""
_LONGEST_LIST = 62
"""Days of a listing of events that are looked at for gaps."""
_SENTENCE = 5
"""Words of a text that says what a number in it counts; the number of a house stands in fewer."""
_SHORTEST = 3
"""Letters of a name that is looked for within longer texts."""


class Context:
    """What a row of a result is about: its own texts, those of the rows around it, and what was
    asked for."""

    def __init__(self, texts: Iterable[Any], around: "Context | None") -> None:
        self.texts = {fold(text) for text in texts if isinstance(text, str)}
        self._around = around
        self._beside: list[Context] = []

    def set_beside(self, rows: "list[Context]") -> None:
        """The rows of the list that this one is in."""
        self._beside = rows

    def names(self, entity: str) -> bool:
        """True when this row, or all that is around it, is about a thing."""
        if _is_named(entity, self.texts):
            return True
        if any(entity in row.texts for row in self._beside):
            return False
        return self._around is not None and self._around.names(entity)


def _is_named(entity: str, texts: set[str]) -> bool:
    return entity in texts or (
        len(entity) >= _SHORTEST and any(entity in text for text in texts if len(text) > 2)
    )


class _Given:
    """The arguments of a call; what a service only gives back is no news."""

    def __init__(self, arguments: Any) -> None:
        self.named = arguments if isinstance(arguments, dict) else {}
        self.texts = [leaf for leaf in leaves(arguments) if isinstance(leaf, str)]
        self._plain = {plain(text) for text in self.texts}
        self._all = fold("\n".join(self.texts))

    def has(self, field: str, value: Any) -> bool:
        """True when a field of the result repeats an argument."""
        if isinstance(value, str):
            return plain(value) in self._plain
        return value in leaves(self.named.get(field))

    def says(self, value: Any) -> bool:
        """True when an argument has the value within a text."""
        return fold(str(value)) in self._all


class Reading(NamedTuple):
    """A value where it stood in a result."""

    value: Any
    tool: str
    field: str
    context: Context
    given: _Given
    """The arguments of its call."""


class Seen:
    """Every value of some results."""

    def __init__(self, calls: Iterable[Answered]) -> None:
        self.places: dict[tuple[str, str], list[Any]] = {}
        """Tool and path within its results -> the values that stood there, over all calls."""
        self.tools: set[str] = set()
        """Tools that were called with success."""
        self._numbers: dict[float, list[Reading]] = {}
        self._texts: dict[str, list[Reading]] = {}
        for call in calls:
            self.tools.add(call.tool)
            self._read(call)

    def _read(self, call: Answered) -> None:
        result, given = call.result, _Given(call.arguments)
        if call.tool.startswith(_CALCULATOR):
            result = {k: v for k, v in result.items() if k in _FACTS_OF_CALCULATOR}
        # What a caller writes down names only the new row's id; what it asks for names the result.
        is_note = call.tool.partition("_")[0] in COMPOSED and all_tools()[call.tool].writes
        context = Context([] if is_note and len(result) > 1 else given.texts, None)
        self._add(call.tool, "", result, given, context)
        self._add_gaps(call, given, context)

    def _add(self, tool: str, path: str, value: Any, given: _Given, context: Context) -> None:
        if isinstance(value, dict):
            inner = Context((v for v in value.values() if isinstance(v, str)), context)
            self._add_row(tool, path, value, given, inner)
        elif isinstance(value, list):
            self._add_sums(tool, value, given, context)
            rows = [Context(_texts_of(v), context) if isinstance(v, dict) else None for v in value]
            for item, row in zip(value, rows, strict=True):
                if row is None:
                    self._add(tool, path, item, given, context)
                else:
                    row.set_beside([r for r in rows if r is not None and r is not row])
                    self._add_row(tool, path, item, given, row)
        elif not isinstance(value, bool) and value is not None:
            field = path.rpartition(".")[2]
            if not given.has(field, value):
                self.places.setdefault((tool, path), []).append(value)
                self._note(Reading(value, tool, field, context, given))

    def _add_row(
        self, tool: str, path: str, row: dict[str, Any], given: _Given, context: Context
    ) -> None:
        for key, item in row.items():
            self._add(tool, f"{path}.{key}", item, given, context)

    def _note(self, reading: Reading) -> None:
        if isinstance(reading.value, str):
            self._texts.setdefault(reading.value.casefold(), []).append(reading)
        else:
            self._numbers.setdefault(round(float(reading.value), 4), []).append(reading)

    def _add_sums(self, tool: str, rows: list[Any], given: _Given, context: Context) -> None:
        for field in rows[0] if rows and isinstance(rows[0], dict) else ():
            column = [row.get(field) for row in rows if isinstance(row, dict)]
            numbers = [n for n in column if isinstance(n, int | float)]
            if len(numbers) == len(rows):
                self._note(Reading(round(float(sum(numbers)), 2), tool, field, context, given))

    def _add_gaps(self, call: Answered, given: _Given, context: Context) -> None:
        """Where free time may begin: in the morning of a listed day, and when an event ends."""
        events = call.result.get("events") if isinstance(call.result, dict) else None
        if call.tool not in ("calendar_list_events", "calendar_day_agenda") or events is None:
            return
        query, events = call.arguments, [event for event in events if "start" in event]
        first = date.fromisoformat(str(query.get("start", query.get("date"))))
        last = date.fromisoformat(str(query.get("end", query.get("date"))))
        for offset in range(min(_LONGEST_LIST, (last - first).days + 1)):
            day = (first + timedelta(days=offset)).isoformat()
            about = Context([day], context)
            minutes = [e["minutes"] for e in events if e["start"].startswith(day)]
            self._note(Reading(f"{day}T{DAY_BEGINS:02d}:00", call.tool, "start", about, given))
            self._note(Reading(float(sum(minutes)), call.tool, "minutes", about, given))

    def holds(self, value: Any) -> bool:
        """True when a result held the value, alone or within a text, or adds up to it."""
        if isinstance(value, list):
            return all(self.holds(item) for item in value)
        return isinstance(value, bool) or value is None or any(self._find(value))

    def proves(self, value: Any, steps: list[Subtask], slot: Slot | None = None) -> bool:
        """True when a result brought what one of these steps brings: the value, in a field of the
        slot's kind, of what the step is about."""
        if isinstance(value, list):
            return all(self.proves(item, steps, slot) for item in value)
        return any(
            (slot is None or _is_of_kind(reading, slot))
            and any(_is_about(reading, step, value) for step in steps)
            for reading in self._find(value)
        )

    def _find(self, value: Any) -> Iterator[Reading]:
        """Where a value stood: alone, or within a text in which the agent had no hand."""
        number = round(float(value), 4) if isinstance(value, int | float) else None
        yield from self._texts.get(str(value).casefold(), [])
        yield from self._numbers.get(number, []) if number is not None else []
        for text, readings in self._texts.items():
            if _is_within(str(value).casefold(), number, text):
                yield from (reading for reading in readings if not reading.given.says(value))

    def rivals(self, value: Any) -> list[Any]:
        """Other values that stood where this one did: those of the rows beside its own."""
        alternatives: dict[Any, None] = {}
        for values in self.places.values():
            if value in values:
                alternatives |= dict.fromkeys(other for other in values if other != value)
        return list(alternatives)


def _is_within(value: str, number: float | None, text: str) -> bool:
    if number is None:
        return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text))
    return any(round(float(match), 4) == number for match in _NUMBER.findall(text))


def _is_of_kind(reading: Reading, slot: Slot) -> bool:
    """True when a field holds what the slot asks for, as far as names and units tell. The kind of a
    name or a date shows in the value itself; a number within a text has its unit there."""
    if isinstance(reading.value, str):
        return slot.kind != "number" or len(reading.value.split()) >= _SENTENCE
    if reading.field == slot.field or slot.field in _TOTALS:
        return True
    words = set(slot.field.split("_")) & set(reading.field.split("_"))
    unit = slot_of(reading.field, reading.value, None, []).unit
    return unit == slot.unit or any(len(word) > 3 for word in words)


def _is_about(reading: Reading, step: Subtask, value: Any) -> bool:
    """True when a reading is about what a step is about; where a step names nothing, when it is
    of the same service."""
    entities = find_entities(step, value)
    if not entities:
        return reading.tool.partition("_")[0] == step.tool.partition("_")[0]
    return any(reading.context.names(entity) for entity in entities)


def find_entities(step: Subtask, value: Any) -> list[str]:
    """Names of what a step's value is about: its first argument, or all of a list; its days only
    where it has no other; and what else it brings."""
    literal = [text for text in step.arguments.values() if isinstance(text, str)]
    brought = [text for text in step.evidence if isinstance(text, str) and text != value]
    about = [fold(text) for text in (*step.about, *literal) if text != value]
    named = _without_days(about) or about
    lists_them = any(isinstance(v, dict) and "$list" in v for v in step.arguments.values())
    return [*(named if lists_them else named[:1]), *_without_days(map(fold, brought))]


def _without_days(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if not _DAY.fullmatch(text.upper())]


def find_sources(task: CompoundTask, step_id: str, value: Any) -> list[Subtask]:
    """The steps from which a value comes that a step states: its own, and those that it needs
    and whose results bring the value."""
    steps = {step.subtask_id: step for step in task.subtasks}
    waiting, sources, done = [step_id], list[Subtask](), set[str]()
    while waiting:
        step = steps.get(waiting.pop(0))
        if step is None or step.subtask_id in done:
            continue
        done.add(step.subtask_id)
        waiting += step.needs
        if step.subtask_id == step_id or value in step.evidence:
            sources.append(step)
    return sources


def is_stated(value: Any, steps: list[Subtask]) -> bool:
    """True when the task itself says a date or a time, in whatever words, or one that it is counted
    from: a step has it among its arguments, and from no result."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return False
    return any(
        _has_literal(value, step.arguments)
        or (step.tool.startswith(_CALCULATOR) and not find_needed(step.arguments))
        for step in steps
    )


def find_counted_from(task: CompoundTask, steps: list[Subtask]) -> list[tuple[Subtask, str]]:
    """The days that a day is counted from, each with the step that brings it."""
    needs = {n for s in steps if s.tool == "convert_shift_date" for n in s.needs}
    return [
        (step, value)
        for step in task.subtasks
        if step.subtask_id in needs
        for value in step.evidence
        if isinstance(value, str) and _DAY.fullmatch(value)
    ]


def _has_literal(value: str, arguments: Any) -> bool:
    return any(isinstance(leaf, str) and value in leaf for leaf in leaves(arguments))


def _texts_of(row: dict[str, Any]) -> Iterator[str]:
    return (value for value in row.values() if isinstance(value, str))
