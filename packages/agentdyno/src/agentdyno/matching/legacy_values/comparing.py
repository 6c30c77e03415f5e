"""Whether a stated value is a given one: rounding to the figures shown, units, percent, dates.

Equal, or equal after rounding to the digits stated (three of them, or two and `about`); in another
unit of the same dimension; a share as a percentage. A number whose unit nobody wrote may have any.

Worked: "$3.4k" is 3400 usd; "0.0525" is 5.25 %; "37.5 g" is not 37.5 mg; "about six months" is
183 days; "down 3.2 %" is -3.2.
"""

import math
from datetime import date

from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.dates import StatedDate
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import DAYS_A_MONTH, DAYS_A_YEAR, Unit
from agentdyno.matching.legacy_values.units import unit as unit_called

_MINUTES_A_DAY = 1440.0
PER_TIME = ("speed", "bit rate")
"""Dimensions of so much in a time that have a name of their own."""
YEAR = unit_called("year")
POUND = unit_called("pounds")
"""A weight, and what people call sterling."""
CONVERTED = 2e-3
"""How far a figure in another unit may be off, however few digits it has."""
CONVERTED_ROUNDED = 1.5e-2
"""The same of one that is rounded to all of its digits, two at the least: 11 km are 6.8 miles."""
PER_MILLION = 1e-4
"""A millionth in percent."""
DISSOLVED = "mass per volume"
LEAST_GROUPED = 1000
"""Figures below have no mark between thousands."""
_FURTHEST = 0.06
"""No rounding to two figures or more moves a number by more than a twentieth of it."""


def matches(stated: Quantity, number: float, unit: Unit | None, signed: bool = True) -> bool:
    """Whether a stated quantity is that number in that unit."""
    if _matches(stated, number, unit):
        return True
    if stated.falling and number < 0 and stated.value > 0:
        return _matches(_negated(stated), number, unit)
    return not signed and _matches(_negated(stated), number, unit)


def _negated(stated: Quantity) -> Quantity:
    others = tuple(-value for value in stated.others)
    return stated._replace(value=-stated.value, others=others)


def _in_water(part: Unit | None) -> Unit | None:
    """Parts per million or billion as weight in a litre of water, where they are one thing."""
    if part is None or part.dimension != "percent" or part.factor > PER_MILLION:
        return None
    return Unit(DISSOLVED, part.factor / PER_MILLION)


def _matches(stated: Quantity, number: float, unit: Unit | None) -> bool:
    if stated.unit is None:
        return _without_unit(stated, number, unit)
    whole = stated.whole_unit
    if unit and whole and DISSOLVED in (unit.dimension, whole.dimension):
        mine, its = _in_water(whole) or whole, _in_water(unit) or unit
        if (mine, its) != (whole, unit) and mine.dimension == its.dimension:
            return _same_dimension(stated, mine, number, its)
    if unit is None:
        # A share that nobody marked as one: 0.42 is 42 %.
        share = stated.unit.dimension == "percent" and abs(number) <= 1.5
        if stated.unit.dimension == "count":
            return same_number(stated, number / stated.unit.factor)  # Three dozen are 36.
        if stated.unit.dimension == "year":
            return same_number(stated, number / stated.unit.factor)  # 320 BC is -320.
        scaled = number / stated.unit.factor * 100
        if stated.unit.dimension == "percent" and 0 < abs(number) < 1:
            return same_number(stated, scaled)  # 0.05 is 5 %, and not 0.05 %.
        return same_number(stated, number) or (share and same_number(stated, scaled))
    if " per " in unit.dimension or unit.dimension in PER_TIME:
        return _is_quotient(stated, number, unit)
    yearly = stated.under == YEAR and stated.unit.dimension == "percent"  # As interest is told.
    if (
        stated.under
        and unit.dimension == "percent"
        and stated.whole_unit != stated.unit
        and not yearly
    ):
        return _is_quotient(stated, number, unit)
    if one_kind(stated.unit.dimension, unit.dimension):
        return _same_dimension(stated, stated.unit, number, unit)
    if stated.unit == POUND and unit.dimension == "money/gbp":
        return same_number(stated, number)
    if {stated.unit.dimension, unit.dimension} == {"time", "months"}:
        return _over_months(stated, number, unit)
    return stated.rate and same_number(stated, number)


def _without_unit(stated: Quantity, number: float, unit: Unit | None) -> bool:
    if same_number(stated, number):
        return True
    if unit is None:
        return False
    # A share may be written as a fraction, and a number of millions in full.
    if unit.dimension == "percent" and abs(stated.value) <= (20 if stated.digits > 3 else 1.5):
        return same_number(stated, number * unit.factor / 100)
    return unit.factor > 1 and same_number(stated, number * unit.factor)


def _is_quotient(stated: Quantity, number: float, unit: Unit) -> bool:
    """3.1 mmol/L of a field in mmol_l; where the text leaves the litre out, the figure decides."""
    whole = stated.whole_unit
    assert whole is not None
    assert stated.unit is not None
    if one_kind(whole.dimension, unit.dimension):
        return _same_dimension(stated, whole, number, unit)
    over, _, under = unit.dimension.partition(" per ")
    if stated.under is not None:
        return False
    if over.startswith("money") and one_kind(stated.unit.dimension, over):
        # Each day costs 35 cents, of a field in euros a day.
        return same_number(stated, number) or same_number(stated, number / stated.unit.factor)
    return (stated.rate or not under or one_kind(stated.unit.dimension, over)) and same_number(
        stated, number
    )


def _same_dimension(stated: Quantity, written: Unit, number: float, unit: Unit) -> bool:
    if unit.dimension.startswith("money") and unit.factor > 1 and same_number(stated, number):
        return True  # "$5,200" for a field that counts millions, beside a heading that says so.
    if unit.dimension == "data":
        binary = number * _binary(unit.factor) / _binary(written.factor)
        if same_number(stated, binary):
            return True  # A megabyte may be 1,024 of 1,024.
    if unit.factor != written.factor and _equal(stated.value, number):
        # 1,840 seconds for 1840 ms is the wrong unit, and no 1.840 with a comma.
        stated = stated._replace(others=())
    base = number * unit.factor + unit.offset
    value = (base - written.offset) / written.factor
    # Converted figures are rounded to whole ones: 850 g are 30 ounces.
    converted = unit.factor != written.factor and stated.digits + _zeros(stated.value) >= 2
    if same_number(stated, value):
        return True
    far = abs(stated.value - value) / abs(value) if value else math.inf
    rounded = _is_rounded(stated.value, value, stated.digits)
    return converted and (far <= CONVERTED or (far <= CONVERTED_ROUNDED and rounded))


def _zeros(value: float) -> int:
    """Zeros at the end of a whole number."""
    shown = str(int(abs(value))) if float(value).is_integer() and abs(value) < 1e15 else ""
    return len(shown) - len(shown.rstrip("0"))


def _binary(factor: float) -> float:
    """A factor of 1,000s as one of 1,024s; those of 1,024s as they are."""
    steps = round(math.log(factor, 1000))
    return 1024.0**steps * 1.0 if math.isclose(factor, 1000.0**steps) else factor / 1.048576


def _over_months(stated: Quantity, number: float, unit: Unit) -> bool:
    """Days against months or years, by the calendar's averages and by the round figures."""
    assert stated.unit is not None
    years_only = stated.unit.factor % 12 == 0 if stated.unit.dimension == "months" else False
    for month in (DAYS_A_MONTH, DAYS_A_YEAR / 12, 30.0, 365 / 12):
        minutes = month * _MINUTES_A_DAY
        if stated.unit.dimension == "months":
            value = number * unit.factor / minutes / stated.unit.factor
        else:
            value = number * unit.factor * minutes / stated.unit.factor
        exact = years_only or month == 30.0
        if exact and math.isclose(value, stated.value, rel_tol=2e-3):
            return True
        if stated.approximate and _near(stated, value):
            return True
    return False


def _near(stated: Quantity, value: float) -> bool:
    """A text that says `about` may be off by half of its last figure, or by 3 %."""
    return same_number(stated, value) or math.isclose(stated.value, value, rel_tol=0.03)


def same_quantity(one: Quantity, other: Quantity, signed: bool = True) -> bool:
    """Whether two stated quantities are one, whichever is written more roughly."""
    return matches(one, other.value, other.unit, signed) or matches(
        other, one.value, one.unit, signed
    )


def same_number(stated: Quantity, value: float) -> bool:
    """Equal, or equal after rounding to the digits stated: three of them, or two and `about`."""
    if _equal(stated.value, value) or any(_equal(each, value) for each in stated.others):
        return True
    if any(_is_whole_of(each, value) for each in stated.others):
        return True
    if stated.step and abs(value - stated.value) <= stated.step / 2:
        return True
    shown = max([stated.digits, *_figures(stated.value)])
    if shown < (2 if stated.approximate else 3) or not value:
        return False
    if abs(value - stated.value) > _FURTHEST * abs(value):
        return False
    return any(
        _is_rounded(stated.value, value, digits)
        for digits in {stated.digits, *_figures(stated.value)}
        if digits >= (2 if stated.approximate else 3)
    )


def _is_whole_of(reading: float, value: float) -> bool:
    """23.481 may be 23481, and so a rounded 23480.75."""
    return abs(reading) >= LEAST_GROUPED and any(
        _is_rounded(reading, value, digits) for digits in _figures(reading)
    )


def _figures(value: float) -> tuple[int, ...]:
    """Zeros at the end may be figures too: 1,200 is a rounded 1,199.7."""
    if not float(value).is_integer() or not 1 <= abs(value) < 1e15:
        return ()
    return (len(str(int(abs(value)))),)


def _equal(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def _is_rounded(shown: float, value: float, digits: int) -> bool:
    """Whether a value is shown to so many digits; 3.25 may be shown as 3.2 and as 3.3."""
    if not math.isfinite(value) or not value:
        return shown == value
    step = 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1)
    steps = shown / step
    return math.isclose(steps, round(steps), abs_tol=1e-6) and abs(shown - value) <= step * (
        0.5 + 1e-9
    )


def same_day(stated: StatedDate, day: date) -> bool:
    """Whether a stated day is that one; without its year, month and day have to agree."""
    if stated.month_day is not None:
        return stated.month_day == (day.month, day.day)
    return day in stated.days
