"""Numbers in words: twenty-one, two and a half, a hundred and forty-seven, three quarters, a dozen.

Takes a text, returns the numbers with their places. One pass over the number words; what stands
between two of them is looked at only where they are neighbours.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from agentdyno.matching.legacy_values.letters import any_of, lowered

_ONES = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen""".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), 2
    )
}
_POWERS = {"hundred": 100, "thousand": 1_000, "lakh": 10**5, "million": 10**6, "crore": 10**7,
           "billion": 10**9, "trillion": 10**12}  # fmt: skip
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
          "ninth": 9, "tenth": 10, "hundredth": 100}  # fmt: skip
_SHARES = {"halves": 0.5} | {
    word + ending: 1 / number for word, number in _PARTS.items() for ending in ("", "s")
}
_ONE_PART = re.compile(
    rf"(?<!\band )\b(?:an?|every)[\s-]({'|'.join(_PARTS)})(?=\sof\b|\s?[.,;:!)\n|]|\s?\Z|\s[–—(]"
    rf"|\s(?:full|empty|off|less|more|rather|instead|and|but|as|so)\b)"
)
"""An eighth of it; before another word it may be the eighth in a row."""
NUMBER_WORDS = (*_ONES, *_TENS, *_POWERS, "half", "dozen", "couple")
_WORD = re.compile(r"\b" + any_of(NUMBER_WORDS) + r"\b")
"""In lower case."""
_JOINT = re.compile(r"(?:-|\s{1,2}|\s{1,2}and\s{1,2}|,\s{1,2})\Z", re.IGNORECASE)
_AND_SHARE = re.compile(
    r"\s{1,2}and\s{1,2}(?:an?|one|two|three|four)?[\s-]{0,2}(half|third|thirds|quarter|quarters)\b",
    re.IGNORECASE,
)
_OF_SHARE = re.compile(rf"[\s-]{{1,2}}(halves|(?:{'|'.join(_PARTS)})s?)\b", re.IGNORECASE)
_POINT = re.compile(
    r"\s{1,2}point((?:[\s-]{1,2}(?:" + "|".join(list(_ONES)[:10]) + r")\b){1,6})", re.IGNORECASE
)
_THEN_POWER = re.compile(r"\s(hundred|thousand|million|billion|lakh|crore)\b", re.IGNORECASE)
_OF_POWER = re.compile(r"\sof\s(?:an?|one)\s(hundred|thousand|million|billion)\b", re.IGNORECASE)
_HALF_BEFORE = re.compile(r"\bhalf an?\s\Z|\bhalf-\Z", re.IGNORECASE)
_ONE_BEFORE = re.compile(r"\ban?\s\Z", re.IGNORECASE)
_TIMES = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}


class Spelled(NamedTuple):
    """A number in words where it stands."""

    value: float
    start: int
    end: int
    digits: int


_MANNER = re.compile(r"-(?:off|time|way|sided|stop|hit|to-one|size)\b", re.IGNORECASE)
"""What makes of a number an adjective."""


def find_spelled(text: str) -> Iterator[Spelled]:
    """Every number in words, the longest reading of each."""
    last = -1
    for found in sorted(_every(text), key=lambda each: (each.start, -each.end)):
        if found.start < last:
            continue  # The million of "three quarters of a million".
        whole = _scaled_share(text, found)
        last = whole.end
        yield whole


def _scaled_share(text: str, found: Spelled) -> Spelled:
    """Three quarters of a million are 750,000."""
    scale = _OF_POWER.match(text, found.end) if found.value < 1 else None
    if scale is None:
        return found
    value = found.value * _POWERS[scale[1].lower()]
    return Spelled(value, found.start, scale.end(), found.digits)


def _every(text: str) -> Iterator[Spelled]:
    group: list[re.Match[str]] = []
    low = lowered(text)
    for match in _WORD.finditer(low):
        if _MANNER.match(text, match.end()):
            continue  # "a one-off", "one-way".
        if group and not _continues(text, group[-1], match):
            yield from _number(text, group)
            group = []
        group.append(match)
    if group:
        yield from _number(text, group)
    for part in _ONE_PART.finditer(low):
        yield Spelled(_SHARES[part[1]], part.start(), part.end(1), 3)


def _continues(text: str, before: re.Match[str], match: re.Match[str]) -> bool:
    """Whether the word goes on with the number: `forty seven` does, `two three` does not."""
    between = text[before.end() : match.start()]
    if len(between) > 8 or not _JOINT.match(between):
        return False
    last, word = before[0].lower(), match[0].lower()
    if word in _POWERS:
        return last != "half" and "and" not in between.lower() and "," not in between
    if last in _POWERS:
        return word in _ONES or word in _TENS
    return last in _TENS and word in _ONES and _ONES[word] < 10 and "," not in between


def _number(text: str, group: list[re.Match[str]]) -> Iterator[Spelled]:
    words = [match[0].lower() for match in group]
    start, end = group[0].start(), group[-1].end()
    if words == ["half"]:
        yield Spelled(0.5, start, end, 1)
        return
    if words == ["dozen"] and _HALF_BEFORE.search(text[max(0, start - 7) : start]):
        return  # Half of it, and no dozen.
    if words in (["dozen"], ["couple"]):
        yield Spelled(12.0 if words == ["dozen"] else 2.0, start, end, 2)
        return
    if words[0] in _POWERS and not _ONE_BEFORE.search(text[max(0, start - 5) : start]):
        return  # "$8 million": the scale of a number in digits.
    value, digits = _sum(words), len(str(_sum(words)).rstrip("0")) or 1
    if share := _AND_SHARE.match(text, end):
        times = next((_TIMES[w] for w in share[0].lower().split() if w in _TIMES), 1)
        whole, end = value + times * _SHARES[share[1].lower()], share.end()
        if scale := _THEN_POWER.match(text, end):  # One and a half million.
            whole, end = whole * _POWERS[scale[1].lower()], scale.end()
        yield Spelled(whole, start, end, digits + 1)
    elif (share := _OF_SHARE.match(text, end)) and _ONES.get(words[-1], 99) < 10:
        yield Spelled(value * _SHARES[share[1].lower()], start, share.end(), 3)
    elif point := _POINT.match(text, end):
        decimals = "".join(str(_ONES[w.lower()]) for w in re.findall(r"[A-Za-z]+", point[1]))
        whole, end = float(f"{value}.{decimals}"), point.end()
        if scale := _THEN_POWER.match(text, end):  # Two point six million.
            whole, end = whole * _POWERS[scale[1].lower()], scale.end()
        yield Spelled(whole, start, end, digits + len(decimals))
    else:
        yield Spelled(float(value), start, end, digits)


def _sum(words: list[str]) -> int:
    total, current = 0, 0
    for word in words:
        if word in _POWERS and word != "hundred":
            total, current = total + max(current, 1) * _POWERS[word], 0
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in ("dozen", "couple", "half"):
            current = max(current, 1) * (12 if word == "dozen" else 2)
        else:
            current += _ONES.get(word, _TENS.get(word, 0))
    return total + current
