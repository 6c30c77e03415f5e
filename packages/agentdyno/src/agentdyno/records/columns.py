"""What a column of a table is: a name, a type, a sentence."""

from typing import Literal

from msgspec import Struct

ColumnType = Literal["text", "whole", "number", "truth"]


class Column(Struct, frozen=True):
    """One column of a table."""

    name: str
    type: ColumnType
    """What its values are; every column but the keys may be null, which means unknown."""
    sentence: str
    """What it says."""
