"""Names the kind of value that a result holds, by its form and by the name of its field.

slot_of("price_eur", 49.17, None, [])  ->  a number in EUR
slot_of("departs", "2026-05-04T16:15", None, [])  ->  a moment
slot_of("stars", 4.17, None, [])  ->  a number without a dimension
"""

import re
from typing import Any

from agentdyno_bench.tps.tasks.values import BARE, Slot, SlotKind

_FORMS: tuple[tuple[SlotKind, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\d{4}-\d{2}-\d{2}")),
    ("time", re.compile(r"\d{2}:\d{2}")),
    ("moment", re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")),
)
UNITS: dict[str, str | None] = {
    "billion_usd": "billion USD", "_eur": "EUR", "_usd": "USD", "percent": "%", "_c": "°C",
    "_kmh": "km/h", "kilometres": "km", "miles": "mi", "minutes": "min", "_kg": "kg", "_cm": "cm",
    "_hpa": "hPa", "seconds": "s", "minutes_to_centre": "min", "_hours": "h", "hours_ahead": "h",
    "_days": "d", "_months": "month", "latitude": "°", "pm25": "µg/m³", "entry_fee": "EUR",
    "total": "EUR", "mean": "EUR", "each": "EUR", "figure": None,
}  # fmt: skip
"""End of a field's name -> its unit; None where only the text around the figure tells it."""


def slot_of(field: str, value: Any, unit: str | None, support: list[Any]) -> Slot:
    """The slot that asks for a value."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        default_unit = next((u for end, u in UNITS.items() if field.endswith(end)), BARE)
        return Slot("number", value, unit or default_unit, field, list(support))
    if isinstance(value, list):
        return Slot("list", value, None, field, list(support))
    kinds = [kind for kind, form in _FORMS if form.fullmatch(str(value))]
    return Slot(kinds[0] if kinds else "entity", value, None, field, list(support))


def currency_of(field: str, arguments: dict[str, Any], result: Any) -> str | None:
    """The currency that a call was asked for or answered in; None where the field's name tells."""
    if field in ("converted", "rate"):
        return arguments.get("target") or arguments.get("quote")
    return _first_currency(result) if field == "total" else None


def _first_currency(value: Any) -> str | None:
    if isinstance(value, dict) and "currency" in value:
        return str(value["currency"])
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((currency for item in items if (currency := _first_currency(item))), None)
