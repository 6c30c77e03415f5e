"""Whether a value that a text states is an expected one: `exact`, `rounded`, `rough` or None.

exact     the same to the last digit, after conversion of units
rounded   what the expected value is to the digits shown, at least two of them or one in forty
rough     a coarser rounding, a second reading, a date without its year that cannot be checked, a
          time whose half of the day is not stated: no reader would swear by it
"""

import math
from typing import Literal

from agentdyno.matching.values.lexicon import Unit
from agentdyno.matching.values.value import Value

Closeness = Literal["exact", "rounded", "rough"]
FINE = 0.01
"""Relative distance up to which a round figure is the figure."""
NEAR = 0.025
"""Relative distance up to which a rounded figure is the figure."""
ROUGH = 0.12
"""Relative distance of what "about" may still mean."""
_MONTH = 30.436875 * 86400
"""Seconds of a month, where months and days are compared."""


def compare(stated: Value, expected: Value) -> Closeness | None:
    """How a stated value agrees with an expected one; None when it does not, or kinds differ."""
    if expected.kind == "number" and stated.kind == "number":
        found = _numbers(stated, expected)
    elif expected.kind == "number" and stated.kind == "date":
        year = stated.date == (expected.number, None, None)
        found = "exact" if year else None
    elif expected.kind == "time" and stated.kind == "number" and stated.dimension == "time":
        # A field may write a length of time like a clock: 6:40 is 6 min 40 s, or 6 h 40 min.
        is_same = stated.sure and stated.base in (expected.number, 60 * expected.number)
        found = "exact" if is_same else None
    elif stated.kind != expected.kind:
        return None
    elif expected.kind == "date":
        found = _dates(stated, expected)
    elif expected.kind == "time":
        found = "exact" if stated.number == expected.number else None
        if stated.about and abs(stated.number - expected.number) <= 10:
            found = "rounded"
    else:
        found = "exact" if stated.text == expected.text else None
    if found and not stated.sure:
        rounded = found == "exact" and (stated.kind != "time" or stated.spelled)
        return "rounded" if rounded else "rough"
    return found


def _dates(stated: Value, expected: Value) -> Closeness | None:
    pairs = list(zip(stated.date, expected.date, strict=True))
    if any(a is not None and b is not None and a != b for a, b in pairs):
        return None
    _, month, day = stated.date
    if month is None or (day is None and expected.date[2] is not None):
        return "rough"
    return "exact"


def _numbers(stated: Value, expected: Value) -> Closeness | None:
    best: Closeness | None = None
    for mine, target, step, loose in _bases(stated, expected):
        found = _close(mine, target, step, stated.about, stated.spelled)
        if found and loose:
            found = "rough" if found != "exact" else found
        if found == "exact":
            return found
        if found == "rounded" or best is None:
            best = found or best
    return best


def _bases(stated: Value, expected: Value) -> list[tuple[float, float, float, bool]]:
    """Both numbers on one scale with the step of the stated one, and whether it is a guess."""
    unit, target = stated.unit, expected.unit
    found: list[tuple[float, float, float, bool]] = []
    if unit is None or target is None:
        if unit is None and target is not None and target.dimension == "percent":
            share = expected.base / 100
            found = [
                (stated.number, expected.number, stated.step, False),
                (stated.number, share, stated.step, False),
            ]
        elif unit is None:
            # A number without a unit is in the unit of what was asked for.
            found = [
                (
                    stated.number,
                    expected.number,
                    stated.step,
                    target is not None and target.dimension == "time",
                )
            ]
        elif unit.dimension == "percent":
            at = unit.factor
            found = [(stated.number * at / 100, expected.number, stated.step * at / 100, False)]
            if not 0 < abs(expected.number) < 1:
                found.append((stated.number * at, expected.number, stated.step * at, True))
        else:
            # The field may not say its unit: 42 of `depth` is "42 metres".
            found = [(stated.number, expected.number, stated.step, False)]
        return found
    for mine, other in _scales(stated, target):
        number = stated.number * mine.factor + mine.offset
        aim = expected.number * other.factor + other.offset
        found.append((number, aim, stated.step * mine.factor, False))
    return found


def _scales(stated: Value, target: Unit) -> list[tuple[Unit, Unit]]:
    """The stated and the expected unit where they measure the same."""
    unit = stated.unit
    assert unit is not None
    if stated.per is not None and "/" in target.dimension:
        unit = unit.per(stated.per)
    elif stated.per is not None and unit.dimension != "money" and "/" not in target.dimension:
        whole = unit.per(stated.per)
        unit = whole if whole.dimension == target.dimension else unit
    if unit == _POUND and target.currency == "gbp":
        unit = Unit("money", 1.0, 0.0, "gbp")
    if unit.dimension == "money" == target.dimension:
        known = unit.currency == target.currency or {unit.currency, target.currency} <= _DOLLARS
        return [(unit, target)] if known else []
    if unit.dimension == target.dimension:
        return [(unit, target)]
    if (
        target.dimension.partition("/")[0] == unit.dimension
        and stated.per is None
        and "/" in target.dimension
    ):
        return [(Unit("", unit.factor if unit.dimension == "money" else 1.0), Unit(""))]
    if {unit.dimension, target.dimension} == {"months", "time"}:
        times = {"months": _MONTH, "time": 1.0}
        return [
            (
                Unit("time", u.factor * times[u.dimension]),
                Unit("time", w.factor * times[w.dimension]),
            )
            for u, w in ((unit, target),)
        ]
    if unit.dimension == "angle" and target.dimension == "temperature":
        return [
            (Unit("temperature", target.factor, target.offset), target),
            (Unit("temperature", 5 / 9, -160 / 9), target),
        ]
    return []


_POUND = Unit("mass", 453.59237)
_DOLLARS = {"usd", "cad", "aud", "nzd", "hkd", "sgd", "mxn", "ars", "clp", "cop"}
"""Currencies that the sign of the dollar may stand for."""


def _close(mine: float, target: float, step: float, about: bool, spelled: bool) -> Closeness | None:
    if math.isclose(mine, target, rel_tol=1e-9, abs_tol=1e-12):
        return "exact"
    apart = abs(mine - target)
    relative = apart / abs(target) if target else math.inf
    if step and apart <= step * 0.500001:
        return (
            "rounded"
            if relative <= NEAR and (relative <= FINE or about or not _is_round(mine))
            else "rough"
        )
    if step and apart < step * 0.999 and relative <= NEAR:
        return (
            "rounded" if about else "rough"
        )  # Cut instead of rounded, or just off in the last digit.
    if relative <= 0.005 and about and not (float(target).is_integer() and 1500 < target < 2200):
        return "rounded"
    if about and relative <= ROUGH:
        return "rounded" if relative <= FINE else "rough"
    return "rough" if relative <= NEAR and _is_round(mine) else None


def _is_round(number: float) -> bool:
    """Whether it ends in zeros or is a half, as rounded figures do: 48,000, 2.5."""
    if number == 0:
        return False
    digits = f"{abs(number):.6g}".replace(".", "").rstrip("0").lstrip("0")
    return len(digits) <= 2 and (abs(number) >= 10 or number % 0.5 == 0)
