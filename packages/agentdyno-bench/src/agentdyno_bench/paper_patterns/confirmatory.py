r"""Confirmatory use: the answer is already there, and a tool is asked to say it again.

Rule: in its own words (text or reasoning) the model states a value before a call, and the call
returns that value as its last number. Values given to the model (by the user or an earlier result)
do not count. The tool is one for computing, or it returned nothing but that value. A value of two
digits or less, or one that the call's arguments contain, must be stated as a result
(\boxed{…}, "the answer is …", "= … in total"); larger or broken ones do not agree by chance.

Source: "Answer token generated pre-tool" (the PTE paper, Table 7 and Appendix D.1).
Worked: "the ferry takes in 3,400 euro. Let me verify" -> print(…) -> 3400.0 -> one finding.
"""

import math
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from agentdyno.findings.patterns.reading import Reading
from agentdyno.matching.appearances import argument_text
from agentdyno.matching.distinct_tokens import number_token
from agentdyno.matching.quoting import quote_around
from agentdyno.records import ToolCall
from agentdyno.records.patterns import Finding

_CONCLUDING = re.compile(
    r"(?:\\boxed\s*\{|\b(?:answer|result|total|sum|solution|value|maximum|minimum|remainder|product"
    r"|probability|area|number)\b[^.\n\d]{0,40}(?:\bis|\bare|\bbe|=|:|\bequals|\bof))[\s*$\\({]*\Z",
    re.IGNORECASE,
)
_AFTERWARDS = re.compile(r"[\s\w$%*]{0,12}(?:in total|altogether|in all)\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.,])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d+)?(?:[eE][+-]?\d{1,3})?(?!\w|[.,]\d)"
)
_FRAC = re.compile(r"\\frac\{(-?\d{1,12})\}\{(\d{1,12})\}")
_QUOTIENT = re.compile(r"(?<![\d/.])(-?\d{1,12})/(\d{1,12})(?![\d/])")
_MAX_RESULT = 2_000
_MAX_LONE = 40
_END, _BEFORE = 300, 120
"""Characters of a result that are read for its last number, and of the words in front of it that
may say what it is."""
_MAX_STATED = 60_000
"""Characters of the model's words before a call that are looked at, the latest ones."""


class _Number(NamedTuple):
    """A number where it stands in a text."""

    number: float
    decimals: int
    start: int
    end: int


def detect(reading: Reading) -> list[Finding]:
    """A finding for each call that only confirms."""
    found = []
    for call in reading.calls:
        returned = _find_returned(reading, call)
        stated = _was_stated_before(reading, call, returned) if returned is not None else None
        if stated:
            evidence, detail = stated
            found.append(Finding("confirmatory", call.turn, call.call, evidence, detail))
    return found


def _find_returned(reading: Reading, call: ToolCall) -> float | None:
    """The value that the call came back with."""
    part = reading.result(call)
    if part is None or not call.executed or call.error or len(part.text) > _MAX_RESULT:
        return None
    if reading.family(call) != "compute" and len(part.text.strip()) > _MAX_LONE:
        return None
    last = _last_number(part.text)
    if last is None or (reading.family(call) != "compute" and not _is_lone(part.text, last)):
        return None
    return last.number


def _last_number(text: str) -> _Number | None:
    """The number that a text ends with; mostly its end says as much as all of it."""
    end = text[-_END:].partition(" ")[2] if len(text) > _END else ""
    last = max(_numbers(end), key=lambda number: number.end, default=None)
    if last is not None and last.start >= _BEFORE:
        before = len(text) - len(end)
        return last._replace(start=last.start + before, end=last.end + before)
    return max(_numbers(text), key=lambda number: number.end, default=None)


def _is_lone(text: str, number: _Number) -> bool:
    """Whether a result is that number and perhaps a unit."""
    rest = (text[: number.start] + text[number.end :]).strip()
    return len(rest) <= 12 and not any(c.isdigit() for c in rest)


def _was_stated_before(reading: Reading, call: ToolCall, returned: float) -> tuple[str, str] | None:
    if _was_given(reading, call, returned):
        return None
    for text in _own_words(reading, call.turn):
        for number in _numbers(text):
            if not _is_returned(number, returned):
                continue
            must_conclude = _agrees_by_chance(returned) or _is_asked(call, returned)
            if must_conclude and not _is_conclusion(text, number):
                continue
            evidence = quote_around(text, number.start, number.end)
            return evidence, f"{text[number.start : number.end]} was stated before the call"
    return None


def _is_returned(stated: _Number, returned: float) -> bool:
    """Whether it is the value that came back, or that value rounded to three digits or more."""
    if math.isclose(stated.number, returned, rel_tol=1e-9, abs_tol=1e-12):
        return True
    digits = len(str(abs(int(stated.number)))) + stated.decimals
    return digits > 2 and abs(stated.number - returned) <= 0.5 * 10.0**-stated.decimals


def _own_words(reading: Reading, turn: int) -> Iterator[str]:
    """What the model wrote up to the call, the latest first."""
    left = _MAX_STATED
    for parts in map(partial(list.__getitem__, reading.said), range(turn, -1, -1)):
        for part in reversed(parts):
            if left <= 0:
                return
            yield part.text[-left:]
            left -= len(part.text)


def _agrees_by_chance(value: float) -> bool:
    return abs(value) < 100 and value.is_integer()


def _is_conclusion(text: str, number: _Number) -> bool:
    before = text[max(0, number.start - 70) : number.start]
    after = text[number.end : number.end + 30]
    return bool(_CONCLUDING.search(before) or _AFTERWARDS.match(after))


def _is_asked(call: ToolCall, value: float) -> bool:
    """Whether the request itself holds the value."""
    return any(number.number == value for number in _numbers(argument_text(call)[:_MAX_STATED]))


def _was_given(reading: Reading, call: ToolCall, value: float) -> bool:
    """Whether the model had the value from somebody else."""
    token = number_token(f"{abs(value):.10f}")
    parts = reading.trajectory.parts
    return any(
        parts[place].kind in ("user", "system", "result")
        and (enters := parts[place].enters) is not None
        and enters <= call.turn
        for place in reading.index.where(token)
    )


@lru_cache(maxsize=512)
def _numbers(text: str) -> list[_Number]:
    """The numbers of a text, fractions among them."""
    plain = _FRAC.sub(r" \1/\2 ", text)
    found = []
    for match in _NUMBER.finditer(plain):
        number = float(match[0].replace(",", "").replace("−", "-"))
        found.append(_Number(number, len(match["decimals"] or ".") - 1, *match.span()))
    return found + [
        _Number(int(match[1]) / divisor, 0, *match.span())
        for match in _QUOTIENT.finditer(plain)
        if (divisor := int(match[2]))
    ]
