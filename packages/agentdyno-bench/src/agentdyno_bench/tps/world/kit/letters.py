"""The fields of letters (mail, documents, notes): what a letter gives its reader, beside its text.

    join_facts(amounts=[84.5])      {"amounts": [84.5], "dates": [], "names": [], "ids": []}
    letter_field("2026-05-04")      "dates"

Whoever reads a letter by machine reads these and not the text, as with a field of `submit`.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

FACTS = "facts"
"""The field of a row in which a letter keeps what it gives."""
LETTER_FIELDS = ("amounts", "dates", "names", "ids")
"""Its parts, which are arguments of the tools that write."""
_DATE = r"^(\d{4}-\d\d-\d\d(T\d\d:\d\d)?|\d\d:\d\d)$"
_ID = re.compile(r"[A-Z]{1,2}-[A-Z0-9]{6}|[A-Z0-9]{6}|\+[\d ]+|\S+@\S+")
_Text = Annotated[str, Meta(min_length=1, max_length=200)]

Amounts = Annotated[
    Sequence[float],
    Meta(description="Numbers that it is to give its reader, negative for a fall; no others."),
]
Dates = Annotated[
    Sequence[Annotated[str, Meta(pattern=_DATE)]],
    Meta(
        description="Days (YYYY-MM-DD), times (HH:MM) or both (YYYY-MM-DDTHH:MM) that it is to "
        "give its reader; no others."
    ),
]
Names = Annotated[
    Sequence[_Text],
    Meta(description="Names, titles and headlines that it is to give its reader; no others."),
]
Ids = Annotated[
    Sequence[_Text],
    Meta(description="Ids, codes and phone numbers that it is to give its reader; no others."),
]


def join_facts(
    amounts: Sequence[float] = (),
    dates: Sequence[str] = (),
    names: Sequence[str] = (),
    ids: Sequence[str] = (),
    before: dict[str, list[Any]] | None = None,
) -> dict[str, list[Any]]:
    """Merge the values of a letter into its earlier fields."""
    values_by_field = zip(LETTER_FIELDS, (amounts, dates, names, ids), strict=True)
    return {field: [*(before or {}).get(field, []), *values] for field, values in values_by_field}


def letter_field(value: Any) -> str:
    """The field in which a plan gives a value."""
    if isinstance(value, int | float):
        return "amounts"
    if re.fullmatch(_DATE, str(value)):
        return "dates"
    return "ids" if _ID.fullmatch(str(value)) else "names"
