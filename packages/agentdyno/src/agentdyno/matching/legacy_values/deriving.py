"""What simple arithmetic makes of known numbers: sums, differences, ratios, changes, means.

Takes the numbers that sources hold, returns derived ones. Beyond a few dozen numbers arithmetic
would support anything, so nothing is derived from more than `MOST` at once; the sum and the mean of
one field's values are looked at however many they are.

Worked: 120 and 80 make 40, 200, 1.5, 50 % and the mean 100; 30 % leaves a rest of 70 %.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit

MOST = 40
"""Beyond so many numbers, arithmetic on pairs would support anything."""


LARGE = 50.0


class Known(NamedTuple):
    """A number that a source holds."""

    value: float
    unit: Unit | None
    field: str = ""
    """The field it stands in, so that a column can be summed."""


def combined(numbers: Iterable[Known]) -> list[float]:
    """What the numbers make together, in their base units."""
    known = list(numbers)
    made = _columns(known)
    bases = {(_base(n), n.unit.dimension if n.unit else None) for n in known}
    if len(bases) > MOST:
        return made
    made += [100 - value for value, dimension in bases if dimension == "percent"]
    made += [100 - 100 * value for value, dimension in bases if dimension is None and 0 < value < 1]
    for (a, kind_a), (b, kind_b) in permutations(bases, 2):
        if kind_a == kind_b:
            made += [a - b, a + b, *([100 * (a - b) / b] if b else ())]
        elif "percent" in (kind_a, kind_b) and kind_a == "percent":
            made += [a * b / 100, b * (1 + a / 100), b * (1 - a / 100)]
        if b:
            made.append(a / b)
        if kind_a is None or kind_b is None or kind_a.endswith(f" per {kind_b}"):
            made.append(a * b)
    return made


def _columns(known: list[Known]) -> list[float]:
    """Sum, mean, range and length of each field's values."""
    fields: dict[str, list[float]] = defaultdict(list)
    for number in known:
        if number.field:
            fields[number.field].append(_base(number))
    made: list[float] = []
    for values in fields.values():
        if len(values) > 1:
            total = math.fsum(values)
            made += [total, total / len(values), max(values) - min(values), float(len(values))]
        if len(values) == 2 and all(values):  # One is 29 % more than the other.
            made += [float(round(100 * (a - b) / b)) for a, b in permutations(values)]
    return made


def _base(number: Known) -> float:
    return number.value * number.unit.factor if number.unit else number.value


def is_derived(stated: Quantity, made: list[float]) -> bool:
    """Whether a stated quantity is one of the derived numbers."""
    if not made or not stated.value:
        return False
    scale = stated.whole_unit.factor if stated.whole_unit else 1.0
    if stated.rate:  # A quotient is rounded: 36 kWh a panel.
        stated = stated._replace(approximate=True)
    if stated.digits < 2:
        # A round figure has to be met exactly, and small ones agree by chance.
        large = abs(stated.value) >= LARGE
        return large and any(math.isclose(stated.value, value / scale) for value in made)
    return any(_about_same(stated, value / scale) for value in made)


def _about_same(stated: Quantity, value: float) -> bool:
    """As for any number; and one that is said to be approximate may be cut off, not rounded."""
    if same_number(stated, value):
        return True
    step = 10.0 ** (math.floor(math.log10(abs(stated.value))) - stated.digits + 1)
    return stated.approximate and 0 <= value - stated.value < step
