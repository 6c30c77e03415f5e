"""Values of an answer that could stand for an asked one: a reading in, their places out.

A rival is of the asked value's kind and, where both have one, of its unit: 62 % rivals no litres.
It is what somebody who does not look would say (`prior`), what no source holds (`invented`) or any
other value that the task knows (`known`).
"""

import math
import re
from collections.abc import Iterator, Sequence

from agentdyno.matching.support import Claim
from agentdyno.matching.legacy_values import (
    Found,
    Quantity,
    Slot,
    Unit,
    find_slot,
    one_kind,
    rejection,
    unit,
    words_of_field,
)
from agentdyno.matching.legacy_values.time_words import rounds_time
from agentdyno.metrics.failures.read_answer import Reading
from agentdyno.metrics.failures.settled_value import Rival, RivalKind
from agentdyno.metrics.failures.slots import as_wanted
from agentdyno.metrics.failures.swapping import records_of
from agentdyno.metrics.failures.task_texts import returned_leaves
from agentdyno.records.failures import ToolTask

CONVERTED = 0.05
"""How far a figure in another unit may be off that says the same roughly."""
BESIDE = 20
"""Characters on either side of a value in which a field's name says whose it is."""
STEM = 6
"""Letters of a name that are looked for."""
FEWEST = 4
"""Letters of a word that can be a name."""
_ROUNDS = re.compile(
    r"\b(?:just|slightly|a (?:bit|little)) (?:under|over|below|above|more than|less than)\s\Z"
    r"|\b(?:almost|nearly|about|around|roughly)\s\Z",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r",? (?:and |or )?|,? and (?:then )?(?:at )?|\s?/\s?|,? then (?:at )?", re.IGNORECASE
)
"""What stands between two of a list."""
_MARGIN = re.compile(
    r"(?:±|\+/-|\b(?:give or take|plus or minus|margin(?: of error)? (?:of|is)))\s?\Z",
    re.IGNORECASE,
)
"""How far something may be off."""
_COMPARED = re.compile(
    r"\b(?:than|ahead of|followed by|compared (?:to|with)|against|versus|vs\.?|unlike|beating"
    r"|behind it)"
    r"\s(?:the |in |on |at )?(?:\w+ )?[*`'\"]{0,2}\Z",
    re.IGNORECASE,
)
"""What names another only to compare."""
WORDS = ("word", "entity")
Span = tuple[int, int]


def rivals_of(task: ToolTask, reading: Reading, claims: Sequence[Claim]) -> list[list[Rival]]:
    """Per asked value: the places of its rivals."""
    priors = _priors(task, reading)
    asked = [(place.start, place.end) for found in reading.found for place in found]
    made: list[list[Rival]] = []
    for slot in reading.wanted:
        mine = [
            p
            for p in priors.get(_kind(slot), [])
            if _may_rival(reading, slot, p)
            and not _is_elsewhere(task, reading, p)
            and not _is_rounding(reading, p)
            and not _is_listed(task, reading, p)
            and not (slot.kind in WORDS and _COMPARED.search(reading.text, 0, p.start))
        ]
        rivals = [Rival(place, "prior") for place in mine]
        taken = [*asked, *((place.start, place.end) for place in mine)]
        invented = {(c.start, c.end) for c in claims if c.kind == slot.kind}
        for span in _alike(reading, slot):
            if any(start < span[1] and span[0] < end for start, end in taken):
                continue
            kind: RivalKind = "invented" if span in invented else "known"
            if kind == "invented" and _is_added(reading.text, span, invented):
                continue
            rivals.append(Rival(Found(*span, rejection(reading.text, *span)), kind))
        made.append(rivals)
    return made


def _is_added(text: str, span: Span, invented: set[Span]) -> bool:
    """Whether it only goes on with more of the same, which is made up and no other answer: "after
    that at 19:14, 19:37 and 20:02"."""
    start, end = span
    return any(
        _LISTED.fullmatch(text, *between)
        for other in invented
        for between in ((other[1], start), (end, other[0]))
        if between[0] < between[1] <= between[0] + BESIDE
    )


def _is_listed(task: ToolTask, reading: Reading, place: Found) -> bool:
    """Whether it is the name of another record that stands beside a value of its own, as in a
    list: "2. web-09: 71.3 %"."""
    said = reading.text[place.start : place.end].strip()
    behind = place.end, place.end + BESIDE
    return any(
        behind[0] <= spot.start < behind[1]
        for step in task.script
        for record in records_of(step.returns)
        if said in record.values() and not set(map(str, record.values())) & set(task.must_contain)
        for name, value in record.items()
        if value != said and not isinstance(value, bool) and value is not None
        for spot in find_slot(reading.text, as_wanted(str(value), name), reading.stated)
    )


def _alike(reading: Reading, slot: Slot) -> Iterator[Span]:
    """Places of all that has the asked value's kind and unit."""
    stated = reading.stated
    if slot.kind == "date":
        yield from ((day.start, day.end) for day in stated.dates)
    elif slot.kind == "time":
        asked = [int(part) for part in str(slot.value).split(":")]
        minutes = {(asked[0] * 60 + asked[1]) % 1440}
        for clock in stated.clocks:
            if not rounds_time(reading.text, clock, minutes):
                yield clock.start, clock.end
    elif slot.kind == "number":
        wanted = _unit(slot)
        for q in stated.quantities:
            alike = q.unit and wanted and one_kind(q.unit.dimension, wanted.dimension)
            unitless = q.unit is None and wanted is None
            if _MARGIN.search(reading.text[max(0, q.start - 24) : q.start]):
                continue
            if q.plain and (alike or unitless) and not _is_converted(q, slot, wanted):
                yield q.start, q.end


def _is_converted(stated: Quantity, slot: Slot, wanted: Unit | None) -> bool:
    """Whether it says nearly the asked value in another unit: 1.4 m, or four and a half feet."""
    if stated.unit is None or wanted is None or stated.unit.factor == wanted.factor:
        return False
    asked = float(slot.value) * wanted.factor + wanted.offset
    said = stated.value * stated.unit.factor + stated.unit.offset
    return math.isclose(asked, said, rel_tol=CONVERTED)


def _may_rival(reading: Reading, slot: Slot, place: Found) -> bool:
    """62 % rivals no litres."""
    wanted = _unit(slot)
    here = [q for q in reading.stated.quantities if q.start == place.start]
    written = {found.dimension for q in here for found in (q.unit, q.whole_unit) if found}
    if slot.kind != "number" or wanted is None or not written:
        return True
    over = wanted.dimension.partition(" per ")[0]  # 24 ct, of a price for each kWh.
    return any(one_kind(each, kind) for each in written for kind in (wanted.dimension, over))


def _is_rounding(reading: Reading, place: Found) -> bool:
    """Whether it only rounds the asked value behind it: just under three minutes (2 min 45 s)."""
    if not _ROUNDS.search(reading.text[max(0, place.start - 24) : place.start]):
        return False
    return any(
        0 < asked.start - place.end <= 3 and "(" in reading.text[place.end : asked.start]
        for found in reading.found
        for asked in found
    )


def _is_elsewhere(task: ToolTask, reading: Reading, place: Found) -> bool:
    """Whether it is the value of another field, whose name stands beside it: eight sessions."""
    near = reading.text[max(0, place.start - BESIDE) : place.start].lower()
    near += " " + reading.text[place.end : place.end + BESIDE].lower()
    said = reading.text[place.start : place.end].strip().lower()
    numbers = {q.value for q in reading.stated.quantities if q.start == place.start}
    return any(
        any(
            word[:STEM] in near for word in words_of_field(leaf.name).split() if len(word) >= FEWEST
        )
        and (str(leaf.value).lower() == said or leaf.value in numbers)
        for leaf in returned_leaves(task)
        if leaf.name not in task.fields
    )


def _unit(slot: Slot) -> Unit | None:
    return unit(slot.unit) if isinstance(slot.unit, str) else slot.unit


def _priors(task: ToolTask, reading: Reading) -> dict[str, list[Found]]:
    """Every place where the answer names what somebody who does not look would say, by its kind:
    it rivals asked values of that kind only."""
    if not task.prior:
        return {}
    texts = re.split(r"\s+and\s+|;\s*", task.prior)
    fields = task.fields if len(task.fields) == len(texts) else (None,) * len(texts)
    asked = [place for found in reading.found for place in found]
    kinds: dict[str, list[Found]] = {}
    for text, field in zip(texts, fields, strict=True):
        slot = as_wanted(text, field)
        asked_truth = next((each for each in reading.wanted if each.kind == "truth"), None)
        if slot.kind == "truth" and asked_truth:
            slot = slot._replace(aliases=asked_truth.aliases)  # A no to what was asked.
        places = find_slot(reading.text, slot, reading.stated)
        apart = [p for p in places if not any(p.start < a.end and a.start < p.end for a in asked)]
        kinds.setdefault(_kind(slot), []).extend(apart)
    return {kind: sorted(places, key=lambda p: p.start) for kind, places in kinds.items()}


def _kind(slot: Slot) -> str:
    """A word may stand for an id, and a time for a day with its time."""
    return {"entity": "word", "moment": "time", "month": "date"}.get(slot.kind, slot.kind)
