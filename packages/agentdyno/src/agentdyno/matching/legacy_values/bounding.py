"""Figures that only say where a known one lies: a figure and its text in, yes or no out.

Worked: of 215 cm, "more than two metres" is true and so invents nothing; of 0.6783, "somewhere
between 60 and 75 percent" is vague and invents nothing either.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.following import base_of, parts_of, share_of
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit

_BOUND = re.compile(
    r"\b(?:over|more than|above|at least|exceeds|(?P<less>under|less than|below|almost|nearly))\s"
    r"[$€£]?\Z",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?P<usual>\b(?:normal|usual|typical|reference|limit|range|should|allow|permit)\w*[^.;!?\n]*)?"
    r"\b(?:between|somewhere (?:from|around)|anywhere from)\s(?:about |around |roughly )?[$€£]?\Z",
    re.IGNORECASE,
)
_AND = re.compile(r"\s?(?:and|to|[-–])\s?[$€£]?", re.IGNORECASE)
WIDEST = 1.7
"""How many times its lower end the upper end of a range may be that only rounds."""
FURTHEST_BOUND = 0.3
"""How far a figure may be beyond a bound that is said of it."""


def bounds(
    claim: Quantity, text: str, known: Sequence[Known], every: Sequence[Quantity] = ()
) -> bool:
    """Whether it bounds a known figure: more than two metres, where 215 cm are known; or, as a
    part, what one figure of the text is of another: 345 of 920, a bit more than a third."""
    if _is_end(claim, text, known, every):
        return True
    bound = _BOUND.search(text[max(0, claim.start - 12) : claim.start])
    if bound is None:
        return False
    sign = 1 if bound["less"] is None else -1
    if claim.unit is None:
        return 0 < claim.value < 1 and any(
            0 <= sign * (share - claim.value) <= FURTHEST_BOUND * claim.value
            for share in (*map(share_of, known), *parts_of(every, known))
            if share is not None
        )
    base = claim.value * claim.unit.factor
    return any(
        0 <= sign * (base_of(number)[0] - base) <= FURTHEST_BOUND * abs(base)
        for number in known
        if number.unit and one_kind(number.unit.dimension, claim.unit.dimension)
    )


def _is_end(claim: Quantity, text: str, known: Sequence[Known], every: Sequence[Quantity]) -> bool:
    """Whether it is an end of what a known figure lies between: vague, and not made up."""
    for low, high in pairwise(every):
        if claim.start not in (low.start, high.start) or not 0 < low.value < high.value:
            continue
        lead = _BETWEEN.search(text[max(0, low.start - 40) : low.start])
        if not lead or lead["usual"] or not _AND.fullmatch(text, low.end, high.start):
            continue
        scale = high.unit.factor if high.unit else 1.0
        if high.value <= WIDEST * low.value and any(
            low.value * scale <= value <= high.value * scale
            for value in (_in_kind(number, high.unit) for number in known)
            if value is not None
        ):
            return True
    return False


def _in_kind(number: Known, unit: Unit | None) -> float | None:
    """A known figure in the base of a unit; None where it is of another kind."""
    if unit and unit.dimension == "percent" and (share := share_of(number)) is not None:
        return 100 * share
    value, kind = base_of(number)
    if unit is None or kind is None:
        return value if unit is None and kind is None else None
    return value if one_kind(unit.dimension, kind) else None
