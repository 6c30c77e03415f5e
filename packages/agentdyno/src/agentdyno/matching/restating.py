"""One figure said twice: two quantities of a text in, whether one only says the other again out.

Worked: "just under half an hour (25 min)" rounds, "11.8 m/s (42 km/h)" converts, "142 µmol/l (about
1.6 mg/dL)" restates in a unit that cannot be converted here.
"""

import math
import re

from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.numbers import DIVIDES
from agentdyno.matching.legacy_values.quantity import Quantity

LONGEST_BRIDGE = 40
"""Characters between a figure and the same in other terms."""
_AFTER_UNIT = re.compile(r"\A[/ ]?[^\W\d_]{1,12}(?:[ -][^\W\d_]{1,12})?(?=\s[(=≈~\[]|,\s)")
_RESTATES = re.compile(
    r"[\s*]{0,3}(?:[(\[,][\s*]{0,2}(?:i\.e\.,?\s|that is,?\s|or\s|which is\s)?|=\s?)?"
    r"(?:≈|~|about|around|approx(?:\.|imately)?|roughly|some|nearly|ca\.?|or about)\s?\Z",
    re.IGNORECASE,
)
"""What says the last figure once more in other terms: "142 µmol/l (about 1.6 mg/dL)"."""
_BESIDE = re.compile(r"[\s*]{0,3}[(\[][\s*]{0,2}(?:exactly |precisely |i\.e\.,?\s)?\Z")
_OTHERWISE = re.compile(
    r"[\s*]{0,3}(?:[(\[=≈/]|[,–—]?\s(?:or|i\.e\.,?|that is,?|that['’]s|which is)\b)[\s*]{0,2}"
    r"(?:(?:about|around|roughly|approx(?:\.|imately)?|some|nearly|almost|just (?:under|over)|~"
    r"|≈)\s?)?",
    re.IGNORECASE,
)
"""What leads over to the same figure in another unit."""
ROUGHLY = 0.03
"""How far off such a figure may be."""
ROUGH = 0.25
"""How far off a figure may be where the exact one stands in brackets behind it."""


def rounds(quantity: Quantity, exact: Quantity, text: str) -> bool:
    """Just under half an hour (25 min)."""
    if quantity.end > exact.start or exact.start - quantity.end > LONGEST_BRIDGE:
        return False
    one, other = quantity.unit, exact.unit
    if one is None or other is None:
        value = exact.value if one is other else None
    else:
        alike = one_kind(one.dimension, other.dimension)
        value = exact.value * other.factor / one.factor if alike else None
    if value is None or not math.isclose(quantity.value, value, rel_tol=ROUGH):
        return False
    if not quantity.approximate and not same_number(quantity._replace(approximate=True), value):
        return False
    return _BESIDE.fullmatch(text, quantity.end, max(exact.start, quantity.end)) is not None


def converts(quantity: Quantity, last: Quantity, text: str) -> bool:
    """Whether it says the figure right before it once more in another unit, rounded: 11.8 m/s
    (42 km/h)."""
    one, other = quantity.whole_unit, last.whole_unit
    if one is None or other is None or not 0 < quantity.start - last.end < LONGEST_BRIDGE:
        return False
    if one == other or not one_kind(one.dimension, other.dimension):
        return False
    said = DIVIDES.sub("", text[last.end : quantity.start], count=1)
    if _OTHERWISE.fullmatch(said) is None:
        return False
    value = (last.value * other.factor + other.offset - one.offset) / one.factor
    rough = math.isclose(quantity.value, value, rel_tol=ROUGHLY)
    return rough or same_number(quantity._replace(approximate=True), value)


def restates(quantity: Quantity, last: Quantity, text: str) -> bool:
    """Whether it says the figure right before it in a unit that cannot be converted here."""
    if not 0 < quantity.start - last.end < LONGEST_BRIDGE:
        return False
    one, other = quantity.whole_unit, last.whole_unit
    if one is not None and other is not None and one_kind(one.dimension, other.dimension):
        return False
    said = _AFTER_UNIT.sub("", text[last.end : quantity.start], count=1)
    return _RESTATES.match(said) is not None
