"""Twelve ways to word a value without changing it. Each takes a slot, returns the words."""

from collections.abc import Callable
from datetime import date
from typing import Any

from agentdyno_bench.tps.tasks.values import Slot

MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December"]  # fmt: skip
UNIT_WORDS = {"EUR": "euros", "USD": "dollars", "%": "percent", "°C": "degrees Celsius",
              "km": "kilometres", "min": "minutes"}  # fmt: skip
Wording = Callable[[Slot], str]


def _each(slot: Slot, word: Callable[[Slot, Any], str]) -> str:
    values = slot.value if isinstance(slot.value, list) else [slot.value]
    return ", ".join(word(slot, value) for value in values)


def _number(slot: Slot, value: Any, form: Callable[[float], str]) -> str:
    return form(value) if isinstance(value, (int, float)) else str(value)


def as_given(slot: Slot) -> str:
    return _each(slot, lambda s, v: str(v))


def with_unit(slot: Slot) -> str:
    return _each(slot, lambda s, v: f"{v} {s.unit}" if s.unit else str(v))


def unit_in_words(slot: Slot) -> str:
    return _each(slot, lambda s, v: f"{v} {UNIT_WORDS.get(s.unit or '', '')}".strip())


def thousands(slot: Slot) -> str:
    return _each(slot, lambda s, v: _number(s, v, lambda n: f"{n:,}"))


def two_places(slot: Slot) -> str:
    """As money is written; not for figures with more digits."""
    return _each(slot, lambda s, v: _number(
        s, v, lambda n: f"{n:,.2f}" if round(n, 2) == n else f"{n}"))  # fmt: skip


def sign_first(slot: Slot) -> str:
    signs = {"EUR": "€", "USD": "$"}
    return _each(slot, lambda s, v: f"{signs.get(s.unit or '', '')}{v}"
                 if isinstance(v, (int, float)) and v >= 0 else str(v))  # fmt: skip


def spelled_date(slot: Slot) -> str:
    return _each(
        slot, lambda s, v: _date(s, v, lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}")
    )


def american_date(slot: Slot) -> str:
    return _each(
        slot, lambda s, v: _date(s, v, lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}")
    )


def twelve_hours(slot: Slot) -> str:
    return _each(slot, lambda s, v: _clock(s, v, lambda h, m: f"{(h - 1) % 12 + 1}:{m:02d} "
                                           f"{'PM' if h >= 12 else 'AM'}"))  # fmt: skip


def hours_with_h(slot: Slot) -> str:
    return _each(slot, lambda s, v: _clock(s, v, lambda h, m: f"{h}h{m:02d}"))


def upper_case(slot: Slot) -> str:
    return _each(slot, lambda s, v: str(v).upper() if s.kind == "entity" else str(v))


def in_quotes(slot: Slot) -> str:
    return _each(slot, lambda s, v: f"“{v}”" if s.kind in ("entity", "list") else f"**{v}**")


def _date(slot: Slot, value: Any, form: Callable[[date], str]) -> str:
    if slot.kind == "date":
        return form(date.fromisoformat(value))
    if slot.kind == "moment":
        return f"{value[11:]} on {form(date.fromisoformat(value[:10]))}"
    return str(value)


def _clock(slot: Slot, value: Any, form: Callable[[int, int], str]) -> str:
    if slot.kind not in ("time", "moment"):
        return str(value)
    day, clock = ("", value) if slot.kind == "time" else (value[:10], value[11:])
    return f"{form(int(clock[:2]), int(clock[3:]))} {'on ' + day if day else ''}".strip()


WORDINGS: tuple[Wording, ...] = (
    as_given, with_unit, unit_in_words, thousands, two_places, sign_first, spelled_date,
    american_date, twelve_hours, hours_with_h, upper_case, in_quotes,
)  # fmt: skip
