"""What is asked of a text: a value with its kind, its unit and the words of its slot.

`expect("37.5", "starting_dose_mg")` is 37.5 milligrams of a starting dose; `expect("2026-11-24",
"due_on")` a date; `expect("held", "status")` a text; `expect("true", "kev_listed")` a truth. A
moment is two values, and both are expected.
"""

import re
from functools import lru_cache
from typing import Any, NamedTuple

from agentdyno.matching.values.fields import split_name, unit_of_field, words_of_field
from agentdyno.matching.values.finding import bare_code, fold, read_values
from agentdyno.matching.values.lexicon import SECONDS
from agentdyno.matching.values.value import Value

_MOMENT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|UTC|[+-]\d{2}:?\d{2})?"
)
_BETWEEN = re.compile(r"\s*(?:[–/]|\s-\s|\bto\b|(?<=:\d\d)-)\s*")
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_CODED = frozenset(
    "code codes id ids isbn issn ean iban ref reference serial sku version plate".split()
)
_CHANGES = frozenset("change growth delta difference trend move drop gain".split())
_TIMED = re.compile(r"\d{1,2}:[0-5]\d(?::[0-5]\d)?")
_MOMENTS = frozenset("at from until start starts end ends opens closes departs arrives".split())
_LONG = frozenset("duration length runtime elapsed lasts time_taken for wait took".split())


class Expected(NamedTuple):
    """A value that a text may commit to."""

    values: tuple[Value, ...]
    """The typed value; two for a moment (day and time) or a range (its ends)."""
    words: tuple[str, ...] = ()
    """Words of the slot that it belongs to, without its unit."""
    raw: str = ""
    """As it was given."""
    literal: bool = False
    """Whether its very characters count, because nobody knows the field that it was taken from."""
    changes: bool = False
    """Whether it says how something changed, so that "down 3 %" is -3 %."""

    @property
    def kind(self) -> str:
        """The kind of its first value."""
        return self.values[0].kind


@lru_cache(maxsize=8192)
def expect(text: str, field: str = "", words: tuple[str, ...] = ()) -> Expected:
    """A string of a slot as what is expected."""
    bare = text.strip()
    slot = words or words_of_field(field)
    names = set(split_name(field))
    if bare.lower() in _TRUTHS:
        return Expected(
            (Value("truth", 0, 0, float(_TRUTHS[bare.lower()]), text=bare.lower()),), slot, text
        )
    if moment := _MOMENT.fullmatch(bare):
        return Expected((_first(moment[1]), _first(moment[2])), slot, text)
    ends = re.fullmatch(r"(\d+(?:\.\d+)?)\s?[-–]\s?(\d+(?:\.\d+)?)", bare)
    if ends and unit_of_field(field) and float(ends[1]) < float(ends[2]):
        return Expected(tuple(expect(end, field).values[0] for end in ends.groups()), slot, text)
    parts = _BETWEEN.split(bare)
    spans = tuple(map(_first, parts)) if len(parts) == 2 else ()
    if spans and all(each.kind in ("date", "time") for each in spans):
        return Expected(spans, slot, text)
    if names & _CODED and not re.fullmatch(r"[\w ]*[^\W\d_]{4,}[\w ]*", bare):
        return Expected((Value("code", 0, 0, text=bare_code(bare)),), slot, text)
    whole = [
        value
        for value in read_values(bare, "en")
        if value.start == 0 and value.end == len(bare) and value.sure
    ]
    if (
        re.fullmatch(r"\d{1,3}:[0-5]\d:[0-5]\d|\d{1,3}:[0-5]\d[.,]\d+", bare)
        and not names & _MOMENTS
    ):
        length = [v for v in read_values(bare, "en") if v.kind == "number" and v.unit]
        size = length[1 if "." in bare and len(length) > 1 else 0]
        if "." in bare or "," in bare:
            minutes, _, seconds = bare.replace(",", ".").partition(":")
            size = size._replace(number=int(minutes) * 60 + float(seconds), unit=SECONDS)
        return Expected((size._replace(sure=True),), slot, text)
    if _TIMED.fullmatch(bare):
        lengths = [v for v in read_values(bare, "en") if v.kind == "number" and v.unit]
        if names & _LONG and lengths:
            return Expected((lengths[0]._replace(sure=True),), slot, text)
        return Expected((_first(bare),), slot, text)
    if not whole or (len(whole) > 1 and whole[0].kind == "text"):
        if re.fullmatch(
            r"[A-Za-z]{0,4}[ -]?\d[\w./:-]*|[A-Z]\d+[\w.-]*", bare
        ) and not re.fullmatch(r"\d+(\.\d+)? .*", bare):
            return Expected((Value("code", 0, 0, text=bare_code(bare)),), slot, text)
        return Expected((Value("text", 0, 0, text=fold(bare)),), slot, text)
    value = whole[0]
    if value.kind == "number" and re.fullmatch(r"\d{1,4}[A-Z]", bare) and not unit_of_field(field):
        return Expected((Value("code", 0, 0, text=bare_code(bare)),), slot, text)
    if value.kind == "number":
        # A return is written by a program: a point is a decimal point.
        number = (
            float(bare) if re.fullmatch(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", bare) else value.number
        )
        unit = value.unit or unit_of_field(field)
        value = value._replace(number=number, unit=unit, step=0.0)
    return Expected((value,), slot, text, changes=bool(names & _CHANGES))


def expect_leaf(name: str, value: Any) -> Expected | None:
    """A leaf of a decoded return as what a text may state of it; None for what says nothing."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return expect(text[:400], name)


def _first(text: str) -> Value:
    found = (value for value in read_values(text, "en") if value.kind in ("date", "time"))
    return next(found, Value("text", 0, 0, text=fold(text)))
