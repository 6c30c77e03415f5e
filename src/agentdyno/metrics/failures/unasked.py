"""Asked values under the name of another that nobody asked for: "Ilse is on duty, Salome is the
standby", where Salome was asked for, and is on duty.

Takes a task and an answer with the places of the asked values; returns why it is no answer, or
None. Only where the answer names both, each beside the other's field.
"""

import re
from collections.abc import Sequence
from typing import Any

from agentdyno.matching.legacy_values import Found, Slot, Stated, find_slot
from agentdyno.metrics.failures.slots import wanted_fields, wanted_values
from agentdyno.metrics.failures.swapping import (
    SENTENCE,
    Called,
    called_by_field,
    clinging,
    crossed,
    events_of,
    records_of,
)
from agentdyno.metrics.failures.task_texts import given_texts, returned_leaves
from agentdyno.records.failures import ToolTask

MOST_OTHERS = 12
"""Names of a return that were not asked for and are looked at."""
_NAMED = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]|[A-Z]{1,3}[- ]?\d")
"""A name, or a code that is one: A12."""


def _why_a_count_is_crossed(
    task: ToolTask, text: str, field: str, slot: Slot, places: Sequence[Found], stated: Stated
) -> str | None:
    """41 wins and 58 losses, where 58 wins were asked for, and 41 losses returned beside them."""
    if slot.kind != "number" or slot.unit is not None or not field or not places:
        return None
    for step in task.script:
        for record in records_of(step.returns):
            for name, value in record.items() if field in record else ():
                if name in task.fields or isinstance(value, bool) or not isinstance(value, int):
                    continue
                theirs = find_slot(text, Slot("number", float(value)), stated)
                both = called_by_field((field, name), (places, theirs))
                told_apart = theirs and value != slot.value and all(each.words for each in both)
                if told_apart and _is_fully_crossed(text, both):
                    return f"gives the value of {name} as {field}"
    return None


def _is_fully_crossed(text: str, both: tuple[Called, Called]) -> bool:
    """Whether one sentence has both values, each right beside the other's name."""
    start = 0
    for end in (*(mark.end() for mark in SENTENCE.finditer(text)), len(text)):
        events = events_of(text, both, start, end)
        if [(e[2], e[3]) for e in events] in (
            [(False, 0), (True, 1), (False, 1), (True, 0)],
            [(False, 1), (True, 0), (False, 0), (True, 1)],
            [(True, 1), (False, 0), (True, 0), (False, 1)],
            [(True, 0), (False, 1), (True, 1), (False, 0)],
        ):
            return len(clinging(text, events)) == 2
        start = end
    return False


def _is_new_name(task: ToolTask, value: Any) -> bool:
    """Whether it is a name that only the return holds; what was asked about is called anything."""
    if not isinstance(value, str) or not _NAMED.match(value):
        return False
    given = (*task.messages, *given_texts(task))
    return not any(value.lower() in text.lower() for text in given)


def why_under_others_name(
    task: ToolTask, text: str, found: Sequence[Sequence[Found]], stated: Stated
) -> str | None:
    """Why an asked name stands under the field of another that was not asked for, and that one
    under its own: "Ilse is on duty, Salome is the standby"."""
    fields, slots = wanted_fields(task), wanted_values(task)
    others = [
        leaf
        for leaf in returned_leaves(task)
        if leaf.name not in fields and _is_new_name(task, leaf.value)
    ]
    for field, slot, places in zip(fields, slots, found, strict=True):
        why = _why_a_count_is_crossed(task, text, field or "", slot, places, stated)
        if why is not None:
            return why
        if slot.kind not in ("word", "entity") or not field or not _is_new_name(task, slot.value):
            continue
        for leaf in others[:MOST_OTHERS]:
            theirs = find_slot(text, Slot("entity", leaf.value), stated)
            both = called_by_field((field, leaf.name), (places, theirs))
            if theirs and crossed(text, both, False):
                return f"gives the value of {leaf.name} as {field}"
    return None
