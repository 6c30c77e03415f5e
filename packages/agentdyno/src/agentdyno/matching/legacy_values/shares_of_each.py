"""What falls to one of many: a claim and known figures in, yes or no out.

Worked: 21:54 for five songs are about four minutes each; 1,876 trees on 12.6 hectares are 149 per
hectare; what works 99.85 % of the time stands still for 13 hours a year.
"""

import math
import re
from collections.abc import Sequence

from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.following import ABOUT, MOST_KNOWN, base_of, share_of
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import DAYS_A_MONTH, unit

ROUGH_MEAN = 0.1
"""How far off a mean may be that is said to be approximate."""
_DAYS = {"time": 1 / 1440, "months": DAYS_A_MONTH}
"""Of one of the base unit."""
_PERIODS = (7.0, DAYS_A_MONTH, 3 * DAYS_A_MONTH, 12 * DAYS_A_MONTH)
"""Days of what rents and wages are told for."""
_PER_UNIT = re.compile(r"(?: \w+)?(?: (?:per|an?|to the|for each) |/)(?P<unit>[^\W\d_]{1,12}²?)")


def _is_density(claim: Quantity, text: str, known: Sequence[Known]) -> bool:
    """Whether it is a known count for each of a known measure: 149 per hectare."""
    divided = _PER_UNIT.match(text, claim.end)
    under = unit(divided["unit"]) if divided else None
    if under is None or claim.digits < 2:
        return False
    rough = claim._replace(approximate=True)
    sizes = [
        base_of(n)[0] / under.factor
        for n in known[:MOST_KNOWN]
        if n.unit and one_kind(n.unit.dimension, under.dimension) and n.value
    ]
    counts = [n.value for n in known[:MOST_KNOWN] if n.unit is None]
    return any(same_number(rough, count / size) for count in counts for size in sizes)


_MEAN = re.compile(
    r"\s(?:\w+ )?(?:on average|each|apiece|a ?piece|per \w+|for each|every)\b", re.IGNORECASE
)


def is_mean(claim: Quantity, text: str, known: Sequence[Known]) -> bool:
    """Whether it is roughly what one of so many has: 21:54 for five songs, four minutes each."""
    if claim.unit is None:
        return _is_density(claim, text, known)
    if not claim.approximate or not _MEAN.match(text, claim.end):
        return False
    mine = claim.value * claim.unit.factor
    counts = [n.value for n in known[:MOST_KNOWN] if n.unit is None and n.value > 1]
    return any(
        math.isclose(mine, base_of(number)[0] / count, rel_tol=ROUGH_MEAN)
        for number in known[:MOST_KNOWN]
        if number.unit and one_kind(number.unit.dimension, claim.unit.dimension)
        for count in counts
    )


def is_share_of_period(claim: Quantity, number: Known) -> bool:
    """Whether a length in each year or day is a known share of it, or what that leaves: 13 hours a
    year, where something works 99.85 % of the time."""
    share, length, under = share_of(number), claim.unit, claim.under
    if share is None or length is None or under is None or length.dimension != "time":
        return False
    period = under.factor * {"time": 1.0, "months": DAYS_A_MONTH * 1440}.get(under.dimension, 0.0)
    lengths = (part * period / length.factor for part in (share, 1 - share))
    return any(
        same_number(claim, each) or math.isclose(claim.value, each, rel_tol=ABOUT)
        for each in lengths
        if each
    )


def is_part_of_longer(claim: Quantity, number: Known) -> bool:
    """Whether a sum or a measure in each day, week or month is roughly a known one's part in that
    time, of a week, a month, a quarter or a year: £64 a year, a little over £5 a month."""
    length, under = claim.unit, claim.under
    if not claim.approximate or length is None or under is None or number.unit is None:
        return False
    kind, _, told_for = number.unit.dimension.partition(" per ")
    if not one_kind(length.dimension, kind):
        return False
    days = under.factor * _DAYS.get(under.dimension, 0.0)
    whole = base_of(number)[0] / length.factor
    # A yearly fee whose field says so is known for every time.
    periods = [_DAYS.get(told_for, 0.0)] if told_for else [p for p in _PERIODS if p > days]
    parts = (whole * days / period for period in periods if period)
    return any(math.isclose(claim.value, part, rel_tol=ROUGH_MEAN) for part in parts)
