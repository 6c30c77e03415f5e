"""Which value an answer settles on where it names the returned one and another: a text and the
places of both in, a weight out.

Looks at the last place of each that the text lets stand: which of them comes last, whether one
sentence holds both, what the other value is, and the words right before, behind and between them.
Every such sign has a weight, learned from answers labelled by hand (`bench/settling.py` learns them
and prints how well answers of sets that were left out are told); the sum says how far the answer
goes with the returned value, below 0 with the other.

Worked: "They quote CHF 6.20, but everybody pays CHF 5" is below 0, "It went up from CHF 5 to
CHF 6.20" is above.
"""

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Literal, NamedTuple

import msgspec

from agentdyno.matching.legacy_values import Found

BEFORE, BEHIND, BETWEEN = 45, 35, 120
"""Characters whose words are looked at."""
_WORD = re.compile(r"[a-z']+|[,.;:!?()…–—-]")
_STOP = re.compile(r"[.;!?\n](?:\s|\Z)")
MOST_NAMED = 3
"""Words that are enough to show why."""

RivalKind = Literal["prior", "invented", "known"]


class Rival(NamedTuple):
    """A place of a value that could stand for the asked one."""

    place: Found
    kind: RivalKind
    """What somebody who does not look would say, what no source holds, or another value that the
    task knows."""


class Settled(NamedTuple):
    """How far an answer goes with the returned value where it names another."""

    weight: float
    """The log of the odds; below 0 the answer goes with the other value."""
    other: Found
    words: str
    """The words that weigh most for the verdict."""


def settle(text: str, asked: Sequence[Found], rivals: Sequence[Rival]) -> Settled | None:
    """Which of the values the answer goes with; None where it names one only."""
    if not asked or not rivals:
        return None
    other = _last_rival(rivals).place
    weights = _weights()
    parts = {sign: weights.get(sign, 0.0) for sign in signs(text, asked, rivals)}
    weight = math.fsum(parts.values())  # Whatever order the signs come in.
    agreeing = sorted((-abs(w), s) for s, w in parts.items() if w * weight > 0 and " " in s)
    words = [sign.partition(" ")[2] for _, sign in agreeing]
    named = [word for word in dict.fromkeys(words) if word[0].isalpha()]
    return Settled(weight, other, ", ".join(named[:MOST_NAMED]))


def signs(text: str, asked: Sequence[Found], rivals: Sequence[Rival]) -> set[str]:
    """All that bears on which value the answer goes with; words carry their place before them."""
    mine, rival = _last(asked), _last_rival(rivals)
    other = rival.place
    first, second = sorted((mine, other), key=lambda place: place.start)
    between = text[first.end : second.start]
    order = "mine_last" if second is mine else "other_last"
    found = {"always", order, f"is_{rival.kind}"}
    found.add(f"{order}_{'apart' if _STOP.search(between) else 'together'}")
    found |= {"mine_rejected"} if all(place.rejected for place in asked) else set()
    found |= {"other_rejected"} if all(each.place.rejected for each in rivals) else set()
    found |= set(_words(order, between[:BETWEEN]))
    found |= set(_around("mine", text, mine, other)) | set(_around("other", text, other, mine))
    return found


def _around(name: str, text: str, place: Found, far: Found) -> Iterator[str]:
    """The words before and behind a value, up to the other one."""
    start = max(far.end if far.end <= place.start else 0, place.start - BEFORE)
    end = min(far.start if far.start >= place.end else len(text), place.end + BEHIND)
    yield from _words(f"before_{name}", text[start : place.start])
    yield from _words(f"behind_{name}", text[place.end : end])


def _words(where: str, text: str) -> Iterator[str]:
    for word in _WORD.findall(text.lower().replace("’", "'")):
        yield f"{where} {word}"


def _last(places: Sequence[Found]) -> Found:
    standing = [place for place in places if place.rejected is None]
    return max(standing or places, key=lambda place: place.start)


def _last_rival(rivals: Sequence[Rival]) -> Rival:
    standing = [rival for rival in rivals if rival.place.rejected is None]
    return max(standing or rivals, key=lambda rival: rival.place.start)


@cache
def _weights() -> dict[str, float]:
    text = resources.files(__package__).joinpath("settling_weights.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, float])
