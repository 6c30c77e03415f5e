"""Holm's correction: p values of several tests in, p values that may be read together out.

Sorted upwards, the i-th of m is multiplied by m - i + 1 and never falls below its predecessor.
Worked (four tests): 0.01, 0.04, 0.03, 0.005 -> 0.03, 0.06, 0.06, 0.02.
"""

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Corrected p values in the order given; an unknown p stays unknown and is not counted."""
    ranked = sorted((p, position) for position, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for passed, (p, position) in enumerate(ranked):
        highest = max(highest, min(1.0, p * (len(ranked) - passed)))
        corrected[position] = highest
    return corrected
