"""All typed values of a text, each with its place: dates, times, codes and numbers.

Readings of the same characters stand beside each other; digits of a date or a code are no number.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from agentdyno.matching.values.calendar import find_dates
from agentdyno.matching.values.lexicon import language_of
from agentdyno.matching.values.value import Value
from agentdyno_bench.values.numbers import find_numbers
from agentdyno_bench.values.times import find_clock_durations, find_times

LONGEST = 40_000
"""Characters of a text that are read."""
_CODE = re.compile(
    r"(?<![0-9A-Za-z_À-ɏ@/.-])(?=[\w./:-]*\d)(?=[\w./:-]*[^\W\d_])[A-Za-z0-9]+(?:[-_./:][A-Za-z0-"
    r"9]+)*(?![\w@])"
    r"|(?<![0-9A-Za-z_À-ɏ.,/-])\d+(?:-\d+){1,5}(?![\w-])|"
    r"(?<![0-9A-Za-z_À-ɏ.,])\d+(?:\.\d+){2,5}(?![\w.]*\d)"
)
_UNITLIKE = re.compile(
    r"[+-]?(?:\d+(?:[.,]\d+)?|\d+(?:[.,]\d{3})+(?:[.,]\d+)?|\d+(?::\d+)+)(?:st|nd|rd|th|"
    r"[a-zµ%°]{1,4}|[kMBKGT]|[kMGT]?(?:W|Wh|Hz|B|b|V|A|Pa|L)|[A-Z]?[a-z]{3,}|°[CF])?"
    r"(?:/[a-zA-Z]+)?|\d{1,2}[hH]\d{0,2}(?:m(?:in)?(?:\d{1,2}s)?)?|\d+[dhms](?:\d+[hms])+|"
    r"[A-Z]{1,3}\$\d+|\d+-[A-Z]?[a-z]+(?:-[A-Z]?[a-z]+)*|P?T?(?:\d+[DHMS])+|\d{4}-\d{2}(?:-\d{2})?(?:T.*)?|"
    r"[a-z]+-\d{1,3}|\d{1,2}-\d{1,2}"
)
_MOMENT = re.compile(r"(?<=\d{4}-\d{2}-\d{2})T(?=\d{2}:\d{2})")
_WESTERN = {
    ord(a): b for a, b in zip("０１２３４５６７８９：．，％", "0123456789:.,%", strict=True)
}
_PLAIN = dict(zip("łŁøØđĐıß", "lLoOdDis", strict=True))
"""Letters that have no accent to take off."""


class _Folded(dict[int, str]):
    """Letters by their codes, each folded when it is first met."""

    def __missing__(self, code: int) -> str:
        plain = unicodedata.normalize("NFD", _PLAIN.get(chr(code), chr(code)))[0]
        return self.setdefault(code, plain.lower()[:1] or chr(code))


_FOLDED = _Folded()


def read_values(text: str, language: str | None = None) -> list[Value]:
    """Every value of a text, in order of place; second readings behind the first."""
    text = _MOMENT.sub(" ", text[:LONGEST].translate(_WESTERN))
    tongue = language or language_of(text)
    dates = _longest_first(find_dates(text))
    left = _blank(text, dates)
    codes = list(find_codes(left))
    left = _blank(left, codes)
    times = _longest_first(find_times(left, tongue))
    # "21.48" may be a number as well as a time.
    plain = _blank(left, [time for time in times if time.sure and not _is_bare(left, time)])
    numbers = find_numbers(plain, tongue)
    lengths = list(find_clock_durations(left))
    within = {place for value in lengths for place in range(value.start, value.end)}
    numbers = [n for n in numbers if not (n.start in within and n.end - 1 in within)]
    found = [*dates, *codes, *times, *numbers, *lengths]
    return sorted(found, key=lambda value: (value.start, not value.sure, -value.end))


def find_codes(text: str) -> Iterator[Value]:
    """Ids, versions, file names: letters with digits, or figures with marks that make no number."""
    for match in _CODE.finditer(text):
        written = match[0].rstrip(".:-/")
        if len(written) > 1 and not _UNITLIKE.fullmatch(written):
            yield Value(
                "code", match.start(), match.start() + len(written), text=bare_code(written)
            )


def bare_code(written: str) -> str:
    """A code without its marks: MQ-2207 B is mq2207b."""
    return re.sub(r"[\W_]+", "", written).casefold()


def fold(text: str) -> str:
    """Small letters without accents, as long as the text."""
    if text.isascii():
        return text.lower()
    return text.translate(_FOLDED)


def _is_bare(text: str, time: Value) -> bool:
    return re.fullmatch(r"\d{1,2}\.\d{2}", text[time.start : time.end]) is not None


def _longest_first(found: Iterator[Value]) -> list[Value]:
    """Values without those that overlap a longer one; readings of one span stay together."""
    spans: dict[tuple[int, int], list[Value]] = {}
    for value in found:
        readings = spans.setdefault((value.start, value.end), [])
        if value not in readings:
            readings.append(value)
    taken = bytearray(LONGEST)
    kept: list[Value] = []
    for (start, end), readings in sorted(spans.items(), key=lambda item: item[0][0] - item[0][1]):
        if not any(taken[start:end]):
            taken[start:end] = b"\x01" * (end - start)
            kept += sorted(readings, key=lambda value: not value.sure)
    return kept


def _blank(text: str, spans: Sequence[Value]) -> str:
    """The text with spans blanked, so that places stay true; one copy however many they are."""
    pieces, last = [], 0
    for value in sorted(spans, key=lambda each: each.start):
        if value.start >= last:
            pieces += [text[last : value.start], "\x00" * (value.end - value.start)]
            last = value.end
    return "".join([*pieces, text[last:]]) if pieces else text
