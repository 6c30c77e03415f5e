"""Resampled sums: a table with one row per task in, its column sums under many resamples out.

Every bootstrap of this package is a function of column sums, so one matrix product serves them
all: rows are drawn with replacement, how often each was drawn is counted, and the counts times
the table are the sums. Seeded: the same table and seed give the same numbers on any machine. As
many rows are drawn alike whatever stands in them, so a draw is kept for the next table: every
estimate over a set of tasks is a column of one matrix. Knows nothing of what the columns mean.
"""

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

RESAMPLES = 1999
"""Odd and one below a round number, so that the 2.5 % and 97.5 % ranks fall on resamples."""

SEED = 20_260_407

CELLS_AT_ONCE = 4_000_000
"""Draws held in memory at a time: about 64 MB, however many tasks there are."""


MOST_KEPT = 16
"""Draws that are kept: at most as many bytes each as there are cells."""
_KEPT: "OrderedDict[tuple[int, int, int], list[npt.NDArray[np.uint8]]]" = OrderedDict()


def resample_sums(table: Vector, resamples: int = RESAMPLES, seed: int = SEED) -> Vector:
    """Column sums of `table` (rows x columns) under each resample of its rows, a row each."""
    rows = len(table)
    block = max(1, CELLS_AT_ONCE // max(rows, 1))
    return np.concatenate([counts @ table for counts in _draw(rows, resamples, seed, block)])


def _draw(rows: int, resamples: int, seed: int, block: int) -> Iterator[Vector]:
    """How often each row was drawn, a block of resamples at a time; from what is kept, or anew."""
    key = (rows, resamples, seed)
    blocks = _KEPT.pop(key, None)
    if blocks is not None:
        _KEPT[key] = blocks
        yield from (part.astype(np.float64) for part in blocks)
        return
    rng, keep = np.random.default_rng(seed), rows * resamples <= CELLS_AT_ONCE
    fresh = []
    for drawn in range(0, resamples, block):
        counts = _draw_counts(rng, min(block, resamples - drawn), rows)
        if keep:
            # A row is drawn about once: 255 times does not happen, but is looked for all the same.
            small = counts.astype(np.uint8)
            keep = bool((small == counts).all())
            fresh.append(small)
        yield counts
    if keep:
        _KEPT[key] = fresh
    while len(_KEPT) > MOST_KEPT:
        _KEPT.popitem(last=False)


def _draw_counts(rng: "np.random.Generator", resamples: int, rows: int) -> Vector:
    drawn = rng.integers(0, rows, size=(resamples, rows))
    drawn += np.arange(resamples)[:, None] * rows
    counts = np.bincount(drawn.ravel(), minlength=resamples * rows)
    return counts.reshape(resamples, rows).astype(np.float64)
