"""The columns of a table as polars types: the one map between the two.

Takes columns, returns what a frame of them is made with. Everything else in `records` does without
polars, so that importing the records costs nothing.
"""

from collections.abc import Iterable

import polars as pl

from agentdyno.records.columns import Column, ColumnType

TYPES: dict[ColumnType, pl.DataType] = {
    "text": pl.String(),
    "whole": pl.Int64(),
    "number": pl.Float64(),
    "truth": pl.Boolean(),
}


def schema_of(columns: Iterable[Column]) -> dict[str, pl.DataType]:
    """The types by name, in the order of the columns."""
    return {column.name: TYPES[column.type] for column in columns}
