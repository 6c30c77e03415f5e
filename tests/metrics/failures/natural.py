"""Perfect answers to required tasks in the words, units and notations that people use."""

from datetime import date

from agentdyno.matching.legacy_values import unit_of_field, words_of_field
from agentdyno.records.failures import CallMade, ToolAnswer, ToolTask

_ONES = dict(
    enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
)
_TENS = dict(
    enumerate("zero ten twenty thirty forty fifty sixty seventy eighty ninety".split())  # noqa: SIM905
)


def answer_to(task: ToolTask, text: str) -> ToolAnswer:
    """The text after all expected calls."""
    calls = tuple(CallMade(step.tool, step.arguments) for step in task.script)
    return ToolAnswer(task.task_id, calls, text)


def renderings(task: ToolTask) -> dict[str, str]:
    """The same true answer, by the way it is put."""
    field, value = task.fields[0], task.must_contain[0]
    spoken = words_of_field(field)
    ways = _ways(field, value)
    main = ways["plain"]
    texts = {way: f"The {spoken} for {task.entity} is {said}." for way, said in ways.items()}
    texts["bold"] = f"**{task.entity}** — {spoken}: **{main}**"
    if task.prior and task.prior != value:
        prior = _ways(field, task.prior)["plain"]
        texts["corrects"] = f"It is {main}, not {prior}."
        texts["outdated"] = f"Your {prior} is outdated; the record says {main} now."
        texts["replaces"] = f"The old figure of {prior} no longer holds. It is {main} today."
    return {way: f"{text}{_others(task)}" for way, text in texts.items()}


def _others(task: ToolTask) -> str:
    """Everything else that the task asks for, put plainly."""
    pairs = zip(task.fields[1:], task.must_contain[1:], strict=True)
    return "".join(f" The {words_of_field(f)} is {_ways(f, v)['plain']}." for f, v in pairs)


def _ways(field: str, value: str) -> dict[str, str]:
    if len(value) == 10 and value[4] == "-":
        return _of_date(date.fromisoformat(value))
    try:
        number = float(value)
    except ValueError:
        return {"plain": value, "upper": value.upper()}
    unit = unit_of_field(field)
    found = {"plain": f"{number:,.10g}", "european": _european(number)}
    if number.is_integer() and 0 <= number < 1_000_000:
        found["spelled"] = spelled(int(number))
    return _with_unit(found, number, field, unit.dimension if unit else None)


def _with_unit(
    found: dict[str, str], number: float, field: str, dimension: str | None
) -> dict[str, str]:
    plain = found["plain"]
    if dimension == "money/usd":
        return _of_money(found, number, field)
    if dimension == "percent" and field.endswith("bps"):
        return {"plain": f"{plain} basis points", "percent": f"{number / 100:.4g} %"}
    if dimension == "percent":
        return {"plain": f"{plain}%", "words": f"{plain} percent", "share": f"{number / 100:.10g}",
                "european": f"{_european(number)} %"}  # fmt: skip
    if dimension == "time" and "hours" in field:
        whole, rest = divmod(round(number * 60), 60)
        return {"plain": f"{plain} hours", "split": f"{whole} hours and {rest} minutes",
                "minutes": f"{round(number * 60):,} minutes"}  # fmt: skip
    if dimension == "time" and (word := _time_word(field)):
        return {"plain": f"{plain} {word}"}
    if dimension == "time":
        if not number.is_integer():
            return {"plain": f"{plain} days"}
        weeks, days = divmod(int(number), 7)
        split = f"{weeks} weeks and {days} days" if days else f"{weeks} weeks"
        return {**found, "plain": f"{plain} days", "weeks": split,
                "spelled": f"{found.get('spelled', plain)} days"}  # fmt: skip
    if dimension == "months" and "years" in field:
        return {"plain": f"{plain} years"}
    if dimension == "months":
        whole, rest = divmod(number, 12)
        split = f"{int(whole)} years and {rest:.10g} months"
        return {"plain": f"{plain} months", **({"split": split} if whole > 1 and rest > 1 else {})}
    return _of_measure(found, number, dimension)


def _time_word(field: str) -> str | None:
    """The unit of time in a field's name, where it is not the day."""
    return next((w for w in ("minutes", "seconds", "weeks") if w in field), None)


def _of_money(found: dict[str, str], number: float, field: str) -> dict[str, str]:
    scale = 1e6 if field.endswith("musd") else 1.0
    full = number * scale
    said = {"plain": f"${full:,.10g}" if scale == 1 else f"${number:,.10g} million"}
    said["words"] = f"{full:,.12g} US dollars"
    said["after"] = f"USD {full:,.12g}"
    if full >= 1e9:
        said["short"] = f"${full / 1e9:.10g} billion"
    elif full >= 1e6:
        said["short"] = f"{full / 1e6:.10g} million dollars"
    elif full >= 1e4:
        said["short"] = f"${full / 1e3:.10g}k"
    return said


def _of_measure(found: dict[str, str], number: float, dimension: str | None) -> dict[str, str]:
    plain = found["plain"]
    if dimension == "mass":
        return {
            "plain": f"{plain} mg",
            "grams": f"{number / 1000:.10g} g",
            "words": f"{plain} milligrams",
        }
    if dimension == "length":
        feet, inches = int(number), (number - int(number)) * 12
        return {"plain": f"{plain} ft", "words": f"{plain} feet",
                "split": f"{feet} feet {inches:.4g} inches",
                "metres": f"{number * 0.3048:.6g} metres"}  # fmt: skip
    if dimension == "area":
        return {"plain": f"{plain} sq ft", "words": f"{plain} square feet",
                "metric": f"{number * 0.09290304:.6g} m²"}  # fmt: skip
    if dimension == "data":
        return {"plain": plain}
    return found


def _of_date(day: date) -> dict[str, str]:
    end = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day not in (11, 12, 13) else 0, "th")
    month = day.strftime("%B")
    return {
        "plain": day.isoformat(),
        "british": f"{day.day} {month} {day.year}",
        "american": f"{month} {day.day}, {day.year}",
        "ordinal": f"the {day.day}{end} of {month} {day.year}",
        "short": f"{day.day} {month[:3]} {day.year}",
        "dotted": f"{day.day:02}.{day.month:02}.{day.year}",
        "slashed": f"{day.month}/{day.day}/{day.year}",
        "weekday": f"{day.strftime('%A')}, {month} {day.day}{end}, {day.year}",
    }


def _european(number: float) -> str:
    return f"{number:,.10g}".replace(",", "\u0001").replace(".", ",").replace("\u0001", ".")


def spelled(number: int) -> str:
    """A whole number below a million in words."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {spelled(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    joint = " and " if 0 < rest < 100 else " "
    return f"{spelled(thousands)} thousand" + (f"{joint}{spelled(rest)}" if rest else "")
