"""Where a text states an expected value: a reading and a value in, hits of any stance out."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.commitments.reading import Commitment, Reading
from agentdyno.matching.commitments.stance import Stance
from agentdyno.matching.commitments.texts import (
    find_code,
    find_spelling,
    find_surname,
    find_words,
    opposites_of,
    synonyms_of,
)
from agentdyno.matching.values import Expected, Value, compare, fold


class Hit(NamedTuple):
    """A place where a text states a value."""

    start: int
    end: int
    stance: Stance
    """How the text stands to it."""
    cue: str
    """The words that tell the stance."""
    close: str
    """How well it agrees: `exact`, `rounded` or `rough`."""
    adopted: bool = False
    """Whether the writer chooses it."""
    subject: tuple[str, ...] = ()
    """The words nearest to it."""


def is_rival(reading: Reading, hit: Hit, rivals: Sequence[Expected]) -> bool:
    """Whether what is near the expected value is a rival to the last digit."""
    stated = [v for c in reading.commitments if c.start == hit.start for v in c.readings]
    return any(compare(s, v) == "exact" for s in stated for rival in rivals for v in rival.values)


def find_hits(reading: Reading, expected: Expected, value: Value) -> list[Hit]:
    """Every place where the text states the value, whatever its stance."""
    if expected.literal and (places := find_spelling(reading.folded, fold(expected.raw))):
        stances = ((place, *reading.stance(place.start, place.end)) for place in places)
        return [Hit(place.start, place.end, stance, cue, "exact") for place, stance, cue in stances]
    if value.kind in ("text", "code"):
        if value.kind == "code":
            places = find_code(reading.folded, value.text)
        else:
            places = find_words(reading.folded, value.text)
            places = places or find_surname(reading.text, reading.folded, expected)
            if value.text.startswith(("not ", "no ")) and value.text not in reading.folded:
                return _by_opposite(reading, value.text)
        hits = []
        for place in places:
            stance, cue = reading.stance(place.start, place.end)
            close = "exact" if place.exact else "rounded"
            subject = reading.near(place.start, place.end)
            hits.append(Hit(place.start, place.end, stance, cue, close, False, subject))
        if value.kind == "text" and not hits:
            hits = _by_opposite(reading, value.text) or _by_synonym(reading, value.text)
        return hits
    return [hit for each in reading.commitments if (hit := _hit(each, expected, value, reading))]


def _by_opposite(reading: Reading, state: str) -> list[Hit]:
    """A denied opposite states it: "did not pass" is failed, "isn't included" not included."""
    bare = re.sub(r"^(?:not|no|non)[ -]", "", state)
    others = [bare] if bare != state else opposites_of(state)
    hits = []
    for other in others:
        for place in find_words(reading.folded, fold(other)):
            stance, cue = reading.stance(place.start, place.end)
            if place.exact and stance == "denied":
                hits.append(Hit(place.start, place.end, "asserted", cue, "exact"))
    return hits


def _by_synonym(reading: Reading, state: str) -> list[Hit]:
    """Another word for the state: shut for closed."""
    return [
        Hit(place.start, place.end, *reading.stance(place.start, place.end), "rounded")
        for other in synonyms_of(state)
        for place in find_words(reading.folded, fold(other))
        if reading.folded[place.start : place.end] == fold(other)
    ]


def _hit(commitment: Commitment, expected: Expected, value: Value, reading: Reading) -> Hit | None:
    for stated in commitment.readings:
        close = compare(stated, value)
        if close is None and value.kind == "number" and value.number < 0 <= stated.number:
            around = reading.text[max(0, stated.start - 40) : stated.end + 25]
            if pattern("down").search(around):
                close = compare(stated._replace(number=-stated.number), value)
        elif close and value.kind == "number" and expected.changes and value.number > 0:
            around = reading.text[max(0, stated.start - 30) : stated.start]
            close = (
                None
                if re.search(r"\b(?:down|fell|dropped|declined|lost|decreased)\b", around)
                else close
            )
        if close:
            return Hit(
                commitment.start,
                commitment.end,
                commitment.stance,
                commitment.cue,
                close,
                commitment.adopted,
                commitment.subject,
            )
    return None
