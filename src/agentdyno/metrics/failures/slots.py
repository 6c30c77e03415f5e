"""What an answer has to contain, as typed slots: a task's strings in, slots out.

`211.4` is a number, `500 mg` a number with a unit, `2004-09-03` a date, `4.6.31` an id and `minor`
a word. Where the field is known its unit is too, so 5.25 of `dividend_yield_pct` is found in
`0.0525` and in `525 basis points`, and 37.5 of `starting_dose_mg` is not found in `37.5 g`.
"""

import re
from functools import lru_cache
from typing import Any

from agentdyno.matching.legacy_values import (
    Quantity,
    Slot,
    Unit,
    divisor_of_field,
    holds_code,
    read_values,
    slot_for,
    unit_of_field,
    words_of_field,
)
from agentdyno.matching.legacy_values.dates import ISO_MONTH
from agentdyno.metrics.failures.locales import ways_to_say
from agentdyno.records.failures import ToolTask

_DOTTED = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}")
"""A version, unless the field's name speaks of a day."""
_PARTED = re.compile(r"(?=\D*\d)[A-Za-z0-9]+(?:[./ -][A-Za-z0-9]+)+")
"""6204.62 and NGB 4591.2 of a field that holds codes: its marks do not count."""
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_LETTERED = re.compile(r"\d{1,4}[A-Z]|[A-Z]\d{1,4}")
"""4B: a pier, a seat or a gate, and no four billion."""
_LARGE = re.compile(r"\d{4,}")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_RANGE = re.compile(r"(\d+(?:\.\d+)?)\s?[-–]\s?(\d+(?:\.\d+)?)")
"""52000-61000 of a field with a unit: from one to the other."""
_HOURS = re.compile(r"([012]?\d:[0-5]\d)\s?(?:-|–|to)\s?([012]?\d:[0-5]\d)")
"""09:00-17:30: from one time to the other."""
SCORE = re.compile(r"(\d{1,3})[-–](\d{1,3})")
"""2-3: of one side, and of the other."""
_FOR_IT = (" for", " in favour", " in favor", " votes for", " yes", " votes in favour")
_COUNTED = ["votes", "goals", "points", "games", "sets", "wins", "runs", "frames"]
_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_QUARTER = re.compile(r"(\d{4})[- ]?Q([1-4])")
_SHARES = re.compile(r"(?:\b|_)(?:share|fraction|proportion|probability)(?:\b|_)")
"""Fields that hold a part of 1, so that 0.61 of them is not 0.61 %."""
_CHANGES = re.compile(
    r"(?:\b|_)(?:change|growth|delta|gain|increase|difference|trend|move)(?:\b|_)"
)
"""Fields that say how something changed."""
_REACHED = re.compile(
    r"(?:\b|_)(?:goal|target|quota|progress|reached|achieved|funded|raised|complete|completed|done"
    r"|completion|fulfilled|fulfilment|attainment)(?:\b|_)"
)
"""Fields that say how much of a goal is reached."""
_TIMED = re.compile(r"\d{1,3}:[0-5]\d(?::[0-5]\d)?")
_PHONE = re.compile(r"\+?\d{2,5}(?:[ /-]\d{2,5}){2,4}(?<!\d{4}-\d\d-\d\d)")
"""0176 5523 881: three groups of figures, and no day."""
_LAP = re.compile(r"(\d{1,2}):([0-5]\d)\.(\d{1,3})")
"""2:07.36, as sports write minutes and seconds."""
_DATED = re.compile(r"date|day|(?:\b|_)(?:on|at|due|since|until|from)\Z", re.IGNORECASE)


def wanted_values(task: ToolTask) -> list[Slot]:
    """What the task asks for, in its order."""
    return [
        as_wanted(text, field, task.kind == "required")
        for text, field in zip(task.must_contain, wanted_fields(task), strict=True)
    ]


def wanted_fields(task: ToolTask) -> tuple[str | None, ...]:
    """The fields of what the task asks for; None where nobody knows it."""
    if len(task.fields) == len(task.must_contain):
        return task.fields
    # Where some are not given, nobody knows which: a field is known by its value.
    returns = [step.returns for step in task.script]
    return tuple(_field_of(returns, text) for text in task.must_contain)


def _marked(figure: str) -> tuple[str, ...]:
    """A whole figure with the marks that people put between thousands; none of a word."""
    if not _LARGE.fullmatch(figure):
        return ()
    return tuple(f"{int(figure):,}".replace(",", mark) for mark in (",", ".", " ", "\u202f", "’"))


def _scores(home: str, away: str) -> tuple[str, ...]:
    """A score in other notations: 3–2, 3:2, three-two."""
    made = [f"{home}{mark}{away}" for mark in ("–", ":", " to ", " : ", " – ", "−")]
    made += [f"{home} {what} to {away}" for what in _COUNTED]
    made += [
        f"{home}{lead}{mark}{away} against" for lead in _FOR_IT for mark in (", ", " and ", " to ")
    ]
    if len(home) == len(away) == 1:
        words = _ONES[int(home)], _ONES[int(away)]
        made += ["-".join(words), " to ".join(words), f"{words[0]}-nil" if away == "0" else ""]
    return tuple(each for each in made if each)


def _phone_numbers(first: str, *others: str) -> tuple[str, ...]:
    """The same number with other signs between its groups: 0176/5523881."""
    marks = ("", "/", " ", " / ", ".", ") ")
    rests = dict.fromkeys(("".join(others), " ".join(others)))
    return tuple(f"{first}{mark}{rest}" for mark in marks for rest in rests)


def _lap_times(minutes: str, seconds: str, parts: str) -> tuple[str, ...]:
    """Minutes, seconds and parts of them in other notations: 2 min 7.36 s, 127.36 seconds."""
    signs = [(" minutes", " seconds"), (" minute", " seconds"), (" min", " sec"), (" min", " s"),
             ("min", "s"), ("m", "s"), (" m", " s"), ("'", '"'), ("’", "”"),
             ("′", "″")]  # fmt: skip
    short = seconds.lstrip("0") or "0"
    made = [
        f"{minutes}{many}{link}{written}{mark}{parts}{sign}"
        for many, sign in signs
        for link in (" ", "", ", ", " and ")
        for written in dict.fromkeys((short, seconds))
        for mark in ".,"
    ]
    made += [f"{minutes}{a}{seconds}{b}{parts}" for a, b in ((":", ","), (".", "."), ("'", '"'))]
    whole = 60 * int(minutes) + int(seconds)
    return (*made, *(f"{whole}.{parts}{sign}" for sign in (" seconds", " s", "s", " sec")))


@lru_cache(maxsize=4096)
def as_wanted(text: str, field: str | None = None, valued: bool = True) -> Slot:
    """A string as a slot; words of an explanation (not `valued`) stay words, but for figures that
    people write with a mark: 1,440."""
    bare = text.strip()
    if not valued:
        if not any(_LARGE.fullmatch(word) for word in bare.split("|")):
            return Slot("word", text)
        ways = [way for word in bare.split("|") for way in (word, *_marked(word))]
        return Slot("entity", ways[0], aliases=tuple(ways[1:]))
    if bare.lower() in _TRUTHS:
        return Slot("truth", _TRUTHS[bare.lower()], aliases=(words_of_field(field or ""),))
    if _LETTERED.fullmatch(bare) and not (field and unit_of_field(field)):
        return Slot("entity", bare)
    if (moment := slot_for(bare)).kind == "moment":
        return moment
    if told := ways_to_say(bare, field or ""):
        return Slot("entity", bare, aliases=told)
    if _PARTED.fullmatch(bare) and holds_code(field or ""):
        return Slot("entity", bare, aliases=(re.sub(r"[./ ]", "-", bare),))
    if _DOTTED.fullmatch(bare) and not _DATED.search(field or ""):
        return Slot("entity", bare)
    if (ends := _RANGE.fullmatch(bare)) and (measured := unit_of_field(field or "")):
        return Slot("list", [Slot("number", float(end), measured) for end in ends.groups()])
    if hours := _HOURS.fullmatch(bare):
        return Slot("list", [Slot("time", end) for end in hours.groups()])
    if score := SCORE.fullmatch(bare):
        return Slot("entity", bare, aliases=_scores(score[1], score[2]))
    if _PHONE.fullmatch(bare):
        return Slot("entity", bare, aliases=_phone_numbers(*re.findall(r"\d+", bare)))
    if lap := _LAP.fullmatch(bare):
        return Slot("entity", bare, aliases=_lap_times(*lap.groups()))
    if _TIMED.fullmatch(bare):
        return Slot("time", bare, divisor_of_field(field or ""))
    if ISO_MONTH.fullmatch(bare):
        return Slot("month", bare)
    if quarter := _QUARTER.fullmatch(bare):
        year, number = quarter[1], int(quarter[2])
        ordinal = ("first", "second", "third", "fourth")[number - 1]
        names = (
            *(f"Q{number}{mark}{year}" for mark in (" ", " of ", "/", " '")),
            *(f"{ordinal} quarter {mark}{year}" for mark in ("of ", "", "in ")),
            *(f"{number}Q{short}" for short in (year, year[2:])),
            *(f"Q{number}{mark}{year[2:]}" for mark in (" '", " ’", "/")),
        )
        return Slot("entity", bare, aliases=names)
    stated = read_values(bare)
    if stated.dates and _covers(stated.dates[0], bare) and stated.dates[0].days:
        return Slot("date", stated.dates[0].days[0].isoformat())
    if stated.clocks and _covers(stated.clocks[0], bare):
        return Slot("time", "{:02}:{:02}".format(*divmod(stated.clocks[0].minutes[0], 60)))
    if length := next((q for q in stated.quantities if _is_iso_length(q, bare)), None):
        return Slot("number", length.value, length.unit)
    if stated.codes and _covers(stated.codes[0], bare):
        return Slot("entity", bare)
    if stated.quantities and _covers(stated.quantities[0], bare):
        found = stated.quantities[0]
        written = found.unit or (unit_of_field(field) if field else None)
        if written is None and abs(found.value) <= 1 and _SHARES.search(field or ""):
            written = Unit("percent", 100.0)
        changes = _CHANGES.search(field or "") is not None
        reached = _REACHED.search(field or "") is not None
        return Slot("number", found.value, written, change=changes, reached=reached)
    return Slot("word", text)


def _is_iso_length(quantity: Quantity, text: str) -> bool:
    """PT1H15M, which people say in hours and minutes."""
    return text.startswith("P") and quantity.unit is not None and _covers(quantity, text)


def _covers(span: Any, text: str) -> bool:
    return bool(span.start == 0 and span.end == len(text))


def _field_of(returned: Any, text: str, name: str | None = None) -> str | None:
    """The field of a return whose value is spelt like this."""
    if isinstance(returned, dict):
        items = [(str(key), value) for key, value in returned.items()]
    elif isinstance(returned, list):
        items = [(name or "", value) for value in returned]
    else:
        return name if is_spelled(returned, text) else None
    for key, value in items:
        if found := _field_of(value, text, key):
            return found
    return None


def is_spelled(value: Any, text: str) -> bool:
    """Whether a text is a value of a return; 4.9 may be spelled 4.90."""
    if isinstance(value, float) and _DECIMAL.fullmatch(text):
        return float(text) == value
    return str(value) == text
