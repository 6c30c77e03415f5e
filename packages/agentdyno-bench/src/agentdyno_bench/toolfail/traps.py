"""Values that differ from a prior so that one cannot be mistaken for the other, yet plausibly.

A prior and a source of chance in, a value out: numbers move by a fifth to a half and differ in
their first two significant digits, categories and codes are others.
Worked: a prior of 187.30 and a factor of 1.31 give 245.36, and 190 is not 250.
"""

from math import floor, log10
from random import Random

DOWN, UP = (0.60, 0.80), (1.21, 1.52)
"""By what a number may be multiplied."""
LEAST_GAP = 0.2
"""How far prior and value must lie apart, as a share of the prior."""


def trap_number(
    prior: float, decimals: int, chance: Random, most: float | None = None, reach: float = 1.0
) -> float | int:
    """A number that the prior cannot be taken for; a greater reach lets it move further."""
    for _ in range(400):
        low, high = chance.choice((DOWN, (UP[0], 1 + (UP[1] - 1) * reach)))
        value = round_value(prior * chance.uniform(low, high), decimals)
        if differs(prior, value) and (most is None or value <= most):
            return value
        reach *= 1.01
    raise ValueError(f"found no value for the prior {prior}")


def round_value(value: float, decimals: int) -> float | int:
    """A number as a record holds it."""
    trap = round(value, decimals)
    return trap if decimals > 0 else int(trap)


def differs(prior: float, value: float) -> bool:
    """Whether two numbers stay apart when both are rounded to two significant digits."""
    far = abs(value - prior) >= LEAST_GAP * abs(prior)
    return far and significant(prior, 2) != significant(value, 2)


def significant(value: float, digits: int) -> float:
    """A number rounded to so many significant digits."""
    return round(value, digits - 1 - floor(log10(abs(value)))) if value else 0.0


def trap_code(prior: str, chance: Random) -> str:
    """Another code of the same shape: letters and points stay, digits change."""
    while True:
        trap = "".join(str(chance.randint(1, 9)) if c.isdigit() else c for c in prior)
        digits = sum(c.isdigit() for c in prior)
        moved = sum(a != b for a, b in zip(trap, prior, strict=True))
        if moved >= min(2, digits):
            return trap


def trap_version(prior: str, chance: Random, after: str | None = None) -> str:
    """Another version of the same kind: the first number moves by one at the most, the others up to
    twice as far; later than `after` where that is given."""
    first, *rest = version_parts(prior)
    while True:
        trap = [first + chance.choice((0, 0, 1)), *(chance.randint(0, 2 * n + 9) for n in rest)]
        text = ".".join(map(str, trap))
        if text != prior and (after is None or version_parts(after) < trap):
            return text


def version_parts(text: str) -> list[int]:
    """The numbers of a version, to be compared."""
    return [int(part) for part in text.split(".")]
