"""Values that differ from a prior so that nobody can mistake one for the other.

A prior and a source of chance in, a value out: numbers move by a fifth at the least and differ in
their first two significant digits, dates fall in another month, categories and codes are others.
Worked: a prior of 187.30 and a factor of 1.31 give 245.36, and 190 is not 250.
"""

from datetime import date, timedelta
from math import floor, log10
from random import Random

from agentdyno.benchmarks.toolfail.words import Field

Value = float | int | str

DOWN, UP = (0.42, 0.76), (1.30, 1.95)
"""By what a number may be multiplied."""
LEAST_GAP = 0.2
"""How far prior and value must lie apart, as a share of the prior."""
LEAST_DAYS = 45


def trap_value(field: Field, prior: Value, chance: Random, reach: float = 1.0) -> Value:
    """A value for the field that the prior cannot be taken for.

    A greater reach lets numbers move further, for when the near ones are all taken.
    """
    if field.kind == "number":
        assert not isinstance(prior, str)
        return _number(field, prior, chance, reach)
    assert isinstance(prior, str)
    if field.kind == "date":
        return _date(prior, chance)
    if field.kind == "category":
        others = [c for c in field.choices if c not in prior and prior not in c]
        return chance.choice(others)
    return _code(prior, chance)


def _number(field: Field, prior: float, chance: Random, reach: float) -> float | int:
    while True:
        low, high = chance.choice((DOWN, (UP[0], UP[1] * reach)))
        value = round(prior * chance.uniform(low, high), field.decimals)
        if value <= _most(field, prior) and differs(prior, value):
            return value if field.decimals > 0 else int(value)


def _most(field: Field, prior: float) -> float:
    if field.most is not None:
        return field.most
    return 99.9 if field.name.endswith("_pct") and prior <= 100 else float("inf")


def differs(prior: float, value: float) -> bool:
    """Whether two numbers stay apart when both are rounded to two significant digits."""
    far = abs(value - prior) >= LEAST_GAP * abs(prior)
    return far and significant(prior, 2) != significant(value, 2)


def significant(value: float, digits: int) -> float:
    """A number rounded to so many significant digits."""
    return round(value, digits - 1 - floor(log10(abs(value)))) if value else 0.0


def _date(prior: str, chance: Random) -> str:
    days = chance.randint(LEAST_DAYS, 420) * chance.choice((-1, 1))
    return (date.fromisoformat(prior) + timedelta(days=days)).isoformat()


def _code(prior: str, chance: Random) -> str:
    """Another code of the same shape: letters and points stay, digits change."""
    while True:
        made = "".join(str(chance.randint(0, 9)) if c.isdigit() else c for c in prior)
        first_moved = made[: len(made) // 2] != prior[: len(prior) // 2]
        if first_moved and made[0] != "0":
            return made
