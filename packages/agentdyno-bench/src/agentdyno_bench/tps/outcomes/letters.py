"""Checks that a letter (mail, document, note) gives the required values.

An agent writes a letter by a call that has typed fields beside its text: amounts, dates, names and
ids. What a letter gives is what stands in these fields, compared as in `submit`; nobody reads its
text.

    gives({"dates": ["2026-04-26T06:08"]}, ["2026-04-26T06:08"], [], lambda value, other: False)

Every value has to stand in a field, and a field that holds one holds nothing else: but the values
that the same letter was to give besides, the day or the time of one of them, and names that the
user said (`said`). Names and ids are two fields, and either takes either; what stands in the other
one may be no rival of the value.

The last letter to somebody counts: one that a later letter puts right does no lasting harm, and one
that takes a right one back leaves nothing (`is_taken_back`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from agentdyno_bench.tps.outcomes.same_values import is_same_number, is_same_value, time_kind
from agentdyno_bench.tps.world.kit.letters import FACTS, LETTER_FIELDS

IsRival = Callable[[Any, Any], bool]
"""Whether the second value is one of those that the first was chosen from."""
IsInTask = Callable[[Any], bool]
"""Whether the task itself has a name."""
_AMOUNTS, _DATES, _NAMES, _IDS = LETTER_FIELDS


def gives(
    facts: Any,
    values: Sequence[Any],
    optional: Sequence[Any],
    is_rival: IsRival,
    is_in_task: IsInTask = lambda item: False,
) -> bool:
    """True when a letter's fields give all of some values; `optional` it may give besides."""
    fields = facts if isinstance(facts, dict) else {}
    permitted = [*values, *optional]

    def is_free(value: Any, item: Any) -> bool:
        return _is_among(item, permitted) or (is_in_task(item) and not is_rival(value, item))

    return all(_gives_one(fields, value, permitted, is_rival, is_free) for value in values)


def _gives_one(
    fields: dict[str, list[Any]],
    value: Any,
    permitted: list[Any],
    is_rival: IsRival,
    is_free: IsRival,
) -> bool:
    if isinstance(value, int | float):
        amounts = fields.get(_AMOUNTS, [])
        numbers = [v for v in permitted if isinstance(v, int | float)]
        has_value = any(is_same_number(value, None, item) for item in amounts)
        return has_value and all(any(is_same_number(v, None, a) for v in numbers) for a in amounts)
    if time_kind(str(value)) in ("date", "time", "moment"):
        return _gives_date(fields.get(_DATES, []), value, permitted)
    texts = [fields.get(_NAMES, []), fields.get(_IDS, [])]
    homes = [field for field in texts if _is_among(value, field)]
    beside = [item for field in texts if field not in homes for item in field]
    return (
        bool(homes)
        and all(is_free(value, item) for field in homes for item in field)
        and not any(is_rival(value, item) for item in beside if not _is_among(item, permitted))
    )


def _gives_date(dates: list[Any], value: Any, permitted: list[Any]) -> bool:
    """A moment may be given as its day and its time, where no other one is asked for."""
    dated = [v for v in permitted if isinstance(v, str) and time_kind(v)]
    moments = list(dict.fromkeys(v for v in dated if time_kind(v) == "moment"))
    pieces = [piece for moment in moments for piece in moment.split("T")]
    complete = value in dates
    if not complete and moments == [value]:
        complete = all(piece in dates for piece in value.split("T"))
    return complete and all(item in dated or item in pieces for item in dates)


def _is_among(value: Any, values: list[Any]) -> bool:
    return any(is_same_value(item, value) for item in values if isinstance(item, str))


def is_taken_back(
    values: Sequence[Any],
    rows: Sequence[dict[str, Any]],
    is_right: Sequence[Sequence[bool]],
    goal: int,
    is_rival: IsRival,
) -> bool:
    """True when a letter after the last right one of a goal says otherwise: it holds a rival of a
    value, or is one too many and none after it meets a goal that was open. `is_right` has for each
    letter which of the goals that letters like these may meet it meets."""
    right = [number for number, goals in enumerate(is_right) if goals[goal]]
    for number in range(right[-1] + 1 if right else 0, len(rows)):
        if not any(is_right[number]):
            others = leaves_of(rows[number])
            if any(is_rival(value, other) for value in values for other in others):
                return True
            if len(rows) > len(is_right[0]) and not _meets_another(is_right, number):
                return True
    return False


def _meets_another(is_right: Sequence[Sequence[bool]], number: int) -> bool:
    """True when a goal is met by a later letter and by none before."""
    return any(
        any(goals[goal] for goals in is_right[number:])
        and not any(goals[goal] for goals in is_right[:number])
        for goal in range(len(is_right[0]))
    )


def leaves_of(row: dict[str, Any]) -> list[Any]:
    """Every value in a letter's fields."""
    return [item for field in (row.get(FACTS) or {}).values() for item in field]
