"""What kind of value a result holds, by its form and by the name of its field.

slot_of("price_eur", 49.17, None, [])  ->  a number in EUR
slot_of("departs", "2026-05-04T16:15", None, [])  ->  a moment
"""

import re
from typing import Any

from agentdyno_bench.tps.tasks.values import Slot, SlotKind

_FORMS: tuple[tuple[SlotKind, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\d{4}-\d{2}-\d{2}")),
    ("time", re.compile(r"\d{2}:\d{2}")),
    ("moment", re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}")),
)
UNITS = {
    "_eur": "EUR", "_usd": "USD", "_percent": "%", "_c": "°C", "_kmh": "km/h", "kilometres": "km",
    "miles": "mi", "minutes": "min", "_kg": "kg", "_cm": "cm", "_hpa": "hPa", "seconds": "s",
}  # fmt: skip
"""End of a field's name -> its unit."""


def slot_of(field: str, value: Any, unit: str | None, support: list[Any]) -> Slot:
    """The slot that asks for a value."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        known = next((u for end, u in UNITS.items() if field.endswith(end)), None)
        return Slot("number", value, unit or known, field, list(support))
    if isinstance(value, list):
        return Slot("list", value, None, field, list(support))
    kinds = [kind for kind, form in _FORMS if form.fullmatch(str(value))]
    return Slot(kinds[0] if kinds else "entity", value, None, field, list(support))
