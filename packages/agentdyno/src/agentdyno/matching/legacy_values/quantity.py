"""A number where it stands in a text, with its unit."""

from typing import NamedTuple

from agentdyno.matching.legacy_values.units import Unit, per


class Quantity(NamedTuple):
    """A number where it stands."""

    value: float
    """As written, scale words included and unit not."""
    unit: Unit | None
    digits: int
    """Significant digits that were written."""
    approximate: bool
    start: int
    end: int
    others: tuple[float, ...] = ()
    """Other readings of the same characters: 1.234 may be 1234."""
    falling: bool = False
    """Whether words make it negative: down 3.2 %, 5 degrees below zero."""
    rate: bool = False
    """Whether the unit goes on: mg/dL, dollars per night."""
    plain: bool = True
    """False for one of several readings that were split out of one run of digits."""
    under: Unit | None = None
    """The unit that divides: the litre of mg/l; None where there is none, or an unknown one."""
    scale: float = 1.0
    """What a scale word or sign multiplied the digits by: 1000 of "69k"."""

    step: float = 0.0
    """Of several parts, one of the smallest, in its unit: an inch of "4 ft 5 in"; 0 for others."""

    @property
    def whole_unit(self) -> Unit | None:
        """The unit with the one that divides it."""
        return per(self.unit, self.under) if self.unit and self.under else self.unit
