"""Whether a letter (mail, document, note) gives the values that it was to give.

An agent writes a letter by a call that has typed fields beside its text: amounts, dates, names and
ids. What a letter gives is what stands in these fields, compared as in `submit`; nobody reads its
text.

    gives({"dates": ["2026-04-26T06:08"]}, ["2026-04-26T06:08"], [], lambda value, other: False)

Every value has to stand in a field, and a field that holds one holds nothing else: but the values
that the same letter was to give besides, and the day or the time of one of them. Names and ids are
two fields, and either takes either; what stands in the other one may be no rival of the value.
"""

from collections.abc import Callable, Sequence
from typing import Any

from agentdyno_bench.tps.outcomes.same_values import is_same_number, is_same_value, time_kind
from agentdyno_bench.tps.world.kit.letters import LETTER_FIELDS

IsRival = Callable[[Any, Any], bool]
"""Whether the second value is one of those that the first was chosen from."""
_AMOUNTS, _DATES, _NAMES, _IDS = LETTER_FIELDS


def gives(facts: Any, values: Sequence[Any], others: Sequence[Any], is_rival: IsRival) -> bool:
    """Whether a letter's fields give all of some values; `others` it may give besides."""
    fields = facts if isinstance(facts, dict) else {}
    asked = [*values, *others]
    return all(_gives_one(fields, value, asked, is_rival) for value in values)


def _gives_one(
    fields: dict[str, list[Any]], value: Any, asked: list[Any], is_rival: IsRival
) -> bool:
    if isinstance(value, int | float):
        amounts = fields.get(_AMOUNTS, [])
        numbers = [v for v in asked if isinstance(v, int | float)]
        given = any(is_same_number(value, None, each) for each in amounts)
        return given and all(any(is_same_number(v, None, a) for v in numbers) for a in amounts)
    if time_kind(str(value)) in ("date", "time", "moment"):
        return _gives_date(fields.get(_DATES, []), value, asked)
    texts = [fields.get(_NAMES, []), fields.get(_IDS, [])]
    homes = [field for field in texts if _is_among(value, field)]
    beside = [each for field in texts if field not in homes for each in field]
    return (
        bool(homes)
        and all(_is_among(each, asked) for field in homes for each in field)
        and not any(is_rival(value, each) for each in beside if not _is_among(each, asked))
    )


def _gives_date(given: list[Any], value: Any, asked: list[Any]) -> bool:
    """A moment may be given as its day and its time, where no other one is asked for."""
    dated = [v for v in asked if isinstance(v, str) and time_kind(v)]
    moments = list(dict.fromkeys(v for v in dated if time_kind(v) == "moment"))
    pieces = [piece for moment in moments for piece in moment.split("T")]
    whole = value in given
    if not whole and moments == [value]:
        whole = all(piece in given for piece in value.split("T"))
    return whole and all(each in dated or each in pieces for each in given)


def _is_among(value: Any, values: list[Any]) -> bool:
    return any(is_same_value(each, value) for each in values if isinstance(each, str))
