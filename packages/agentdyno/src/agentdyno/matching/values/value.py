"""A value where it stands in a text: what kind, how much, in which unit, how exactly."""

from typing import Literal, NamedTuple

from agentdyno.matching.values.lexicon import Unit

Kind = Literal["number", "date", "time", "code", "text", "truth"]
"""A number may have a unit: percentages, money, quantities and durations are numbers."""


class Value(NamedTuple):
    """One reading of a span; other readings of the same characters are values of their own."""

    kind: Kind
    start: int
    end: int
    number: float = 0.0
    """Of a number: as written, scale words included. Of a time: minutes after midnight."""
    unit: Unit | None = None
    """The unit as written; None where there is none or it is not known."""
    per: Unit | None = None
    """The unit that divides: the night of "€18 per night"."""
    step: float = 0.0
    """One of the last digit that was written, which tells how far it is rounded; 0 when exact."""
    about: bool = False
    """Whether the text says that it is approximate."""
    date: tuple[int | None, int | None, int | None] = (None, None, None)
    """Year, month and day of a date; None for what is not stated."""
    text: str = ""
    """Of a code or a text: its characters without marks, in small letters."""
    sure: bool = True
    """False for a second reading: 1.234 as 1234, 04/05 as the 5th of April."""
    spelled: bool = False
    """Whether it is written in words."""

    @property
    def base(self) -> float:
        """The number in the base unit of its dimension."""
        return self.number * self.unit.factor + self.unit.offset if self.unit else self.number

    @property
    def dimension(self) -> str | None:
        """What is measured; None for a bare number."""
        return self.unit.dimension if self.unit else None
