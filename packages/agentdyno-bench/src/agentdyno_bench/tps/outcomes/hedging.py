"""Whether an answer leaves a value open: says it as one of two, whatever the other one is.

Takes the text as read, a slot and a place where its value stands; returns whether an `or` joins it
to another value of its kind. "16:15 or 4:15 PM" and "20 °C or 68 °F" say one thing twice and leave
nothing open; "either 49.17 or 17.5" does, even where nobody ever saw a 17.5.
"""

import re

from agentdyno.matching import legacy_values as values
from agentdyno_bench.tps.outcomes.saying import Read, Span
from agentdyno_bench.tps.tasks.values import Slot

CLOSE = 0.01
"""Numbers that differ by less are one number, said more or less exactly."""
LONGEST_LINK = 40
_LINK = re.compile(
    r"[^\w.!?\n]{0,6}(?:[A-Za-z%°€$£]{1,14}[^\w.!?\n]{0,4})?"
    r"(?:\bor\b|\balternatively\b|\bif not\b|\botherwise\b|\bmaybe\b|\bperhaps\b|\bpossibly\b)"
    r"(?:\W+(?:maybe|perhaps|possibly|else|even|about|is it|it is))?"
    r"[^\w\n]{0,6}(?:[A-Za-z€$£]{1,3}[^\w\n]{0,2})?",
    re.IGNORECASE,
)
_LINKING = re.compile(
    r"\b(?:or|alternatively|if not|otherwise|maybe|perhaps|possibly)\b", re.IGNORECASE
)
_HOW = r"(?:(?:the|maybe|perhaps|possibly|else|even)\s+){0,2}"
_NAME_AFTER = re.compile(rf"[^\w.!?\n]{{0,3}}\s+or,?\s+{_HOW}[“\"'+A-Z0-9]")
_NAME_BEFORE = re.compile(
    rf"(?:[A-Z+“\"'][\w”\"'. ]{{0,40}}?|\d)[^\w.!?\n]{{0,3}}\s+or,?\s+{_HOW}[“\"']?\Z"
)
_EITHER = re.compile(r"\b(?:either|one of)\b[^.!?\n]{0,60}\Z", re.IGNORECASE)


def left_open(read: Read, slot: Slot, place: Span) -> bool:
    """Whether another value of the same kind stands beside the place as an alternative."""
    if not _LINKING.search(read.text, max(0, place[0] - LONGEST_LINK), place[1] + LONGEST_LINK):
        return False
    if slot.kind in ("entity", "list"):
        return _named_otherwise(read.text, place)
    return any(_joined(read.text, place, other) for other in _others(read, slot))


def _joined(text: str, a: Span, b: Span) -> bool:
    (_, end), (start, _) = sorted((a, b))
    return 0 <= start - end <= LONGEST_LINK and bool(_LINK.fullmatch(text, end, start))


def _named_otherwise(text: str, place: Span) -> bool:
    begin = max(0, place[0] - 80)
    if _NAME_AFTER.match(text, place[1]):
        return True
    before = text[begin : place[0]]
    if " or " in before and _EITHER.search(before):
        return True
    return _NAME_BEFORE.search(before) is not None


def _others(read: Read, slot: Slot) -> list[Span]:
    """Values of the slot's kind that say something else than the slot."""
    stated, wanted = read.stated, slot.value
    if slot.kind == "number":
        unit = values.unit(slot.unit) if slot.unit else None
        return [(q.start, q.end) for q in stated.quantities if _differs(q, wanted, unit)]
    if slot.kind == "date":
        return [(d.start, d.end) for d in stated.dates if str(wanted) not in map(str, d.days)]
    minutes = _minutes(str(wanted).rpartition("T")[2])
    return [(c.start, c.end) for c in stated.clocks if minutes not in c.minutes]


def _differs(quantity: values.Quantity, wanted: float, unit: values.Unit | None) -> bool:
    mine = quantity.unit
    if mine is not None and unit is not None and mine.dimension != unit.dimension:
        return False
    if mine is not None and unit is not None and values.matches(quantity, wanted, unit):
        return False
    return bool(abs(abs(quantity.value) - abs(wanted)) > CLOSE * max(abs(wanted), 1e-9))


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])
