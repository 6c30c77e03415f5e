"""Which slot a value stands for: opponents of an expected value, swapped names, contrary words."""

import re
from collections.abc import Sequence

from agentdyno.matching.commitments.cues import pairs, pattern
from agentdyno.matching.commitments.hits import Hit, find_hits
from agentdyno.matching.commitments.reading import Commitment, Reading
from agentdyno.matching.commitments.stance import STANDS
from agentdyno.matching.commitments.texts import (
    find_words,
    opposites_of,
)
from agentdyno.matching.values import Expected, Value, compare, fold, is_comparable

_UNTIL = re.compile(r"(?:\b(?:to|until|till|bis)|[-–])\s*\Z", re.IGNORECASE)
"""What stands before the end of a span, which has another name than its beginning."""


def find_opponents(
    reading: Reading,
    expected: Expected,
    value: Value,
    rivals: Sequence[Expected],
    known: Sequence[Expected],
    hits: Sequence[Hit],
) -> list[Hit]:
    """Values asserted for the slot that are not the expected one."""
    found = []
    if value.kind in ("text", "code"):
        for rival in rivals:
            if rival.kind == value.kind or value.kind == "text":
                places = (
                    h
                    for v in rival.values
                    if v.kind in ("text", "code")
                    for h in find_hits(reading, rival, v)
                )
                is_other = any(fold(o.raw) == fold(rival.raw) for o in known)
                found += [
                    hit._replace(close="rival")
                    for hit in places
                    if hit.close == "exact" and not is_other
                ]
        if value.kind == "text":
            for other in opposites_of(value.text):
                for place in find_words(reading.folded, fold(other)):
                    stance, cue = reading.stance(place.start, place.end)
                    if place.exact and not any(
                        h.start < place.end and place.start < h.end for h in hits
                    ):
                        found.append(Hit(place.start, place.end, stance, cue, "exact"))
        elif value.kind == "code":
            codes = [
                c for c in reading.commitments if c.value.kind == "code" and not is_known(c, known)
            ]
            found += [
                Hit(c.start, c.end, c.stance, c.cue, "exact", c.adopted, c.subject)
                for c in codes
                if _shape(c.value.text) == _shape(value.text) and c.value.text != value.text
            ]
        return [
            h
            for h in found
            if h.stance in STANDS and not any(h.start < x.end and x.start < h.end for x in hits)
        ]
    spans = [(hit.start, hit.end) for hit in hits]
    for each in reading.commitments:
        if any(a < each.end and each.start < b for a, b in spans) or (
            each.stance not in ("asserted", "past", "hedged")
            and not (each.stance == "quoted" and each.adopted)
        ):
            continue
        if not any(is_comparable(stated, value) for stated in each.readings if stated.sure):
            continue
        if each.value.spelled and each.value.unit is None and each.value.number <= 3:
            continue
        close = _opposes(reading, each, expected, value, rivals, known)
        if close:
            found.append(
                Hit(each.start, each.end, each.stance, each.cue, close, each.adopted, each.subject)
            )
    return found


def find_none(reading: Reading, expected: Expected) -> list[Hit]:
    """Places that say that there is nothing of a slot: "no seats left", "sold out"."""
    found = []
    for match in pattern("nothing").finditer(reading.text):
        words = re.findall(r"[^\W\d_]+", reading.folded[match.end() : match.end() + 25])[:3]
        if match["all"] or names_slot(words, expected.words):
            found.append(Hit(*match.span(), "asserted", "", "exact"))
    return found


def _opposes(
    reading: Reading,
    each: Commitment,
    expected: Expected,
    value: Value,
    rivals: Sequence[Expected],
    known: Sequence[Expected],
) -> str | None:
    """`rival` for a value that is known to be wrong, `slot` for one under the slot's own name,
    `unit` for one in its unit that nothing explains; None for what is no opponent."""
    if any(
        compare(s, v) in ("exact", "rounded")
        for s in each.readings
        if s.sure
        for r in rivals
        for v in r.values
    ) and not is_known(each, known):
        return "rival"
    near = reading.near(each.start, each.end) or each.subject
    named = names_slot(near, expected.words)
    others = [
        o
        for o in known
        if _may_be(each.value, o)
        and names_slot(near, [w for w in o.words if w not in expected.words])
    ]
    if is_known(each, known):
        own = any(is_value(each, other) for other in others)
        return "slot" if named and not own and not _is_shared(each, known, expected) else None
    stated = each.value
    if value.unit is None and 0 < value.number < 1 < stated.number and stated.unit is None:
        return None  # "Twelve in every thousand" may be a share.
    if named and not others:
        return "slot"
    if (
        value.kind == "number"
        and value.unit is not None
        and stated.unit is not None
        and stated.dimension == value.dimension
    ):
        return None if others else "unit"
    return None


def _may_be(stated: Value, other: Expected) -> bool:
    """Whether a stated value could be that of another slot."""
    return any(
        is_comparable(stated, value) and (stated.unit is None) >= (value.unit is None)
        for value in other.values
    )


def _is_shared(each: Commitment, known: Sequence[Expected], expected: Expected) -> bool:
    return any(is_value(each, other) and set(other.words) & set(expected.words) for other in known)


def is_value(each: Commitment, other: Expected) -> bool:
    return any(compare(s, v) in ("exact", "rounded") for s in each.readings for v in other.values)


def is_known(each: Commitment, known: Sequence[Expected]) -> bool:
    if each.value.kind == "code":
        return any(
            each.value.text in re.sub(r"[\W_]+", "", other.raw).casefold() for other in known
        )
    digits = f"{each.value.number:.10g}"
    return any(
        is_value(each, other)
        or (other.kind in ("code", "text") and digits in re.findall(r"\d+", other.raw))
        for other in known
    )


def names_slot(subject: Sequence[str], words: Sequence[str]) -> bool:
    """Whether one of a slot's telling words is among those near a value."""
    return any(
        (len(word) > 2 or not word.isalpha())
        and (
            near == word
            or (len(word) > 3 and near[:4] == word[:4] and abs(len(near) - len(word)) < 5)
        )
        for word in words
        for near in subject
    )


def _shape(code: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", code))


def at_other_pole(reading: Reading, expected: Expected, firm: Sequence[Hit]) -> str | None:
    """A word that makes the value that of the contrary slot: "22 % is used" of what is left."""
    mine = set(expected.words)
    if any(_UNTIL.search(reading.text, max(0, hit.start - 8), hit.start) for hit in firm):
        return None
    near = [reading.piece(hit.start, hit.end) for hit in firm]
    for own, other in pairs("poles"):
        if mine & set(own) and not mine & set(other):
            crossed = [
                next((w for w in words if w in other), None)
                for words in near
                if not set(words) & set(own)
            ]
            if len(crossed) == len(near) and all(crossed):
                return crossed[0]
    return None


def under_other_name(
    reading: Reading, firm: Sequence[Hit], expected: Expected, known: Sequence[Expected]
) -> Expected | None:
    """The other slot whose name stands beside every place of the value, where its own does not, and
    that is not stated under its name itself."""
    found = None
    for hit in (each._replace(subject=reading.near(each.start, each.end)) for each in firm):
        near = [
            o
            for o in known
            if o.raw != expected.raw
            and (
                _alike(o, expected)
                or (o.kind == expected.kind and is_swapped(reading, expected, o))
            )
            and names_slot(hit.subject, [w for w in o.words if w not in expected.words])
            and not names_slot(hit.subject, [w for w in expected.words if w not in o.words])
        ]
        near = [o for o in near if is_swapped(reading, expected, o) or not _is_stated(reading, o)]
        if not near:
            return None
        found = near[0]
    return found if expected.words else None


def unit_of_other(
    reading: Reading, hit: Hit, value: Value, known: Sequence[Expected]
) -> Expected | None:
    """The other slot whose unit a value without one is given, and that is not stated in it."""
    if value.kind != "number" or value.unit is not None:
        return None
    stated = [c for c in reading.commitments if c.value.dimension not in (None, "percent")]
    mine = {c.value.dimension for c in stated if c.start == hit.start}
    for other in known:
        dimension = other.values[0].dimension
        if dimension in mine and not any(
            c.value.dimension == dimension and is_value(c, other) for c in stated
        ):
            return other
    return None


def _alike(one: Expected, other: Expected) -> bool:
    """Whether two slots hold the same kind of value."""
    a, b = one.values[0], other.values[0]
    return a.kind == b.kind and a.dimension == b.dimension


def _is_stated(reading: Reading, other: Expected) -> bool:
    """Whether another slot's value stands in the text, under its name where it is a figure."""
    hits = [hit for value in other.values for hit in find_hits(reading, other, value)]
    if other.kind in ("text", "code"):
        return bool(hits)
    return any(names_slot(reading.near(hit.start, hit.end), other.words) for hit in hits)


def is_swapped(reading: Reading, expected: Expected, other: Expected) -> bool:
    """Whether the other slot's value stands beside this slot's name."""
    hits = [hit for value in other.values for hit in find_hits(reading, other, value)]
    own = [word for word in expected.words if word not in other.words]
    return any(names_slot(reading.near(hit.start, hit.end), own) for hit in hits)


def free_range(reading: Reading, hit: Hit, value: Value, known: Sequence[Expected]) -> Hit:
    """The end of a range of times, or of one whose other end is known, is stated."""
    if hit.stance != "range":
        return hit
    ends = find_other_ends(reading, hit)
    if value.kind in ("time", "date") or any(is_known(end, known) for end in ends):
        return hit._replace(stance="asserted")
    return hit


def find_other_ends(reading: Reading, hit: Hit) -> list[Commitment]:
    """The values that make a range with this one."""
    return [
        c
        for c in reading.commitments
        if c.stance == "range" and c.cue == hit.cue and c.start != hit.start
    ]
