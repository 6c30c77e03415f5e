"""Values given to each other's owners: a task, a reading and the asked values in, the swap out.

"ingest-0 has 2 restarts, ingest-1 has 14" states both values, each for the wrong pod. Looked for
where two records have the field that is asked for, both values stand in the answer once, and so do
two names that tell the records apart: then each value belongs to the name beside it, or to the name
of its rank where both names come first.
"""

import re
from itertools import combinations
from typing import Any, NamedTuple

from agentdyno.findings.failures.records import Record, spells
from agentdyno.matching.commitments import Reading
from agentdyno.matching.commitments.hits import find_hits
from agentdyno.matching.values import Expected, fold
from agentdyno.records.failures import ToolTask


class Swap(NamedTuple):
    """Two values that changed places."""

    text: str
    """The two names."""
    start: int
    """Where the first value stands in the answer."""
    end: int
    """Where it ends."""


def find_swap(
    task: ToolTask, reading: Reading, asked: list[Expected], records: list[Record]
) -> Swap | None:
    """The first pair of asked values that stand under each other's names."""
    owned = [(each, _owner(task, number, records)) for number, each in enumerate(asked)]
    for (one, first), (other, second) in combinations(owned, 2):
        if first is None or second is None or first[0] != second[0] or first[1] == second[1]:
            continue
        values = _only_place(reading, one), _only_place(reading, other)
        if values[0] is None or values[1] is None:
            continue
        for names in _names(reading, first[1], second[1], records):
            if _is_crossed(names, (values[0], values[1])):
                text = " and ".join(reading.text[slice(*name)] for name in names)
                return Swap(text, *values[0])
    return None


Place = tuple[int, int]


def _owner(task: ToolTask, number: int, records: list[Record]) -> tuple[str, Record] | None:
    """The field and the record that an asked value comes from; None where several hold it."""
    if number >= len(task.fields):
        return None
    field, text = task.fields[number], task.must_contain[number]
    found = [record for record in records if field in record and spells(record[field], text)]
    return (field, found[0]) if len(found) == 1 else None


def _only_place(reading: Reading, expected: Expected) -> Place | None:
    places = {
        (hit.start, hit.end)
        for value in expected.values
        for hit in find_hits(reading, expected, value)
    }
    return next(iter(places)) if len(places) == 1 else None


def _names(
    reading: Reading, one: Record, other: Record, records: list[Record]
) -> list[tuple[Place, Place]]:
    """The first places of two names of one field, of which no two records have the same."""
    found = []
    for field in one.keys() & other.keys():
        every = [str(record[field]) for record in records if field in record]
        places = [_written(reading, field, each[field]) for each in (one, other)]
        if len(every) == len(set(every)) and all(places):
            found.append((places[0][0], places[1][0]))
    return found


def _written(reading: Reading, field: str, name: Any) -> list[Place]:
    """Where a name stands; a letter or a digit is one only behind the word for it: "room B"."""
    if isinstance(name, bool) or not isinstance(name, str | int):
        return []
    if fold(str(name)) not in reading.folded:
        return []
    kind = rf"{re.escape(fold(field))}\W{{1,3}}" if len(str(name)) == 1 else ""
    pattern = rf"(?<![\w-]){kind}{re.escape(fold(str(name)))}(?![\w-])"
    return [match.span() for match in re.finditer(pattern, reading.folded)]


def _is_crossed(names: tuple[Place, Place], values: tuple[Place, Place]) -> bool:
    """Whether the names and the values come in such an order that each has the other's."""
    parts = [(names[0], "n0"), (names[1], "n1"), (values[0], "v0"), (values[1], "v1")]
    order = "".join(name for _, name in sorted(parts))
    beside = ("n0v1n1v0", "n1v0n0v1", "v1n0v0n1", "v0n1v1n0")
    ranked = ("n0n1v1v0", "n1n0v0v1", "v0v1n1n0", "v1v0n0n1")
    return order in beside or order in ranked
