"""A column of a table: a name, a type, a sentence."""

from typing import Literal

from msgspec import Struct

ColumnType = Literal["text", "whole", "number", "truth"]


class Column(Struct, frozen=True):
    name: str
    type: ColumnType
    """Type of its values; every column but the keys may be null, which means unknown."""
    sentence: str
    """Its description."""
