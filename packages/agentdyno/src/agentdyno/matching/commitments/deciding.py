"""Whether a text commits to a value for a slot: a reading and a value in, a decision out."""

import re
from collections.abc import Sequence

from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.hits import Hit, find_hits, is_rival
from agentdyno.matching.commitments.reading import Commitment, Reading
from agentdyno.matching.commitments.slots import (
    at_other_pole,
    find_none,
    find_opponents,
    find_other_ends,
    free_range,
    is_known,
    is_swapped,
    is_value,
    names_slot,
    under_other_name,
    unit_of_other,
)
from agentdyno.matching.commitments.stance import STANDS, Decision
from agentdyno.matching.commitments.texts import opposites_of
from agentdyno.matching.commitments.truths import decide_truth
from agentdyno.matching.values import Expected, Value, bare_code, fold, is_comparable
from agentdyno.matching.values.comparing import NEAR

_NEGATIVE = {word[:5] for word in "skipped missing excluded omitted absent cancelled".split()}
"""Beginnings of names of fields that hold what is not: "it does not call at" a skipped stop."""
FEWEST_WORDS = 6
"""Words of a text that would speak of a state if it stated it."""


def decide(
    reading: Reading,
    expected: Expected,
    rivals: Sequence[Expected] = (),
    known: Sequence[Expected] = (),
) -> Decision:
    """Whether the text commits to the value for its slot."""
    decisions = [_decide_one(reading, expected, value, rivals, known) for value in expected.values]
    if len({value.kind for value in expected.values}) > 1:
        # Of a moment, people leave out the day when it is today, and the time when it is far off.
        stated = {c.value.kind for c in reading.commitments}
        absent = [value.kind not in stated for value in expected.values]
        decisions = [
            each._replace(answer="unclear") if is_absent and each.answer == "no" else each
            for each, is_absent in zip(decisions, absent, strict=True)
        ]
    for answer in ("no", "unclear", "yes"):
        if found := [each for each in decisions if each.answer == answer]:
            return found[0]
    return decisions[0]


def _decide_one(
    reading: Reading,
    expected: Expected,
    value: Value,
    rivals: Sequence[Expected],
    known: Sequence[Expected],
) -> Decision:
    if value.kind == "truth":
        return decide_truth(reading, expected, bool(value.number))
    hits = find_hits(reading, expected, value)
    if value.kind == "number":
        wrong = [hit for hit in hits if hit.close != "exact" and is_rival(reading, hit, rivals)]
        hits = [hit for hit in hits if hit not in wrong]
    none = [] if hits or value.kind not in ("number", "text") else find_none(reading, expected)
    if none and (value.kind == "text" or value.number):
        return Decision("no", "says that there are none", none[0].start, none[0].end)
    hits = hits or none
    opponents = find_opponents(reading, expected, value, rivals, known, hits)
    if any(_spans_rival(reading, hit, rivals) for hit in hits):
        return Decision("no", "gives a range up to a wrong value", hits[0].start, hits[0].end)
    others = [*known, expected] if len(expected.values) > 1 else known
    hits = [free_range(reading, hit, value, others) for hit in hits]
    firm = [hit for hit in hits if hit.stance in STANDS and hit.close != "rough"]
    if firm:
        return _with_hit(reading, expected, value, firm, hits, opponents, known, rivals)
    if hits:
        return _without_firm(reading, expected, hits, opponents)
    return _without_hit(reading, expected, value, opponents, [*known, *rivals])


def _spans_rival(reading: Reading, hit: Hit, rivals: Sequence[Expected]) -> bool:
    """Whether a value is one end of a range whose other end is a rival; "cut from 40 to 18" is no
    range."""
    ends = find_other_ends(reading, hit) if hit.stance == "range" else []
    first = min([hit.start, *(end.start for end in ends)])
    is_change = re.search(r"\bfrom\W*\Z", reading.text[max(0, first - 8) : first])
    return not is_change and any(is_known(end, rivals) for end in ends)


def _with_hit(
    reading: Reading,
    expected: Expected,
    value: Value,
    firm: Sequence[Hit],
    hits: Sequence[Hit],
    opponents: Sequence[Hit],
    known: Sequence[Expected],
    rivals: Sequence[Expected],
) -> Decision:
    last = firm[-1]
    stated = reading.text[last.start : last.end].strip()
    if other_unit := unit_of_other(reading, last, value, known):
        named = " ".join(other_unit.words)
        return Decision("unclear", f"states {stated} in the unit of {named}", last.start, last.end)
    wrong = under_other_name(reading, firm, expected, known)
    if wrong and is_swapped(reading, expected, wrong):
        named = " ".join(wrong.words)
        return Decision("no", f"states {stated} for {named}", last.start, last.end)
    reported = _is_reported(reading, last)
    undecided = pattern("undecided").search(reading.text)
    if undecided and any(
        find_hits(reading, rival, each) for rival in rivals for each in rival.values
    ):
        return Decision("no", f"states {stated}, but: {undecided[0]}", *undecided.span())
    for other in opponents:
        words = reading.text[other.start : other.end].strip()
        if other.stance == "past" or _is_users(reading, other):
            continue
        if other.close == "rival" and reading.language != "en":
            return Decision("unclear", f"states {stated} and {words}", other.start, other.end)
        if other.close == "rival" and reading.leaves_open(
            last.start, last.end, other.start, other.end
        ):
            return Decision("no", f"leaves open {stated} or {words}", other.start, other.end)
        if (
            other.close == "rival"
            and other.start < last.start
            and last.stance == "asserted"
            and other.stance != "asserted"
        ):
            continue
        if other.stance == "hedged" and not other.adopted and other.close != "rival":
            continue
        if (
            other.adopted
            and not last.adopted
            and other.start > last.start
            and other.close in ("rival", "slot", "exact")
        ):
            return Decision("no", f"states {stated} and goes with {words}", other.start, other.end)
        if other.close == "rival" and reported != _is_reported(reading, other):
            if not reported and not other.adopted:
                continue
            if reported and (other.adopted or other.stance == "asserted"):
                why = f"reports {stated} and goes with {words}"
                return Decision("no", why, other.start, other.end)
        if other.close == "rival":
            if last.stance == "past" and other.start > last.start:
                return Decision(
                    "no",
                    f"gives {stated} for another time and {words} for now",
                    other.start,
                    other.end,
                )
            if _answers_first(reading, firm[0], other):
                continue
            return Decision("unclear", f"states {stated} and {words}", other.start, other.end)
        if other.close == "exact" and value.kind == "text" and other.start > last.end:
            return Decision("unclear", f"states {stated} and {words}", other.start, other.end)
        if other.close == "slot" and (
            last.close != "exact"
            or (
                last.subject
                and not names_slot(last.subject, expected.words)
                and names_slot(other.subject, expected.words)
            )
        ):
            return Decision("unclear", f"states {stated} and {words}", other.start, other.end)
    taken_back = [
        hit for hit in hits if hit.stance in ("denied", "withdrawn") and hit.start > last.start
    ]
    if taken_back:
        return Decision(
            "unclear",
            f"states {stated} and then: {taken_back[0].cue}",
            taken_back[0].start,
            taken_back[0].end,
        )
    if doubt := undecided or pattern("doubts").search(reading.text):
        return Decision("unclear", f"states {stated}, but: {doubt[0]}", *doubt.span())
    if pole := at_other_pole(reading, expected, firm):
        return Decision("no", f"states {stated} as its contrary: {pole}", last.start, last.end)
    if wrong:
        named = " ".join(wrong.words)
        why = f"states {stated} beside the name of another field: {named}"
        return Decision("unclear", why, last.start, last.end)
    return Decision("yes", f"states {stated}", last.start, last.end)


def _is_users(reading: Reading, hit: Hit) -> bool:
    """Whether a rival is only what the user has: "against your budget of 48"."""
    before = reading.text[reading.layout.sentence_of(hit.start)[0] : hit.start]
    is_theirs = hit.close == "rival" and re.search(
        r"\byour\b(?:\W+\w+){0,4}\W*\Z", before, re.IGNORECASE
    )
    return bool(is_theirs) and not pattern("chooses").search(before)


def _answers_first(reading: Reading, first: Hit, rival: Hit) -> bool:
    """Whether a value is the writer's own and a rival is only spoken of behind it: people answer
    first and explain then."""
    turns = pattern("turns").search(reading.text, first.end, rival.start)
    if _is_reported(reading, first) or turns or rival.adopted or reading.language != "en":
        return False
    stated = [c.value for c in reading.commitments if c.start in (first.start, rival.start)]
    is_near = first.close != "exact" and len(stated) == 2 and _are_near(*stated)
    return first.end <= rival.start and not is_near


def _are_near(one: Value, other: Value) -> bool:
    """Whether a coarse figure may as well stand for the other."""
    return abs(one.base - other.base) <= NEAR * abs(other.base)


def _is_reported(reading: Reading, hit: Hit) -> bool:
    """Whether a value is given as that of a source: "the register says 36", "the sheet's 36"."""
    start, _ = reading.layout.sentence_of(hit.start)
    return (
        pattern("attributes").search(reading.text, max(start, hit.start - 60), hit.start)
        is not None
    )


def _without_firm(
    reading: Reading, expected: Expected, hits: Sequence[Hit], opponents: Sequence[Hit]
) -> Decision:
    last = hits[-1]
    place = last.start, last.end
    # "Neither A nor B" is no choice between them.
    is_denied = last.stance == "denied" or (
        last.stance == "alternative" and pattern("negated").search(last.cue or "")
    )
    if is_denied and _NEGATIVE & {word[:5] for word in expected.words}:
        return Decision("yes", f"states what is not: {last.cue}", *place)
    asserted = any(o.stance == "asserted" or o.adopted for o in opponents)
    if last.stance == "withdrawn":
        taken = next((c.value for c in reading.commitments if c.start == last.start), None)
        later = [c for c in reading.commitments if c.start > last.end and c.stance == "asserted"]
        asserted |= any(taken is not None and is_comparable(c.value, taken) for c in later)
    if last.stance in ("denied", "withdrawn", "quoted"):
        if asserted:
            return Decision(
                "no", f"the value is {last.stance} ({last.cue}), and another stated", *place
            )
        if last.stance == "quoted":
            return Decision("unclear", f"the value is somebody else's: {last.cue}", *place)
        return Decision("no", f"the value is {last.stance}: {last.cue}", *place)
    if last.stance == "question":
        return Decision("no", "asks instead of stating", *place)
    if last.stance == "alternative":
        # "A / B" may be two names of one thing, and "A (or B …)" what a source says.
        is_doubtful = last.cue is not None and ("/" in last.cue or last.cue.startswith("("))
        return Decision("unclear" if is_doubtful else "no", f"leaves it open: {last.cue}", *place)
    if last.close == "rough":
        return Decision("unclear", "the figure is too coarse, or can be read in two ways", *place)
    return Decision("unclear", f"the value is {last.stance}: {last.cue}", *place)


def _without_hit(
    reading: Reading,
    expected: Expected,
    value: Value,
    opponents: Sequence[Hit],
    known: Sequence[Expected],
) -> Decision:
    name = f"{' '.join(expected.words) or 'the value'} {expected.raw}"
    if reading.language in ("ja", "zh"):
        return Decision("unclear", f"does not state {name} in words that can be read")
    for strength in ("rival", "slot", "unit", "exact"):
        for other in opponents:
            if other.close == strength and other.stance == "asserted":
                stated = reading.text[other.start : other.end].strip()
                return Decision("no", f"states {stated} instead of {name}", other.start, other.end)
    if opponents:
        place = opponents[0].start, opponents[0].end
        return Decision("no", f"does not state {name} and is vague about it", *place)
    if _is_fixed(expected, value) and not _may_name(reading, expected):
        return Decision("no", f"does not name {name}")
    strange = [each for each in reading.commitments if _could_state(each, expected, value, known)]
    if (declined := pattern("declines").search(reading.text)) and not strange:
        return Decision("no", f"declines: {declined[0]}", *declined.span())
    if value.kind in ("number", "date", "time") and not strange:
        return Decision("no", f"states no figure that could be {name}")
    if not reading.commitments and not _speaks_of(reading, expected, value):
        return Decision("no", f"does not speak of {name}")
    return Decision("unclear", f"does not state {name} in words that can be read")


def _speaks_of(reading: Reading, expected: Expected, value: Value) -> bool:
    """Whether a text may state a name or state: it is short, or holds a word of it or its slot."""
    words = tuple(re.findall(r"[^\W\d_]{3,}", reading.folded))
    about = [*expected.words, *re.findall(r"[^\W\d_]{3,}", value.text)]
    named = re.search(r"(?<=[a-zß-ÿ,] )[A-Z][\w-]+", reading.text)
    is_state = bool(opposites_of(value.text))
    return len(words) < FEWEST_WORDS or bool(named) or names_slot(words, about) or is_state


def _is_fixed(expected: Expected, value: Value) -> bool:
    """Whether nobody can put it in other words: codes and proper names, but no states."""
    words = re.findall(r"[^\W\d_]{3,}", expected.raw)
    named = bool(words) and all(word[0].isupper() for word in words if word not in ("and", "the"))
    counts = re.fullmatch(r"[\d.]+e\d+|\d+\W\d+|\d{4}-?Q\d", expected.raw)
    return not counts and (value.kind == "code" or (value.kind == "text" and named))


def _may_name(reading: Reading, expected: Expected) -> bool:
    """Whether a part of a name or code stands in a text, or the text may translate it."""
    parts = re.findall(r"[^\W_]{3,}", fold(expected.raw))
    words = {*re.findall(r"[^\W_]{3,}", reading.folded)}
    codes = [c.value.text for c in reading.commitments if c.value.kind == "code"]
    bare = bare_code(expected.raw)
    return (
        reading.language != "en"
        or not words.isdisjoint(parts)
        or any(len(code) > 2 and (bare.startswith(code) or bare.endswith(code)) for code in codes)
    )


def _could_state(
    each: Commitment, expected: Expected, value: Value, known: Sequence[Expected]
) -> bool:
    """Whether a value may be the expected one in a form that is not read."""
    if is_known(each, known) or (is_value(each, expected) and value.kind != "date"):
        return False
    if any(stated.number == value.number for stated in each.readings):
        return True
    if value.kind in ("text", "truth"):
        return True
    kinds = {stated.kind for stated in each.readings}
    if value.kind in ("date", "time") and value.kind not in kinds:
        return "number" in kinds and each.value.unit is None and each.value.number < 32
    if "number" not in kinds and value.kind == "number":
        return f"{value.number:.10g}".replace(".", "") in each.value.text  # P4, M4.7
    units = [v.dimension for v in each.readings if v.kind == "number"]
    other = value.dimension is not None and all(
        unit not in (None, value.dimension) for unit in units
    )
    return not (units and other)
