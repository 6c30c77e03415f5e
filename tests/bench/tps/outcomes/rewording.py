"""Ways to word a value without changing it. Each takes a slot, returns the words."""

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
    return _each(slot, lambda s, v: f"{v} {s.unit}" if s.unit not in (None, "1") else str(v))


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


def _dated(form: str) -> Wording:
    """Dates in another form of `strftime`; `%-d` for a day without its nought."""

    def word(slot: Slot) -> str:
        def write(day: date) -> str:
            return day.strftime(form.replace("%-d", str(day.day)))

        return _each(slot, lambda s, v: _date(s, v, write))

    return word


def _timed(form: str) -> Wording:
    def word(slot: Slot) -> str:
        def write(hour: int, minute: int) -> str:
            half = "pm" if hour >= 12 else "am"
            return form.format(h=hour, m=minute, t=(hour - 1) % 12 + 1, half=half)

        return _each(slot, lambda s, v: _clock(s, v, write))

    return word


def _written(form: Callable[[float, str], str]) -> Wording:
    """Numbers with their unit in another form."""

    def word(slot: Slot) -> str:
        unit = "" if slot.unit in (None, "1") else str(slot.unit)
        return _each(slot, lambda s, v: _number(s, v, lambda n: form(n, unit)))

    return word


def _framed(form: str) -> Wording:
    return lambda slot: _each(
        slot, lambda s, v: form.format(f"{v} {UNIT_WORDS.get(s.unit or '', '')}".strip())
    )


def _duration(slot: Slot) -> str:
    if slot.unit != "min":
        return as_given(slot)
    hours, minutes = divmod(int(slot.value), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _falls(slot: Slot) -> str:
    """A negative change as people say it."""
    if slot.unit == "%" and isinstance(slot.value, float) and slot.value < 0:
        return f"down {abs(slot.value)} %"
    return as_given(slot)


_CODES = ("EUR", "USD", "GBP", "SEK", "NOK", "CHF", "JPY", "DKK")
MORE: dict[str, Wording] = {
    "weekday_and_date": _dated("%A, %-d %B %Y"),
    "short_month": _dated("%-d %b %Y"),
    "month_without_year": _dated("%-d %B"),
    "dotted_date": _dated("%-d.%m.%Y"),
    "day_of_month": _dated("the %-dth of %B %Y"),
    "small_am": _timed("{t}:{m:02d}{half}"),
    "no_leading_nought": _timed("{h}:{m:02d}"),
    "with_seconds": _timed("{h:02d}:{m:02d}:00"),
    "hours_word": _timed("{h:02d}:{m:02d} hrs"),
    "code_first": _written(lambda n, u: f"{u} {n:,}" if u in _CODES else f"{n} {u}"),
    "unit_attached": _written(
        lambda n, u: f"{n}{u}" if u in ("%", "°C", "km", "kg") else f"{n} {u}"
    ),
    "true_minus": _written(lambda n, u: f"{n} {u}".replace("-", "−")),
    "thin_spaces": _written(lambda n, u: f"{n:,} {u}".replace(",", "\u202f")),
    "in_code": _framed("`{}`"),
    "in_brackets": _framed("({})"),
    "as_sentence": _framed("it is {}."),
    "exactly": _framed("exactly {}"),
    "duration": _duration,
    "falls": _falls,
}
WORDINGS: dict[str, Wording] = {
    word.__name__: word
    for word in (
        as_given, with_unit, unit_in_words, thousands, two_places, sign_first, spelled_date,
        american_date, twelve_hours, hours_with_h, upper_case, in_quotes,
    )
} | MORE  # fmt: skip
