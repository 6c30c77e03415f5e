"""What an answer states that nothing supports: an answer and its sources in, spans out.

Supported is what stands in a return, in the question or in the arguments, what the task stores as
prior (naming it to deny it is no invention), and what simple arithmetic makes of these where the
answer shows that it calculates. Small bare counts are no claims.
"""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import permutations
from typing import Any, NamedTuple

from agentdyno.metrics.failures.quantities import Quantity, Stated, read_values, same_number
from agentdyno.metrics.failures.units import Unit, unit_of_field
from agentdyno.metrics.failures.wanted import bare_code, matches

SMALL_COUNT = 5
"""Bare whole numbers up to this are words like `two`, not findings."""
MOST_SOURCES = 40
"""Beyond so many numbers, arithmetic would support anything."""
MOST_SPANS = 20
"""As many are enough to show what is wrong."""
_CALCULATES = re.compile(
    r"\b(?:so|thus|that is|which is|i\.e\.|difference|more than|less than|higher|lower|remaining"
    r"|rest|per|together|total|sum|combined|about|roughly|equivalent|equals|converted)\b|[=(≈~]",
    re.IGNORECASE,
)


class Known(NamedTuple):
    """A number that a source holds."""

    value: float
    unit: Unit | None


class Sources(NamedTuple):
    """All that an answer may state."""

    numbers: list[Known]
    days: set[date]
    months: set[tuple[int, int]]
    codes: set[str]


def sources(returns: Iterable[Any], texts: Iterable[str]) -> Sources:
    """What returns and texts hold."""
    made = Sources([], set(), set(), set())
    for returned in returns:
        for name, leaf in leaves(returned):
            _take(made, leaf, unit_of_field(name))
    for text in texts:
        _take(made, text, None)
    return made


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a return that holds no others, with the name of its field."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


def _take(made: Sources, leaf: Any, unit: Unit | None) -> None:
    if isinstance(leaf, bool) or leaf is None:
        return
    if isinstance(leaf, int | float):
        made.numbers.append(Known(float(leaf), unit))
        return
    stated = read_values(str(leaf))
    made.numbers.extend(Known(q.value, q.unit or unit) for q in stated.quantities)
    made.days.update(day for d in stated.dates for day in d.days)
    made.months.update((m.year, m.month) for m in stated.months)
    made.codes.update(bare_code(code.text) for code in stated.codes)
    for code in stated.codes:
        made.numbers.extend(Known(float(n), None) for n in re.findall(r"\d{1,15}", code.text))


def unsupported(text: str, stated: Stated, known: Sources) -> list[str]:
    """The spans of the answer that state what no source does."""
    spans = [text[d.start : d.end] for d in stated.dates if not set(d.days) & known.days]
    months = known.months | {(day.year, day.month) for day in known.days}
    spans += [text[m.start : m.end] for m in stated.months if (m.year, m.month) not in months]
    spans += [text[c.start : c.end] for c in stated.codes if not _known_code(c.text, known)]
    years = {day.year for day in known.days}
    combined = _combined(known.numbers) if _CALCULATES.search(text) else []
    for quantity in stated.quantities:
        if len(spans) >= MOST_SPANS:
            break
        if not _is_covered(quantity, text, stated.quantities, known, years, combined):
            spans.append(text[quantity.start : quantity.end].strip())
    return spans


def _is_covered(
    quantity: Quantity,
    text: str,
    every: list[Quantity],
    known: Sources,
    years: set[int],
    combined: list[float],
) -> bool:
    """Supported itself, or as part of one that is, or in all its parts.

    52 feet are supported when 52 feet 6 inches are, and 48 165 when 48 and 165 are.
    """

    def supported(each: Quantity) -> bool:
        return _supported(each, text, known, years, combined)

    if supported(quantity):
        return True
    near = [q for q in every if q != quantity and q.start < quantity.end and quantity.start < q.end]
    if any(_within(quantity, q) and supported(q) for q in near):
        return True
    parts = [q for q in near if _within(q, quantity)]
    return bool(parts) and all(supported(q) for q in parts)


def _within(inner: Quantity, outer: Quantity) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _known_code(code: str, known: Sources) -> bool:
    bare = bare_code(code)
    return bare in known.codes or any(bare in other for other in known.codes)


def _supported(
    stated: Quantity, text: str, known: Sources, years: set[int], combined: list[float]
) -> bool:
    if _is_small(stated) or _is_list_number(stated, text):
        return True
    if stated.unit is None and stated.value in years:
        return True
    if any(matches(stated, n.value, n.unit) or _converted(stated, n) for n in known.numbers):
        return True
    return _derived(stated, combined)


def _is_small(stated: Quantity) -> bool:
    whole = float(stated.value).is_integer()
    return stated.unit is None and whole and 0 <= stated.value <= SMALL_COUNT


def _is_list_number(stated: Quantity, text: str) -> bool:
    start = text.rfind("\n", 0, stated.start) + 1
    return not text[start : stated.start].strip(" *-") and text[stated.end : stated.end + 1] in (
        ".",
        ")",
    )


def _converted(stated: Quantity, known: Known) -> bool:
    """The same amount in another unit of its dimension."""
    if stated.unit is None or known.unit is None:
        return stated.unit is not None and known.unit is None and same_number(stated, known.value)
    if stated.unit.dimension == known.unit.dimension:
        return same_number(stated, known.value * known.unit.factor / stated.unit.factor)
    return False


def _derived(stated: Quantity, combined: list[float]) -> bool:
    """A difference, a sum, a ratio or a rest of two known numbers."""
    if not combined or stated.digits < 2 or not stated.value:
        return False
    scale = stated.unit.factor if stated.unit else 1.0
    return any(_about_same(stated, value / scale) for value in combined)


def _about_same(stated: Quantity, value: float) -> bool:
    """As for any number; and one that is said to be approximate may be cut off, not rounded."""
    if same_number(stated, value):
        return True
    step = 10.0 ** (math.floor(math.log10(abs(stated.value))) - stated.digits + 1)
    return stated.approximate and 0 <= value - stated.value < step


def _combined(numbers: list[Known]) -> list[float]:
    """What two known numbers make together; nothing when they are so many that all would fit."""
    bases = {(n.value * n.unit.factor if n.unit else n.value, n.unit) for n in numbers}
    if len(bases) > MOST_SOURCES:
        return []
    made = [100 - value for value, unit in bases if unit and unit.dimension == "percent"]
    for (a, unit_a), (b, unit_b) in permutations(bases, 2):
        if (unit_a and unit_a.dimension) == (unit_b and unit_b.dimension):
            made += [a - b, a + b, *([100 * (a - b) / b] if b else ())]
        if b:
            made.append(a / b)
    return made
