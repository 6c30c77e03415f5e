"""Whether a text commits to a value for a slot: a reading and a wanted value in, a decision out."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from agentdyno.matching.commitments.cues import cues, pairs, pattern
from agentdyno.matching.commitments.reading import Commitment, Reading
from agentdyno.matching.commitments.stance import Stance
from agentdyno.matching.commitments.texts import (
    find_code,
    find_spelling,
    find_words,
    opposites_of,
    synonyms_of,
)
from agentdyno.matching.values import Value, Wanted, compare, fold, is_comparable, is_derived

Answer = Literal["yes", "no", "unclear"]
_STANDS: frozenset[Stance] = frozenset({"asserted", "past"})


class Decision(NamedTuple):
    """The answer to one question to a text."""

    answer: Answer
    reason: str
    """Why, in a sentence."""
    start: int = 0
    """Where in the text that stands which decided."""
    end: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """Both ends; equal where nothing in the text decided."""
        return self.start, self.end


class _Hit(NamedTuple):
    start: int
    end: int
    stance: Stance
    cue: str
    close: str
    adopted: bool = False
    subject: tuple[str, ...] = ()


def decide(
    reading: Reading, wanted: Wanted, rivals: Sequence[Wanted] = (), known: Sequence[Wanted] = ()
) -> Decision:
    """Whether the text commits to the value for its slot."""
    decisions = [_decide_one(reading, wanted, value, rivals, known) for value in wanted.values]
    for answer in ("no", "unclear", "yes"):
        if found := [each for each in decisions if each.answer == answer]:
            return found[0]
    return decisions[0]


def _decide_one(
    reading: Reading,
    wanted: Wanted,
    value: Value,
    rivals: Sequence[Wanted],
    known: Sequence[Wanted],
) -> Decision:
    if value.kind == "truth":
        return _truth(reading, wanted, bool(value.number))
    hits = find_hits(reading, wanted, value)
    if value.kind == "number":
        wrong = [hit for hit in hits if hit.close != "exact" and _is_rival(reading, hit, rivals)]
        hits = [hit for hit in hits if hit not in wrong]
    opponents = _opponents(reading, wanted, value, rivals, known, hits)
    hits = [_freed(reading, hit, value, known) for hit in hits]
    firm = [hit for hit in hits if hit.stance in _STANDS and hit.close != "rough"]
    if firm:
        return _with_hit(reading, wanted, firm, hits, opponents, known)
    if hits:
        return _without_firm(hits, opponents)
    return _without_hit(reading, wanted, value, opponents, known)


def _is_rival(reading: Reading, hit: _Hit, rivals: Sequence[Wanted]) -> bool:
    """Whether what is near the wanted value is a rival to the last digit."""
    stated = [v for c in reading.commitments if c.start == hit.start for v in c.readings]
    return any(compare(s, v) == "exact" for s in stated for rival in rivals for v in rival.values)


def _freed(reading: Reading, hit: _Hit, value: Value, known: Sequence[Wanted]) -> _Hit:
    """The end of a range of times, or of one whose other end is known, is stated."""
    if hit.stance != "range":
        return hit
    ends = [
        c
        for c in reading.commitments
        if c.stance == "range" and c.cue == hit.cue and c.start != hit.start
    ]
    if value.kind in ("time", "date") or any(_is_known(end, known) for end in ends):
        return hit._replace(stance="asserted")
    return hit


def find_hits(reading: Reading, wanted: Wanted, value: Value) -> list[_Hit]:
    """Every place where the text states the value, whatever its stance."""
    if wanted.literal and (places := find_spelling(reading.folded, fold(wanted.raw))):
        stances = ((place, *reading.stance(place.start, place.end)) for place in places)
        return [
            _Hit(place.start, place.end, stance, cue, "exact") for place, stance, cue in stances
        ]
    if value.kind in ("text", "code"):
        if value.kind == "code":
            places = find_code(reading.folded, value.text)
        elif value.text.startswith(("not ", "no ")):
            return _by_opposite(reading, value.text)
        else:
            places = find_words(reading.folded, value.text)
            for other in synonyms_of(value.text)[:8] if not places else ():
                places += [p for p in find_words(reading.folded, fold(other)) if p.exact]
        hits = []
        for place in places:
            stance, cue = reading.stance(place.start, place.end)
            close = "exact" if place.exact else "rounded"
            if re.fullmatch(r"\d+\W\d+", wanted.raw) and pattern("wins").search(reading.text):
                close = "rough"
            part = cues()["preposed"].get(_word_before(reading, place.start), "").split()
            if set(part) & set(wanted.words):
                close = "rough"
            subject = reading.near(place.start, place.end)
            hits.append(_Hit(place.start, place.end, stance, cue, close, False, subject))
        if value.kind == "text" and not hits:
            hits = _by_opposite(reading, value.text)
        return hits
    return [hit for each in reading.commitments if (hit := _hit(each, wanted, value, reading))]


def _word_before(reading: Reading, place: int) -> str:
    words = re.findall(r"[^\W\d_]+", reading.folded[max(0, place - 20) : place])
    return words[-1] if words else ""


def _by_opposite(reading: Reading, state: str) -> list[_Hit]:
    """A denied opposite states it: "did not pass" is failed, "isn't included" not included."""
    bare = re.sub(r"^(?:not|no|non)[ -]", "", state)
    others = [bare] if bare != state else opposites_of(state)
    hits = []
    for other in others:
        for place in find_words(reading.folded, fold(other)):
            stance, cue = reading.stance(place.start, place.end)
            if place.exact and stance == "denied":
                hits.append(_Hit(place.start, place.end, "asserted", cue, "exact"))
    return hits


def _hit(commitment: Commitment, wanted: Wanted, value: Value, reading: Reading) -> _Hit | None:
    for stated in commitment.readings:
        close = compare(stated, value)
        if close is None and value.kind == "number" and value.number < 0 <= stated.number:
            around = reading.text[max(0, stated.start - 40) : stated.end + 25]
            if pattern("down").search(around):
                close = compare(stated._replace(number=-stated.number), value)
        elif close and value.kind == "number" and wanted.changes and value.number > 0:
            around = reading.text[max(0, stated.start - 30) : stated.start]
            close = (
                None
                if re.search(r"\b(?:down|fell|dropped|declined|lost|decreased)\b", around)
                else close
            )
        if close:
            return _Hit(
                commitment.start,
                commitment.end,
                commitment.stance,
                commitment.cue,
                close,
                commitment.adopted,
                commitment.subject,
            )
    return None


def _opponents(
    reading: Reading,
    wanted: Wanted,
    value: Value,
    rivals: Sequence[Wanted],
    known: Sequence[Wanted],
    hits: Sequence[_Hit],
) -> list[_Hit]:
    """Values asserted for the slot that are not the wanted one."""
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
                found += [hit._replace(close="rival") for hit in places]
        if value.kind == "text":
            for other in opposites_of(value.text):
                for place in find_words(reading.folded, fold(other)):
                    stance, cue = reading.stance(place.start, place.end)
                    if place.exact and not any(
                        h.start < place.end and place.start < h.end for h in hits
                    ):
                        found.append(_Hit(place.start, place.end, stance, cue, "exact"))
        elif value.kind == "code":
            codes = [
                c for c in reading.commitments if c.value.kind == "code" and not _is_known(c, known)
            ]
            found += [
                _Hit(c.start, c.end, c.stance, c.cue, "exact", c.adopted, c.subject)
                for c in codes
                if _shape(c.value.text) == _shape(value.text) and c.value.text != value.text
            ]
        return [
            h
            for h in found
            if h.stance in _STANDS and not any(h.start < x.end and x.start < h.end for x in hits)
        ]
    spans = [(hit.start, hit.end) for hit in hits]
    for each in reading.commitments:
        if each.stance not in ("asserted", "past", "hedged") or any(
            a < each.end and each.start < b for a, b in spans
        ):
            continue
        if not any(is_comparable(stated, value) for stated in each.readings if stated.sure):
            continue
        if each.value.spelled and each.value.unit is None and each.value.number <= 3:
            continue
        close = _opposes(reading, each, wanted, value, rivals, known)
        if close:
            found.append(
                _Hit(each.start, each.end, each.stance, each.cue, close, each.adopted, each.subject)
            )
    return found


def _opposes(
    reading: Reading,
    each: Commitment,
    wanted: Wanted,
    value: Value,
    rivals: Sequence[Wanted],
    known: Sequence[Wanted],
) -> str | None:
    """`rival` for a value that is known to be wrong, `slot` for one under the slot's own name,
    `unit` for one in its unit that nothing explains; None for what is no opponent."""
    if any(
        compare(s, v) in ("exact", "rounded")
        for s in each.readings
        if s.sure
        for r in rivals
        for v in r.values
    ) and not _is_known(each, known):
        return "rival"
    near = reading.near(each.start, each.end) or each.subject
    named = _names_slot(near, wanted.words)
    others = [
        o
        for o in known
        if _may_be(each.value, o)
        and _names_slot(near, [w for w in o.words if w not in wanted.words])
    ]
    if _is_known(each, known):
        own = any(_is_value(each, other) for other in others)
        return "slot" if named and not own and not _is_shared(each, known, wanted) else None
    stated = each.value
    if (
        value.kind == "number"
        and value.unit is None
        and 0 < value.number < 1
        and stated.unit is None
        and stated.number > 1
    ):
        return None  # "Twelve in every thousand" may be a share.
    if (
        stated.kind == "number"
        and stated.unit is None
        and value.unit is not None
        and pattern("unknown_unit").match(reading.text, each.end)
    ):
        return None
    if named and not others:
        return "slot"
    if (
        value.kind == "number"
        and value.unit is not None
        and stated.unit is not None
        and stated.dimension == value.dimension
    ):
        return None if others else "unit"
    return "kind" if value.kind in ("date", "time") and not others else None


def _may_be(stated: Value, other: Wanted) -> bool:
    """Whether a stated value could be that of another slot."""
    return any(
        is_comparable(stated, value) and (stated.unit is None) >= (value.unit is None)
        for value in other.values
    )


def _is_shared(each: Commitment, known: Sequence[Wanted], wanted: Wanted) -> bool:
    return any(_is_value(each, other) and set(other.words) & set(wanted.words) for other in known)


def _is_value(each: Commitment, other: Wanted) -> bool:
    return any(compare(s, v) in ("exact", "rounded") for s in each.readings for v in other.values)


def _is_known(each: Commitment, known: Sequence[Wanted]) -> bool:
    if each.value.kind == "code":
        return any(
            each.value.text in re.sub(r"[\W_]+", "", other.raw).casefold() for other in known
        )
    return any(_is_value(each, other) for other in known)


def _names_slot(subject: Sequence[str], words: Sequence[str]) -> bool:
    """Whether one of a slot's telling words is among those near a value."""
    return any(
        len(word) > 2
        and (
            near == word
            or (len(word) > 3 and near[:4] == word[:4] and abs(len(near) - len(word)) < 5)
        )
        for word in words
        for near in subject
    )


def _shape(code: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "0", code))


def _with_hit(
    reading: Reading,
    wanted: Wanted,
    firm: Sequence[_Hit],
    hits: Sequence[_Hit],
    opponents: Sequence[_Hit],
    known: Sequence[Wanted],
) -> Decision:
    last = firm[-1]
    stated = reading.text[last.start : last.end].strip()
    for other in opponents:
        words = reading.text[other.start : other.end].strip()
        if other.stance == "past":
            continue
        if (
            other.close == "rival"
            and other.start > last.start
            and pattern("attributes").search(_sentence(reading, last))
        ):
            return Decision("no", f"reports {stated} and goes with {words}", other.start, other.end)
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
        if other.close == "rival":
            if last.stance == "past" and other.start > last.start:
                return Decision(
                    "no",
                    f"gives {stated} for another time and {words} for now",
                    other.start,
                    other.end,
                )
            return Decision("unclear", f"states {stated} and {words}", other.start, other.end)
        if other.close == "slot" and (
            last.close != "exact"
            or (
                last.subject
                and not _names_slot(last.subject, wanted.words)
                and _names_slot(other.subject, wanted.words)
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
    if pole := _at_other_pole(reading, wanted, firm):
        return Decision("unclear", f"states {stated} as its contrary: {pole}", last.start, last.end)
    if wrong := _under_other_name(reading, firm, wanted, known):
        if _is_swapped(reading, wanted, wrong):
            return Decision(
                "no", f"states {stated} for {' '.join(wrong.words)}", last.start, last.end
            )
        return Decision(
            "unclear",
            f"states {stated} beside the name of another field: {' '.join(wrong.words)}",
            last.start,
            last.end,
        )
    return Decision("yes", f"states {stated}", last.start, last.end)


def _sentence(reading: Reading, hit: _Hit) -> str:
    start, end = reading.layout.sentence_of(hit.start)
    return reading.text[start : min(end, hit.start)]


def _at_other_pole(reading: Reading, wanted: Wanted, firm: Sequence[_Hit]) -> str | None:
    """A word that makes the value that of the contrary slot: "22 % is used" of what is left."""
    mine = set(wanted.words)
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


def _under_other_name(
    reading: Reading, firm: Sequence[_Hit], wanted: Wanted, known: Sequence[Wanted]
) -> Wanted | None:
    """The other slot whose name stands beside every place of the value, where its own does not, and
    that is not stated under its name itself."""
    found = None
    for hit in (each._replace(subject=reading.near(each.start, each.end)) for each in firm):
        near = [
            o
            for o in known
            if o.raw != wanted.raw
            and _alike(o, wanted)
            and _names_slot(hit.subject, [w for w in o.words if w not in wanted.words])
            and not _names_slot(hit.subject, [w for w in wanted.words if w not in o.words])
        ]
        near = [o for o in near if not _is_stated_by_name(reading, o)]
        if not near:
            return None
        found = near[0]
    return found if wanted.words else None


def _alike(one: Wanted, other: Wanted) -> bool:
    """Whether two slots hold the same kind of value."""
    a, b = one.values[0], other.values[0]
    return a.kind == b.kind and a.dimension == b.dimension


def _is_stated_by_name(reading: Reading, other: Wanted) -> bool:
    hits = [hit for value in other.values for hit in find_hits(reading, other, value)]
    return any(_names_slot(reading.near(hit.start, hit.end), other.words) for hit in hits)


def _is_swapped(reading: Reading, wanted: Wanted, other: Wanted) -> bool:
    """Whether the other slot's value stands beside this slot's name."""
    hits = [hit for value in other.values for hit in find_hits(reading, other, value)]
    own = [word for word in wanted.words if word not in other.words]
    return any(_names_slot(reading.near(hit.start, hit.end), own) for hit in hits)


def _without_firm(hits: Sequence[_Hit], opponents: Sequence[_Hit]) -> Decision:
    last = hits[-1]
    place = last.start, last.end
    asserted = [o for o in opponents if o.stance == "asserted" or o.adopted]
    if last.stance in ("denied", "withdrawn", "quoted"):
        if asserted:
            return Decision(
                "no", f"the value is {last.stance} ({last.cue}), and another stated", *place
            )
        if last.stance == "quoted":
            return Decision("unclear", f"the value is somebody else's: {last.cue}", *place)
        return Decision(
            "no" if last.stance == "denied" else "unclear",
            f"the value is {last.stance}: {last.cue}",
            *place,
        )
    if last.stance == "question":
        return Decision("no", "asks instead of stating", *place)
    if last.stance == "alternative":
        return Decision("no", f"leaves it open: {last.cue}", *place)
    if last.close == "rough":
        return Decision("unclear", "the figure is too coarse, or can be read in two ways", *place)
    return Decision("unclear", f"the value is {last.stance}: {last.cue}", *place)


def _without_hit(
    reading: Reading,
    wanted: Wanted,
    value: Value,
    opponents: Sequence[_Hit],
    known: Sequence[Wanted],
) -> Decision:
    name = f"{' '.join(wanted.words) or 'the value'} {wanted.raw}"
    for strength in ("rival", "slot", "unit", "kind", "exact"):
        for other in opponents:
            if other.close == strength and other.stance == "asserted":
                return Decision(
                    "no",
                    f"states {reading.text[other.start : other.end].strip()} instead of {name}",
                    other.start,
                    other.end,
                )
    if opponents:
        return Decision(
            "unclear",
            f"does not state {name} and is vague about it",
            opponents[0].start,
            opponents[0].end,
        )
    explained = all(_is_known(each, known) for each in reading.commitments)
    if (declined := pattern("declines").search(reading.text)) and explained:
        return Decision("no", f"declines: {declined[0]}", *declined.span())
    vague = (
        pattern("vague").search(reading.text)
        or reading.language in ("ja", "zh")
        or value.number in (0, 1)
    )
    if value.kind in ("number", "date", "time") and explained and not vague:
        return Decision("no", f"states no figure that could be {name}")
    if not reading.commitments and not _speaks_of(reading, wanted, value):
        return Decision("no", f"does not speak of {name}")
    return Decision("unclear", f"does not state {name} in words that can be read")


def _speaks_of(reading: Reading, wanted: Wanted, value: Value) -> bool:
    """Whether a text holds a word of a slot or its value, or names anything."""
    words = set(re.findall(r"[^\W\d_]{3,}", reading.folded))
    about = [*wanted.words, *re.findall(r"[^\W\d_]{3,}", value.text)]
    named = re.search(r"(?<=[a-zß-ÿ,] )[A-Z][\w-]+", reading.text)
    return (
        bool(named)
        or _names_slot(tuple(words), about)
        or (value.kind == "text" and bool(opposites_of(value.text)))
    )


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{2,}", fold(text))


def _truth(reading: Reading, wanted: Wanted, expected: bool) -> Decision:
    """Yes or no, said outright, or by the slot's words affirmed or denied."""
    said: list[tuple[bool, int, int]] = []
    if found := pattern("yes").match(reading.text):
        said.append((True, *found.span()))
    elif found := pattern("no").match(reading.text):
        said.append((False, *found.span()))
    words = [w for w in wanted.words if len(w) > 2 and w not in ("status", "the", "has", "was")]
    for clause in reading.layout.clauses if words else ():
        text = reading.text[clause.start : clause.end]
        near = _words_of(text)
        if all(_names_slot(near, [word]) for word in words):
            tail = reading.text[clause.end : clause.end + 8]
            negative = pattern("negated").search(text) or re.match(
                r"\W{0,5}(?:no\b|false\b|❌|✗|nein\b)", tail, re.IGNORECASE
            )
            if not re.search(r"\bwith or without\b|\?", text):
                said.append((negative is None, clause.start, clause.end))
    field = " ".join(wanted.words)
    if not said:
        return Decision("unclear", f"does not say whether {field}")
    if len({truth for truth, *_ in said}) > 1:
        return Decision("unclear", f"says both about {field}", *said[-1][1:])
    truth, start, end = said[-1]
    return Decision(
        "yes" if truth == expected else "no", f"says {truth} of {field}".lower(), start, end
    )


def is_supported(stated: Value, known: Sequence[Value]) -> bool:
    """Whether a stated value is known or follows from what is."""
    return is_derived(stated, known)
