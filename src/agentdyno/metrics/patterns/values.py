r"""Numbers in text as values: 3,400 = 3400.0 = 3.4e3, 3/4 = \frac{3}{4} = 0.75, without units."""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBER = re.compile(
    r"\\frac\{(-?\d{1,12})\}\{(\d{1,12})\}"
    r"|(?<![\w.])(-?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,15}(?!\d))(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?)"
    r"(?:\s?/\s?(\d{1,12})(?![\d/.-]))?"
)


class Number(NamedTuple):
    """A number where it stands."""

    value: float
    start: int
    end: int
    decimals: int


def find_numbers(text: str) -> Iterator[Number]:
    """Every number of a text with its place."""
    for match in _NUMBER.finditer(text):
        top, bottom, plain, over = match.groups()
        if plain is None:
            value = _divided(float(top), bottom)
        else:
            value = float(plain.replace(",", ""))
            value = _divided(value, over) if over else value
        if value is not None and math.isfinite(value):
            yield Number(value, match.start(), match.end(), _decimals(plain or ""))


def numbers_in(text: str) -> set[float]:
    """The distinct values in a text."""
    return {number.value for number in find_numbers(text)}


def _divided(top: float, bottom: str) -> float | None:
    under = float(bottom)
    return top / under if under else None


def _decimals(written: str) -> int:
    return len(written.partition(".")[2]) if "e" not in written.lower() else 0


def same_value(stated: Number, returned: float) -> bool:
    """Equal, or equal after rounding to the digits that were stated (three of them at least)."""
    if math.isclose(stated.value, returned, rel_tol=1e-9, abs_tol=1e-12):
        return True
    digits = stated.decimals
    return (
        digits >= 2
        and abs(stated.value) >= 1
        and round(returned, digits) == round(stated.value, digits)
    )
