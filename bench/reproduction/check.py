"""One printed figure beside the same figure recomputed, and how the two are compared.

Four kinds of check, kept apart because they weigh differently:

- `recomputed`: the figure follows from others the paper prints;
- `repeated`: the paper prints the same figure twice;
- `claim`: a sentence that its own table must bear out (`more than`, `at least`, a count);
- `attainable`: a mean of whole numbers over a stated n, of which only some values exist.

A figure holds when it lies within half a unit of its last printed digit, plus what the rounding
of the printed inputs allows. Nothing else is forgiven.
"""

from typing import Literal

import msgspec
from bench.reproduction.printed_numbers import Number, as_range, half_unit
from bench.reproduction.printed_numbers import read_printed as read_printed

Kind = Literal["recomputed", "repeated", "claim", "attainable"]
Relation = Literal["=", ">", ">=", "<", "<="]

FLOAT_DOUBT = 1e-9
"""Relative slack for binary arithmetic: a tie in decimal must not fail by the last bit. None at
zero, where a strict claim must stay strict."""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A printed figure beside its recomputation."""

    id: str
    """Unique name: paper, table, row, column."""

    paper: str
    """Short name of the paper."""

    table: str
    """Table, figure or section."""

    cell: str
    """Row and column, or the claim."""

    kind: Kind
    """Why the two should agree; see the module."""

    relation: Relation = "="
    """How the recomputed figure should stand to the printed one."""

    as_printed: str
    """The figure in the paper's own digits."""

    printed: float
    """The figure as a number."""

    recomputed: float
    """What follows from the paper's other figures."""

    tolerance: float
    """How far apart the two may lie through rounding alone."""

    holds: bool
    """Whether they stand as they should, within the tolerance."""

    chance: float
    """How strong the check is: the share of figures near the printed one that would hold too. For
    an equality, figures within a tenth of it (or five last digits); for a claim a half; for an
    attainable mean the share of printable values that exist. Near 0 is strong; at 1 the check
    cannot fail."""

    note: str = ""
    """What the arithmetic was, or what the slip looks like."""


class Reproduction(msgspec.Struct, frozen=True):
    """Every check, counted."""

    checks: int
    """How many were made."""

    hold: int
    """Number of checks that hold."""

    fail: int
    """How many do not: the papers' errata."""

    failing: tuple[Check, ...]
    """Those that do not hold."""

    every_check: tuple[Check, ...]
    """All of them, by paper and table."""

    left_out: int = 0
    """Checks that hold and that half of the figures nearby would have passed; they are left out."""


class Paper(msgspec.Struct, frozen=True):
    """Builds the checks of one paper."""

    name: str
    """Short name, the first part of every id."""

    def same(
        self,
        table: str,
        cell: str,
        as_printed: str,
        recomputed: Number,
        note: str = "",
        *,
        kind: Kind = "recomputed",
        by_definition: bool = False,
    ) -> Check:
        """The printed figure should equal the recomputed one.

        A figure `by_definition` was never rounded: only its inputs' rounding is forgiven.
        """
        text = as_printed.rstrip("%x").replace("+", "")
        figure, found = read_printed(text), as_range(recomputed)
        reach = found.high - found.value if figure.value > found.value else found.value - found.low
        tolerance = reach if by_definition else half_unit(text) + reach
        apart = abs(figure.value - found.value)
        return Check(
            id=self._identify(table, cell),
            paper=self.name,
            table=table,
            cell=cell,
            kind=kind,
            as_printed=as_printed,
            printed=figure.value,
            recomputed=found.value,
            tolerance=tolerance,
            holds=apart <= tolerance + _doubt(figure.value),
            chance=_chance(tolerance, figure.value, half_unit(text)),
            note=note,
        )

    def claim(
        self,
        table: str,
        cell: str,
        relation: Relation,
        as_printed: str,
        found: Number,
        note: str = "",
    ) -> Check:
        """What the table shows should stand in this relation to the printed bound."""
        bound, figure_range = float(as_printed.rstrip("%x")), as_range(found)
        upward = relation in (">", ">=")
        tolerance = (
            figure_range.high - figure_range.value
            if upward
            else figure_range.value - figure_range.low
        )
        best = figure_range.high if upward else figure_range.low
        return Check(
            id=self._identify(table, cell),
            paper=self.name,
            table=table,
            cell=cell,
            kind="claim",
            relation=relation,
            as_printed=as_printed,
            printed=bound,
            recomputed=figure_range.value,
            tolerance=tolerance,
            holds=_stands(best, relation, bound),
            chance=0.5,
            note=note,
        )

    def attainable(
        self,
        table: str,
        cell: str,
        as_printed: str,
        n: int,
        *,
        percent: bool,
        other_n: int | None = None,
    ) -> Check:
        """A mean of whole numbers over n (a share, if percent) should be one that exists.

        `other_n` is a second size to try; the note says when the figure needs it.
        """
        nearest = _nearest_mean(as_printed, n, percent=percent)
        check = self.same(table, cell, as_printed, nearest, f"over n = {n}", kind="attainable")
        step = 100 / n if percent else 1 / n
        check = msgspec.structs.replace(check, chance=min(2 * half_unit(as_printed) / step, 1.0))
        if check.holds or other_n is None:
            return check
        other = _nearest_mean(as_printed, other_n, percent=percent)
        fits = self.same(table, cell, as_printed, other).holds
        verdict = "can" if fits else "cannot"
        note = f"n = {other_n} {verdict}"
        return msgspec.structs.replace(check, note=note)

    def _identify(self, table: str, cell: str) -> str:
        parts = [self.name, table, cell]
        return "/".join("-".join(_plain(part).split()) for part in parts)


NEAR = 0.1
"""An equality is held against figures within this share of the printed one."""
NEIGHBOURS = 5
"""Small counts have few neighbours within a tenth: so many on either side are taken at least."""


def _chance(tolerance: float, figure: float, half: float) -> float:
    """Among figures within a tenth, or five units of the last digit where that is more."""
    around = max(NEAR * abs(figure), NEIGHBOURS * 2 * half)
    return min(tolerance / around, 1.0)


def _plain(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter in ".@" else " " for letter in text.lower())


def _nearest_mean(as_printed: str, n: int, *, percent: bool) -> float:
    unit = 100 / n if percent else 1 / n
    return round(float(as_printed) / unit) * unit


def _stands(value: float, relation: Relation, bound: float) -> bool:
    doubt = _doubt(bound)
    if relation == ">":
        return value > bound + doubt
    if relation == ">=":
        return value >= bound - doubt
    if relation == "<":
        return value < bound - doubt
    if relation == "<=":
        return value <= bound + doubt
    return abs(value - bound) <= doubt


def _doubt(value: float) -> float:
    return FLOAT_DOUBT * abs(value)
