"""Looks for a value in a result or in arguments, as a reader would.

Numbers are compared as values, to the digits that are asked for; texts without regard to case and
only as whole words. What an answer says is another matter (see `outcomes`).

    holds({"price": 1234.5}, 1234.5) · holds({"text": "over 310 euros"}, 310)
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from agentdyno_bench.shared.values import fold

_NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")


def holds(value: Any, expected: Any) -> bool:
    """True when a structured value has the wanted one among its leaves or within its texts."""
    return any(_same(leaf, expected) for leaf in leaves(value))


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


def _same(leaf: Any, expected: Any) -> bool:
    if isinstance(expected, bool) or isinstance(leaf, bool):
        return leaf is expected
    if isinstance(expected, (int, float)):
        if isinstance(leaf, (int, float)):
            return _same_number(float(leaf), float(expected))
        return any(_same_number(number, float(expected)) for number in _numbers(str(leaf)))
    return _words(str(expected)).search(fold(str(leaf))) is not None


@lru_cache(4096)
def _words(text: str) -> re.Pattern[str]:
    """A text as whole words; hyphens, underscores and blanks between them are alike."""
    parts = [re.escape(word) for word in re.split(r"[\s_-]+", fold(text.strip())) if word]
    joined = r"[\s_-]{0,4}".join(parts)
    return re.compile(rf"(?<![^\W_]){joined}(?![^\W_])" if parts else r"(?!)")


def _numbers(text: str) -> Iterator[float]:
    for match in _NUMBER.finditer(text):
        yield float(re.sub(r"[,\u00a0\u202f]", "", match[0]))


def _same_number(number: float, expected: float) -> bool:
    """Equal to the digits of the wanted value, two at least."""
    digits = max(2, len(f"{expected:.6f}".rstrip("0").partition(".")[2]))
    return bool(abs(number - expected) < 0.5001 * 10**-digits)
