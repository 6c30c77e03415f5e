"""Whether a value stands in a result, in arguments or in an answer, as a reader would say.

Numbers are compared as values, to the digits that are asked for; texts without regard to case and
only as whole words; dates in the forms that people write.

    holds({"price": 1234.5}, 1234.5) · states("It is 1,234.50 euros.", 1234.5)
    states("on 4 May 2026", "2026-05-04")
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

_NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")
_DATE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?")


def holds(value: Any, wanted: Any) -> bool:
    """Whether a structured value has the wanted one among its leaves or within its texts."""
    return any(_same(leaf, wanted) for leaf in leaves(value))


def leaves(value: Any) -> Iterator[Any]:
    """Every leaf of a structured value, keys left out."""
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)
    elif value is not None:
        yield value


def _same(leaf: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(leaf, bool):
        return leaf is wanted
    if isinstance(wanted, (int, float)):
        if isinstance(leaf, (int, float)):
            return _same_number(float(leaf), float(wanted))
        return any(_same_number(found, float(wanted)) for found in numbers(str(leaf)))
    return contains_words(str(leaf), str(wanted))


def states(answer: str, wanted: Any) -> bool:
    """Whether an answer states a value."""
    if isinstance(wanted, (int, float)):
        return any(_told_number(match[0], float(wanted)) for match in _NUMBER.finditer(answer))
    return any(contains_words(answer, form) for form in _forms(str(wanted)))


def numbers(text: str) -> Iterator[float]:
    """Every number of a text."""
    for match in _NUMBER.finditer(text):
        yield float(re.sub(r"[,\u00a0\u202f]", "", match[0]))


def _same_number(found: float, wanted: float) -> bool:
    """Equal to the digits of the wanted value, two at least."""
    digits = max(2, len(f"{wanted:.6f}".rstrip("0").partition(".")[2]))
    return bool(abs(found - wanted) < 0.5001 * 10**-digits)


def _told_number(written: str, wanted: float) -> bool:
    """Right to the digits that were written, of which two after the point are enough."""
    found = float(re.sub(r"[,\u00a0\u202f]", "", written))
    digits = len(written.partition(".")[2])
    asked = len(f"{wanted:.6f}".rstrip("0").partition(".")[2])
    off = abs(found - wanted)
    return digits >= min(2, asked) and off < 0.5001 * 10**-digits and off <= 0.005 * abs(wanted)


def contains_words(text: str, wanted: str) -> bool:
    """Whether a text holds another, not as part of a longer word."""
    text, wanted = _plain(text), _plain(wanted)
    start = text.find(wanted)
    while start != -1 and wanted:
        end = start + len(wanted)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (
            after.isalnum() and wanted[-1].isalnum()
        ):
            return True
        start = text.find(wanted, start + 1)
    return False


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _forms(wanted: str) -> list[str]:
    """A text as it is, or a date or time in the forms that people write."""
    match = _DATE.fullmatch(wanted)
    if match is None:
        return [wanted]
    try:
        day = date.fromisoformat(match[1])
    except ValueError:
        return [wanted]
    month = day.strftime("%B")
    days = [match[1], f"{day.day} {month}", f"{month} {day.day}", f"{day.day} {month[:3]}",
            f"{month[:3]} {day.day}", f"{month} {day.day}th"]  # fmt: skip
    if match[2] is None:
        return days
    return [wanted, wanted.replace("T", " "), match[2]]
