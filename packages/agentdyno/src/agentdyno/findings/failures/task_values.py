"""What a task knows before an answer is read: what it asks for, what would be wrong, all sources.

Worked out once for each task, however many answers it gets.
"""

import math
import re
from functools import lru_cache
from typing import Any, NamedTuple

from agentdyno.findings.failures.invented import Sources, gather
from agentdyno.findings.failures.records import Record, find_records, spells
from agentdyno.matching.values import (
    Expected,
    expect,
    expect_leaf,
    fold,
    read_values,
    words_of_field,
)
from agentdyno.matching.values.leaves import Leaf, leaves
from agentdyno.records.failures import ToolTask

MOST_TASKS = 512
"""Tasks that are remembered."""


class Asked(NamedTuple):
    """A value that a task asks for."""

    expected: Expected
    rivals: list[Expected]
    """What somebody would say of it who did not look."""
    others: list[Expected]
    """Values of other slots."""


class Known(NamedTuple):
    """What is known of a task."""

    asked: list[Asked]
    sources: Sources
    fields: list[frozenset[str]]
    """The words of each field of the returns."""
    records: list[Record]
    """The records of the returns."""


_Owned = tuple[str, Any, tuple[str, ...]]
"""The name and the value of a field, and the words that only its record holds."""


def know(task: ToolTask) -> Known:
    """What is known of a task; remembered, since tasks get many answers."""
    return _remember(_Same(task))


class _Same:
    """A task as a key: tasks hold lists, and have no hash."""

    def __init__(self, task: ToolTask) -> None:
        self.task = task

    def __hash__(self) -> int:
        return id(self.task)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.task is other.task


@lru_cache(maxsize=MOST_TASKS)
def _remember(same: _Same) -> Known:
    task = same.task
    found = [leaf for step in task.script for leaf in leaves(step.returns)]
    records = [
        record for step in task.script for record in find_records(step.returns, step.arguments)
    ]
    owned = _find_owned(records)
    asked = _find_asked(task, found, owned)
    others = _collect_others(task, found, owned)
    fields = (frozenset(words_of_field(name)) for name in {leaf.name: None for leaf in found})
    return Known(
        [
            Asked(each, _rivals(task, each, asked, found), [o for o in others if o.raw != each.raw])
            for each in asked
        ],
        _collect_sources(task),
        [words for words in fields if words],
        records,
    )


def _find_asked(task: ToolTask, held: list[Leaf], owned: list[_Owned]) -> list[Expected]:
    """What the task asks for, typed by the fields it comes from; with the name of its record, where
    several records have the field."""
    fields = (
        task.fields[: len(task.must_contain)] if len(task.fields) >= len(task.must_contain) else ()
    )
    found = []
    for number, text in enumerate(task.must_contain):
        field = fields[number] if fields else _field_with(held, text)
        expected = expect(text, field)
        owner = next(
            (own for name, value, own in owned if name == field and spells(value, text)),
            (),
        )
        found.append(
            expected._replace(
                words=(*expected.words, *owner),
                literal=not field or not _is_spelled_field(task, field, text, held),
            )
        )
    return found


def _is_spelled_field(task: ToolTask, field: str, text: str, held: list[Leaf]) -> bool:
    """Whether the whole value of a field is what is asked for, and not a word of it."""
    found = (leaf.value for leaf in held if leaf.name == field)
    return bool(task.fields) or any(spells(value, text) for value in found)


def _find_owned(records: list[Record]) -> list[_Owned]:
    """Fields that several records have."""
    names = [set(record) for record in records]
    words = [_words_of(record) for record in records]
    found = []
    for number, record in enumerate(records):
        shared = set().union(*(n for m, n in enumerate(names) if m != number))
        others = set().union(*(w for m, w in enumerate(words) if m != number))
        own = tuple(word for word in words[number] if word not in others)
        found += [(name, value, own) for name, value in record.items() if name in shared]
    return found


def _words_of(record: Record) -> dict[str, None]:
    texts = [fold(str(value)) for value in record.values() if isinstance(value, str)]
    return dict.fromkeys(word for text in texts for word in re.findall(r"[^\W_]{2,}", text))


def _field_of(task: ToolTask, expected: Expected, held: list[Leaf]) -> str:
    number = task.must_contain.index(expected.raw) if expected.raw in task.must_contain else 0
    return task.fields[number] if number < len(task.fields) else _field_with(held, expected.raw)


def _field_with(held: list[Leaf], text: str) -> str:
    """The field of the return that holds this value; empty when none does."""
    return next((leaf.name for leaf in held if spells(leaf.value, text)), "")


def _collect_others(task: ToolTask, held: list[Leaf], owned: list[_Owned]) -> list[Expected]:
    """What the calls returned and were given, as values of slots of their own."""
    found = [expect_leaf(leaf.name, leaf.value) for leaf in held]
    found += [
        expect_leaf(name, value)
        for step in task.script
        for name, value in step.arguments.items()
        if not isinstance(value, dict | list)
    ]
    found += [expect(task.entity)] if task.entity else []
    typed = [(expect_leaf(name, value), own) for name, value, own in owned]
    mine = {(each.raw, each.words): own for each, own in typed if each is not None}
    # The field that names what is asked about is the name of no other slot.
    about = {task.entity, *(str(v) for step in task.script for v in step.arguments.values())}
    return [
        e._replace(words=(*(() if e.raw in about else e.words), *mine.get((e.raw, e.words), ())))
        for e in found
        if e is not None
    ]


def _collect_sources(task: ToolTask) -> Sources:
    """All that an answer to a task may draw on."""
    texts = [*task.messages, *task.must_contain, task.prior or "", task.entity or ""]
    texts += [step.error for step in task.script if step.error]
    texts += [step.tool.replace("_", " ") for step in task.script]
    returns = [*(step.returns for step in task.script), *(step.arguments for step in task.script)]
    if task.prior and task.fields:
        returns.append({task.fields[0]: task.prior})
    return gather(returns, texts)


def _rivals(
    task: ToolTask, expected: Expected, asked: list[Expected], found: list[Leaf]
) -> list[Expected]:
    """What somebody would say who did not look, for the slot that it is nearest to."""
    if not task.prior or expected.literal:
        return []
    typed = [(each, _type_prior(task, each, found)) for each in asked]
    same = [(each, prior) for each, prior in typed if each.kind == prior.kind]
    if len(same) > 1 and expected.kind == "number":
        same.sort(
            key=lambda pair: abs(
                math.log(
                    max(1e-9, abs(pair[0].values[0].number))
                    / max(1e-9, abs(pair[1].values[0].number))
                )
            )
        )
    return [same[0][1]] if same and same[0][0] is expected else []


def _type_prior(task: ToolTask, asked: Expected, found: list[Leaf]) -> Expected:
    """The prior as a value of the kind that was asked for, where it can be read so."""
    prior = expect(task.prior or "", _field_of(task, asked, found))
    if prior.kind == asked.kind or asked.kind not in ("number", "date", "time"):
        return prior
    same = [value for value in read_values(prior.raw, "en") if value.kind == asked.kind]
    return prior._replace(values=(same[0]._replace(sure=True),)) if same else prior
