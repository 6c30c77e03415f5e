"""Records of what a tool returned: a value in, its flat objects out."""

import re
from typing import Any

Record = dict[str, Any]


def find_records(returned: Any, arguments: dict[str, Any]) -> list[Record]:
    """The flat records of a return; what a call was given belongs to its only record."""
    if isinstance(returned, list):
        return [record for item in returned for record in find_records(item, {})]
    if not isinstance(returned, dict):
        return []
    inner = [
        record
        for value in returned.values()
        for record in find_records(value, {})
        if isinstance(value, dict | list)
    ]
    flat = {str(k): v for k, v in returned.items() if not isinstance(v, dict | list)}
    return inner + ([{**{str(k): v for k, v in arguments.items()}, **flat}] if flat else [])


def spells(value: Any, text: str) -> bool:
    """Whether a text is a value of a return; 4.9 may be spelled 4.90."""
    if isinstance(value, float) and re.fullmatch(r"-?\d+\.\d+", text):
        return float(text) == value
    return str(value) == text
