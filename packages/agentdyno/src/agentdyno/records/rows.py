"""Values of one type held as one list of cells, row behind row; a value is made when asked for.

Takes cells in the order of the type's fields, or values; returns columns to whoever computes and
values to whoever reads one trajectory. Ten thousand parts are one list here, and a column of it is
one slice, so that nothing is taken apart which was just put together. Knows nothing of what the
fields mean.

Worked: parts with the cells [user, hi, …, text, hello, …] have the column `text` [hi, hello].
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, overload

from msgspec import Struct, structs

Value = TypeVar("Value", bound=Struct)


class Rows(Sequence[Value], Generic[Value]):
    """A sequence of values, as good as a tuple of them."""

    __slots__ = ("_values", "cells", "type", "width")

    def __init__(self, type: type[Value], cells: list[Any]) -> None:
        """`cells` has a cell for every field of every value, in order."""
        self.type = type
        self.width = len(type.__struct_fields__)
        self.cells = cells
        self._values: tuple[Value, ...] | None = None

    # As values ----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.cells) // self.width

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Value, ...]: ...
    def __getitem__(self, index: int | slice) -> Value | tuple[Value, ...]:
        return (self._values or self._build())[index]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._values or self._build())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rows):
            return self.type is other.type and self.cells == other.cells
        return isinstance(other, tuple | list) and self._build() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._build())

    def __repr__(self) -> str:
        return repr(self._build())

    def _build(self) -> tuple[Value, ...]:
        if self._values is None:
            row, cells, width = self.type, self.cells, self.width
            starts = range(0, len(cells), width)
            self._values = tuple([row(*cells[start : start + width]) for start in starts])
        return self._values

    # As columns ---------------------------------------------------------------------------------

    def column(self, field: str) -> list[Any]:
        return self.cells[_place(self.type, field) :: self.width]

    def fill(self, field: str, values: Sequence[Any]) -> None:
        """Writes one field of every value; only for whoever just made the rows."""
        self.cells[_place(self.type, field) :: self.width] = values
        self._values = None


class GrowingRows(Rows[Value]):
    """Rows that are being collected: each value is made anew, since cells may still change."""

    __slots__ = ()

    def __init__(self, type: type[Value]) -> None:
        super().__init__(type, [])

    @overload
    def __getitem__(self, index: int) -> Value: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Value, ...]: ...
    def __getitem__(self, index: int | slice) -> Value | tuple[Value, ...]:
        if isinstance(index, slice):
            return tuple([self[row_number] for row_number in range(*index.indices(len(self)))])
        start = range(len(self))[index] * self.width
        return self.type(*self.cells[start : start + self.width])

    def __iter__(self) -> Iterator[Value]:
        return (self[index] for index in range(len(self)))

    def amend(self, index: int, **fields: Any) -> None:
        cells, start = self.cells, range(len(self))[index] * self.width
        places = _places(self.type)
        for name, value in fields.items():
            cells[start + places[name]] = value

    def _build(self) -> tuple[Value, ...]:
        return tuple(iter(self))


def _place(type: type[Struct], field: str) -> int:
    return _places(type)[field]


@cache
def _places(type: type[Struct]) -> dict[str, int]:
    """Positions of the fields; looked up for every column of every trajectory."""
    return {field: position for position, field in enumerate(type.__struct_fields__)}


def all_unknown(values: list[Any]) -> bool:
    """True when every value is None. Ends at the first that is not; `count` would compare them all,
    and a number or a record takes long to say that it is not None."""
    return values == [None] * len(values)


def as_rows(type: type[Value], values: Sequence[Value]) -> Rows[Value]:
    """The values as rows, whoever made them."""
    if isinstance(values, Rows):
        return values
    return Rows(type, [cell for value in values for cell in structs.astuple(value)])
