"""What follows from the figures that a text shows: a claim and known figures in, yes or no out.

A text that names two figures and what they make together invents nothing. Dimensions have to fit:
money and a count make money, a sum has the dimension of its parts, a ratio has none or is a share.
The fewer figures a result may be made of, the less it agrees by chance, so two that the text itself
shows are enough for a claim of two digits, while others that the sources hold, and results of
three figures, have to agree in three.

Worked: "132 of 160 rooms are sold, 28 are free, 82.5 %" invents nothing; at $94.50 a room, neither
does "$2,646 short".
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations

from agentdyno.matching.legacy_values.comparing import same_number
from agentdyno.matching.legacy_values.currencies import one_kind
from agentdyno.matching.legacy_values.deriving import Known
from agentdyno.matching.legacy_values.quantity import Quantity
from agentdyno.matching.legacy_values.units import Unit, per

MOST_SHOWN = 10
"""Figures of a text beyond which some of them make anything."""
MOST_KNOWN = 30
"""The same of what the sources hold."""
MOST_TIMES = 60
"""How often something known may be taken: eight hours at a wage."""
MOST_TRIED = 2_000
"""Results of two figures, each with a third, beyond which chance and time speak against it."""
ABOUT = 0.05
"""How far off a result may be that is said to be approximate."""
ROUND_PART = 0.01
"""How far a part in words may be off, which is round by its nature."""
EXACT = 3
"""Digits that do not agree by chance."""

_IN_BRACKETS = re.compile(r"[^.;!?\n\d()]{0,40}\(")

Made = tuple[float, str | None]
"""A number in its base unit, and its dimension."""


def follows(claim: Quantity, shown: Sequence[Known], known: Sequence[Known]) -> bool:
    """Whether figures make the claim, two of which the text shows unless it has three digits."""
    if not claim.value or len(shown) > MOST_SHOWN:
        return False
    mine = list(dict.fromkeys(base_of(number) for number in shown))
    pairs = [made for a, b in permutations(mine, 2) for made in _pair(a, b)]
    pairs += [
        (100 * x / (x + y), "percent")  # What is spent, of what is spent and left.
        for (x, kind), (y, other) in permutations(mine, 2)
        if kind == other and x > 0 and y > 0
    ]
    if any(_is_made(claim, made, 2) for made in (*pairs, *(r for a in mine for r in _rest(a)))):
        return True
    if any(_is_sum(claim, parts) for parts in combinations(mine, 3)) or _is_sum(claim, mine):
        return True
    if _is_lastshare_of(claim, mine):
        return True
    if len(known) > MOST_KNOWN:
        return False
    if _is_difference(claim, mine, known):
        return True
    every = list(dict.fromkeys([*mine, *(base_of(number) for number in known)]))
    if any(_is_made(claim, made, EXACT) for made in _of_all(every, known)):
        return True
    if len(pairs) * len(every) > MOST_TRIED:
        return False
    return any(
        _is_made(claim, made, EXACT)
        for one in dict.fromkeys(pairs)
        for other in every
        for a, b in ((one, other), (other, one))
        for made in _pair(a, b)
    )


def _is_lastshare_of(claim: Quantity, shown: Sequence[Made]) -> bool:
    """Whether it is what two or three shares of the text leave: 57 % for it, 11 % undecided, 32 %
    against."""
    if claim.unit is None or claim.unit.dimension != "percent":
        return False
    shares = [value for value, kind in shown if kind == "percent"]
    rests = (100 - math.fsum(parts) for count in (2, 3) for parts in combinations(shares, count))
    return any(math.isclose(claim.value, rest, abs_tol=1e-6) for rest in rests)


def _is_sum(claim: Quantity, parts: Sequence[Made]) -> bool:
    """Whether it is just what three figures of the text, or all of one kind, make together."""
    unit, kinds = claim.unit, {kind for _, kind in parts}
    if len(parts) < 3 or len(kinds) != 1 or claim.digits < 2:
        return False
    kind = next(iter(kinds))
    if (unit is None) != (kind is None) or (unit and kind and not one_kind(unit.dimension, kind)):
        return False
    total = math.fsum(value for value, _ in parts)
    return math.isclose(total, claim.value * (unit.factor if unit else 1.0))


def _is_difference(claim: Quantity, shown: Sequence[Made], known: Sequence[Known]) -> bool:
    """Whether a small count is what a count of the text and a known one leave: 18 of 25, 7 more."""
    counts = [value for value, kind in shown if kind is None]
    return claim.unit is None and any(
        abs(number.value - value) == claim.value
        for value in counts
        for number in known
        if number.unit is None
    )


_DEGREE = Unit("temperature", 1.0)
_DEGREES = re.compile(r"(?: degrees|°)(?! [CF]\b)")
_APART = re.compile(
    r"\s(?:\w+ )?(?:over|above|below|under|beyond|more|less|fewer|short|ahead|behind|left"
    r"|remaining|to go"
    r"|to spare|higher|lower|faster|slower|longer|shorter|taller|heavier|lighter|older|younger|too"
    r"|apart|off|past|earlier|later|cheaper|dearer)\b",
    re.IGNORECASE,
)


def is_apart(claim: Quantity, text: str, every: Sequence[Quantity], known: Sequence[Known]) -> bool:
    """Whether it says how far a figure of the text and a known one are apart, exactly and in these
    words: 1,130 ppm, 130 ppm over the limit."""
    degrees = _DEGREES.match(text, claim.end) if claim.unit is None else None
    kind = _DEGREE if degrees else claim.unit
    end = degrees.end() if degrees else claim.end
    if kind is None or not _APART.match(text, end) or len(known) > MOST_KNOWN:
        return False
    mine = claim.value * kind.factor
    counts = {n.value for n in known if n.unit is None or n.unit == kind}
    said_counts = {q.value for q in every if q.unit is None} & counts
    if any(abs(a - b) == claim.value for a in said_counts for b in counts):
        return True  # Day 11 of 21, ten days to go.
    held = [n for n in known if n.unit and one_kind(n.unit.dimension, kind.dimension)]
    bases = [n.value * n.unit.factor for n in held if n.unit]
    said = [
        q.value * q.unit.factor
        for q in every
        if q is not claim and q.unit and one_kind(q.unit.dimension, kind.dimension)
    ]
    return any(
        math.isclose(mine, abs(a - b))
        for a in bases
        if any(math.isclose(a, each) for each in said)
        for b in bases
    )


_OUT_OF = re.compile(
    r"(?: \w+)?(?: are| were)? (?:out )?(?:of|in)(?: (?:the|your|our|its|their|all"
    r"|a total of))? |/",
    re.IGNORECASE,
)


def is_told_ratio(claim: Quantity, text: str, every: Sequence[Quantity]) -> bool:
    """Whether a percentage is what the text says right there: four of 63, about 6 %."""
    if claim.unit is None and 0 < claim.value < 1 and text[claim.start : claim.start + 1].isalpha():
        # 4.86 of 7.3 km, two thirds.
        return any(abs(part - claim.value) <= ROUND_PART for part in parts_of(every, ()))
    if claim.unit is None or claim.unit.dimension != "percent":
        return False
    plain = [q for q in every if q.plain and q is not claim]
    half = 0.5 * 10.0 ** -max(0, claim.digits - len(str(int(abs(claim.value)))))
    return any(
        abs(100 * part.value / whole.value - claim.value * claim.unit.factor) <= half + 1e-9
        for part, whole in pairwise(plain)
        if whole.value > part.value > 0 and _OUT_OF.fullmatch(text, part.end, whole.start)
    )


def is_share_told(
    claim: Quantity, text: str, every: Sequence[Quantity], known: Sequence[Known]
) -> bool:
    """Whether a percentage is what the count in brackets behind it is of a known one: about 14 % of
    the seats (117)."""
    if claim.unit is None or claim.unit.dimension != "percent" or claim.digits < 2:
        return False
    parts = [
        q.value
        for q in every
        if q.unit is None and _IN_BRACKETS.fullmatch(text, claim.end, q.start) and q.value > 0
    ]
    wholes = [number.value for number in known[:MOST_KNOWN] if number.unit is None]
    return any(
        same_number(claim._replace(approximate=True), 100 * part / whole)
        for part in parts
        if part in wholes
        for whole in wholes
        if whole > part
    )


def parts_of(every: Sequence[Quantity], known: Sequence[Known]) -> Iterator[float]:
    """What each figure of a text is of each larger one of its kind, there or in the sources."""
    plain = [q for q in every if q.plain and q.value >= 1][:MOST_SHOWN]
    for part in plain:
        for number in known[:MOST_KNOWN]:
            if part.unit and number.unit == part.unit and part.value < number.value:
                yield part.value / number.value
    for part, whole in permutations(plain, 2):
        if part.unit and whole.unit and part.unit != whole.unit:
            continue
        if part.value < whole.value:
            yield part.value / whole.value


def share_of(number: Known) -> float | None:
    """A figure as a part of 1: 68 % and 0.68."""
    if number.unit is None:
        return number.value if 0 < number.value < 1 else None
    return base_of(number)[0] / 100 if number.unit.dimension == "percent" else None


def _of_all(every: Sequence[Made], known: Sequence[Known]) -> Iterator[Made]:
    for a, b in permutations(every, 2):
        yield from _pair(a, b)
    for a, b, c in combinations(every, 3):
        if a[1] == b[1] == c[1]:
            yield a[0] + b[0] + c[0], a[1]
    yield from _named_alike(known)


def _named_alike(known: Sequence[Known]) -> Iterator[Made]:
    """The sum of fields that share a word: staff_day, staff_night, staff_desk."""
    groups: dict[tuple[str, str | None], list[float]] = {}
    for number in known:
        value, kind = base_of(number)
        for word in set(number.field.lower().split("_")) - {""}:
            groups.setdefault((word, kind), []).append(value)
    for (_, kind), values in groups.items():
        yield math.fsum(values), kind


def base_of(number: Known) -> Made:
    """A figure in the base unit of its kind."""
    if number.unit is None:
        return number.value, None
    return number.value * number.unit.factor, number.unit.dimension


def _pair(a: Made, b: Made) -> Iterator[Made]:
    """What two figures make, the first of them first."""
    (x, kind), (y, other) = a, b
    if kind == other:
        yield x - y, kind
        yield x + y, kind
        if y:
            yield from ((x / y, None), (100 * x / y, "percent"))
            yield from ((100 * (x - y) / y, "percent"), (100 - 100 * x / y, "percent"))
    elif kind == "percent":
        yield from ((x * y / 100, other), (y * (1 + x / 100), other), (y * (1 - x / 100), other))
    elif kind is None:
        yield x * y, other
    elif other is None and y:
        yield x / y, kind
    elif other is not None and y and other.startswith(f"{kind} per "):
        yield x / y, other.removeprefix(f"{kind} per ")  # 19.50 at 2.80 an hour.
    elif kind.endswith(f" per {other}"):
        yield x * y, kind.removesuffix(f" per {other}")
    elif other is not None and y:
        named = per(Unit(kind, 1.0), Unit(other, 1.0))
        yield x / y * named.factor, named.dimension
    if kind is None and other is None:
        yield x * y, None


def _rest(a: Made) -> Iterator[Made]:
    value, kind = a
    if kind == "percent":
        yield 100 - value, kind
    elif kind is None and 0 < value < 1:
        yield 100 - 100 * value, "percent"


def _is_made(claim: Quantity, made: Made, digits: int) -> bool:
    value, kind = made
    unit = claim.whole_unit
    fits = unit is None or (kind is not None and one_kind(unit.dimension, kind))
    if not fits and not (claim.rate and claim.unit and kind and _over(kind, claim.unit.dimension)):
        return False
    scale = unit.factor if unit and fits else claim.unit.factor if claim.unit else 1.0
    result = value / scale
    if claim.approximate and digits < EXACT and math.isclose(claim.value, result, rel_tol=ABOUT):
        return True
    shown = max(claim.digits, len(str(int(abs(claim.value)))) if unit is None else 1)
    if shown < digits and not (digits < EXACT and math.isclose(claim.value, result)):
        return False
    rough = claim._replace(approximate=True) if digits < EXACT else claim
    return same_number(rough, result)


def _over(kind: str, dimension: str) -> bool:
    """A quotient whose divisor the text calls by a name of its own: 5.3 rooms per guest."""
    return kind == dimension or kind.startswith(f"{dimension} per ")
