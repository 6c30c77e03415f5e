"""Intervals of a linear fit without negative unknowns, by profile likelihood.

Takes rows that should each sum to one, and a direction; returns the least and the most that the
direction can be before the fit gets worse than chance explains. Where nothing bears on a direction
the interval is as wide as its bounds; a linearised one would be as narrow as anywhere.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import nnls
from scipy.stats import t as student

from agentdyno.cost.columns import Floats

HELD = 1e4
"""Weight of the row that holds a direction at a value, beside rows of about one."""
HALVINGS = 14
"""Bisections of each bound: one part in ten thousand of the bracket."""
WIDEST = 10.0
"""A bound is not sought beyond so many times what would make up a whole row."""


_Check = Callable[[float], bool]
"""Whether the rows allow a value."""


class LinearFit:
    """Least squares over relative errors, no unknown below zero."""

    def __init__(self, rows: Floats, right: Floats) -> None:
        largest = np.abs(rows).max(axis=0)
        self._scale = 1.0 / np.where(largest > 0, largest, 1.0)
        self._rows, self._right = rows * self._scale, right
        solved = nnls(self._rows, right)[0]
        self.solved: Floats = solved * self._scale
        self.residuals: Floats = self._rows @ solved - right

    def bounds(self, direction: Floats, offset: float, spread: float) -> tuple[float, float]:
        """The 95 % interval of `direction` times the unknowns, plus an offset."""
        value = float(direction @ self.solved)
        free = max(len(self._right) - int((self.solved > 0).sum()), 1)
        most = float((self.residuals**2).sum()) + (student.ppf(0.975, free) * spread) ** 2
        scaled = direction * self._scale

        def allows(wanted: float) -> bool:
            size = max(abs(wanted), abs(value), 1e-300)
            rows = np.vstack([self._rows, HELD * scaled / size])
            solved, _ = nnls(rows, np.append(self._right, HELD * wanted / size))
            is_held = abs(scaled @ solved - wanted) <= 1e-3 * size
            return bool(is_held and ((self._rows @ solved - self._right) ** 2).sum() <= most)

        # So much of the direction alone would make up a whole row.
        unit = float(np.abs(scaled).max())
        return offset + _lowest(allows, value), offset + _highest(allows, value, unit)


def _lowest(allows: _Check, value: float) -> float:
    if value <= 0 or allows(0.0):
        return 0.0
    outside, inside = 0.0, value
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if allows(middle) else (middle, inside)
    return inside


def _highest(allows: _Check, value: float, unit: float) -> float:
    inside, step = value, 1e-4 * unit
    while allows(inside + step):
        inside += step
        step *= 2
        if inside > value + WIDEST * unit:
            return inside
    outside = inside + step
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if allows(middle) else (middle, inside)
    return inside
