"""Resampled sums: a table with one row per task in, its column sums under many resamples out.

Every bootstrap of this package is a function of column sums, so one matrix product serves them
all: rows are drawn with replacement, how often each was drawn is counted, and the counts times
the table are the sums. Seeded: the same table and seed give the same numbers on any machine.
Knows nothing of what the columns mean.
"""

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

RESAMPLES = 1999
"""Odd and one below a round number, so that the 2.5 % and 97.5 % ranks fall on resamples."""

SEED = 20_260_407

CELLS_AT_ONCE = 4_000_000
"""Draws held in memory at a time: about 64 MB, however many tasks there are."""


def resampled_sums(table: Vector, resamples: int = RESAMPLES, seed: int = SEED) -> Vector:
    """Column sums of `table` (rows x columns) under each resample of its rows, a row each."""
    rows = len(table)
    rng = np.random.default_rng(seed)
    block = max(1, CELLS_AT_ONCE // rows)
    parts = [
        _draw_counts(rng, min(block, resamples - done), rows) @ table
        for done in range(0, resamples, block)
    ]
    return np.concatenate(parts)


def _draw_counts(rng: np.random.Generator, resamples: int, rows: int) -> Vector:
    drawn = rng.integers(0, rows, size=(resamples, rows))
    drawn += np.arange(resamples)[:, None] * rows
    counts = np.bincount(drawn.ravel(), minlength=resamples * rows)
    return counts.reshape(resamples, rows).astype(np.float64)
