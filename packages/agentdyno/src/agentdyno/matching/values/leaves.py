"""The values of a decoded JSON text that hold no others, with the names of their fields."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

DEEPEST = 60
"""JSON nested deeper than this is not looked at further."""


class Leaf(NamedTuple):
    """A value of a JSON text that holds no others."""

    name: str
    """The field it stands in; that of the list where it is an item."""
    value: Any
    """As decoded."""


def leaves(value: Any, name: str = "", nulls: bool = False, depth: int = 0) -> Iterator[Leaf]:
    """Every leaf, in order; nulls only where asked for."""
    if isinstance(value, dict | list | tuple):
        if depth < DEEPEST:
            pairs = value.items() if isinstance(value, dict) else ((name, item) for item in value)
            for field, item in pairs:
                yield from leaves(item, str(field), nulls, depth + 1)
    elif nulls or value is not None:
        yield Leaf(name, value)


def named_values(value: Any) -> list[tuple[str, Any]]:
    """Every leaf with the name of its field, nulls among them."""
    return [(leaf.name, leaf.value) for leaf in leaves(value, nulls=True)]


def read_json(text: str) -> Any:
    """A text as JSON where it is JSON, else the text itself."""
    bare = text.lstrip()
    if bare[:1] not in ("{", "[", '"') and not bare[:1].isdigit():
        return text
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return text
