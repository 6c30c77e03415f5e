"""Figures that are a known one so many times: a figure and all of its text in, yes or no out.

An answer may work an example: of a known price, rate or dose it takes as much as it says. Neither
what it takes nor what comes out is then made up, if the one follows from the other.

Worked: at 11.2475, "for €1,000 that is SEK 11,247.50" invents nothing; at €1.739 a litre, neither
does "45 litres would cost €78.26".
"""

import math
import re
from collections.abc import Sequence
from itertools import permutations

from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.following import EXACT, MOST_KNOWN, MOST_TIMES, base_of
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit, per

NEAREST = 60
"""Characters between a part and its whole."""
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|makes|making|that is|that['’]s|which is|total(?: of)?|altogether|in all"
    r"|together|i\.e\.)\b[^.;!?\n\d]{0,16}\Z|[=(]\s?\Z",
    re.IGNORECASE,
)


def is_multiplied(claim: Quantity, text: str, known: Sequence[Known]) -> bool:
    """Whether it is a known figure as often as a known count says, where the text concludes it:
    7.5 mg twice a day, so 15 mg."""
    if not _CONCLUDES.search(text[max(0, claim.start - 24) : claim.start]):
        return False
    counts = {n.value for n in known[:MOST_KNOWN] if n.unit is None and 2 <= n.value <= MOST_TIMES}
    return any(_is_product(claim, count, known) for count in counts if count.is_integer())


def is_taken(claim: Quantity, every: Sequence[Quantity], known: Sequence[Known]) -> bool:
    """Whether the claim is so many times a known figure as the text says, or is that count: in
    "ten would cost €172.50" both are, where one costs €17.25."""
    counts = [q for q in every if q != claim and _is_count(q)]
    if any(_is_product(claim, count.value, known) for count in counts):
        return True
    if any(_is_portion(claim, count.value, q) for count in counts for q in every):
        return True
    pairs = [pair for q in every for pair in ((claim, q), (q, claim))]
    if any(_is_rated(*pair, known) or _is_exchanged(*pair, known) for pair in pairs):
        return True
    others = [q for q in every if q != claim] if _is_count(claim) else []
    return any(
        _is_product(q, claim.value, known) or _is_product_and_fee(q, claim.value, known)
        for q in others
    )


def _is_rated(product: Quantity, length: Quantity, known: Sequence[Known]) -> bool:
    """Whether a figure is what a known rate makes over a length that the text states: a week at
    €0.35 a day is €2.45."""
    if product.unit is None or length.unit is None:
        return False
    times, over = length.value * length.unit.factor, product.unit.factor
    named = per(product.unit._replace(factor=1.0), length.unit._replace(factor=1.0))
    if named.dimension == "percent" and abs(product.start - length.start) > NEAREST:
        return False
    return any(
        number.unit is not None
        and _is_rate_of(number.unit, product.unit, length.unit, named)
        and _is_result(product, base_of(number)[0] / named.factor * times / over)
        for number in known[:MOST_KNOWN]
    )


def _is_rate_of(rate: Unit, over: Unit, under: Unit, named: Unit) -> bool:
    """Whether a rate is so much of one unit for each of another, whatever it is called: power is
    energy over time, and a percentage any part of its whole."""
    if rate.dimension == named.dimension:
        return True
    first, _, second = rate.dimension.partition(" per ")
    return second == under.dimension and one_kind(over.dimension, first)


def _is_exchanged(bought: Quantity, paid: Quantity, known: Sequence[Known]) -> bool:
    """Whether a sum is another one at a known rate: for €1,000, SEK 11,247.50."""
    if bought.unit is None or paid.unit is None:
        return False
    kinds = {bought.unit.dimension, paid.unit.dimension}
    if len(kinds) == 1 or not all(kind.startswith("money/") for kind in kinds):
        return False
    return any(
        _is_result(bought, paid.value * rate)
        for number in known[:MOST_KNOWN]
        if number.unit is None and number.value > 0
        for rate in (number.value, 1 / number.value)
    )


def _is_result(stated: Quantity, result: float) -> bool:
    """Whether it is that number to the digits shown, three at the least unless it is exact."""
    if math.isclose(stated.value, result, rel_tol=1e-6):
        return True
    enough = stated.digits >= EXACT or (stated.approximate and stated.digits > 1)
    return enough and same_number(stated, result)


def _is_count(quantity: Quantity) -> bool:
    """A bare count, or one of hours or days, of which each may have its price."""
    whole = float(quantity.value).is_integer()
    counts = quantity.unit is None or quantity.unit.dimension in ("time", "months")
    return counts and whole and 2 <= quantity.value <= MOST_TIMES


def _is_portion(portion: Quantity, times: float, whole: Quantity) -> bool:
    """Two meals of 190 g, where the text has 380 g."""
    if portion.unit is None or portion.unit != whole.unit or portion.digits < 2:
        return False
    return math.isclose(portion.value * times, whole.value)


def _is_product(product: Quantity, times: float, known: Sequence[Known]) -> bool:
    """Whether a figure is so many times a known one, in its unit."""
    return product.unit is not None and any(
        number.unit is not None
        and one_kind(product.unit.dimension, number.unit.dimension)
        and math.isclose(
            product.value * product.unit.factor, times * number.value * number.unit.factor
        )
        for number in known[:MOST_KNOWN]
    )


def _is_product_and_fee(total: Quantity, times: float, known: Sequence[Known]) -> bool:
    """Whether a sum is a known price so many times, and another known one once: two hours at €68,
    and €35 for coming out."""
    if total.unit is None or not total.unit.dimension.startswith("money") or total.digits < EXACT:
        return False
    held = [base_of(number) for number in known[:MOST_KNOWN]]
    sums = [value for value, kind in held if kind and one_kind(kind, total.unit.dimension)]
    made = total.value * total.unit.factor
    return any(math.isclose(made, times * a + b) for a, b in permutations(sums, 2))
