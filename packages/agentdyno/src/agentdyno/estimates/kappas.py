"""Agreement beyond chance between raters: labels in, Cohen's and Fleiss' kappa out.

`kappa = (observed - expected) / (1 - expected)`. Units that a rater left without a label (None)
are left out, and `n` says how many stayed. Cohen's interval is the large-sample one of Fleiss,
Cohen and Everitt (1969); Fleiss' resamples units. Undefined when chance alone
would agree always, that is when every label is the same.

Worked: 20 both yes, 5 + 10 split, 15 both no -> observed 0.7, expected 0.5, kappa 0.4. Fleiss'
ten subjects and fourteen raters -> 0.210.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.quantiles import normal_quantile
from agentdyno.estimates.resampling import RESAMPLES, SEED, resample_sums

Vector = npt.NDArray[np.float64]
Labels = Sequence[str | None]

COHEN = "Cohen's kappa"
FLEISS = "Fleiss' kappa, percentile bootstrap of units"
ONE_LABEL = "every label is the same, so agreement beyond chance is undefined"


def cohen_kappa(first: Labels, second: Labels) -> Estimate:
    """Agreement of two raters on the same units."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    names = sorted({label for pair in pairs for label in pair})
    if len(names) < 2:
        reason = ONE_LABEL if pairs else "no unit carries both labels"
        return undefined_estimate(reason, n=len(pairs), method=COHEN)
    table = np.zeros((len(names), len(names)))
    for a, b in pairs:
        table[names.index(a), names.index(b)] += 1
    kappa, variance = _cohen(table)
    if not (table.any(0).sum() > 1 < table.any(1).sum()):
        return Estimate(
            value=kappa,
            n=len(pairs),
            method=COHEN,
            reason="one of the raters gives every unit the same label",
        )
    # Perfect agreement has variance 0, which rounding may carry below.
    half = normal_quantile(0.975) * math.sqrt(max(variance, 0.0))
    return Estimate(
        value=kappa,
        low=max(-1.0, kappa - half),
        high=min(1.0, kappa + half),
        n=len(pairs),
        method=COHEN,
    )


def _cohen(table: Vector) -> tuple[float, float]:
    """Kappa of a square table of counts, and its large-sample variance."""
    total = table.sum()
    shares, rows, columns = table / total, table.sum(1) / total, table.sum(0) / total
    expected = np.diag(columns * rows[:, None]).sum()
    kappa = (np.diag(table).sum() / total - expected) / (1 - expected)
    same = (np.diag(shares) * (1 - (rows + columns) * (1 - kappa)) ** 2).sum()
    other = shares * (columns[:, None] + rows) ** 2
    np.fill_diagonal(other, 0)
    split = (1 - kappa) ** 2 * other.sum()
    chance = (kappa - expected * (1 - kappa)) ** 2
    return float(kappa), float((same + split - chance) / (1 - expected) ** 2 / total)


def fleiss_kappa(units: Sequence[Labels], resamples: int = RESAMPLES) -> Estimate:
    """Agreement of several raters; one row of labels per unit, the same number in each."""
    if len({len(unit) for unit in units}) > 1:
        raise ValueError("expected the same number of raters on every unit; mark a gap with None")
    full = [[label for label in unit if label is not None] for unit in units]
    full = [kept for kept, unit in zip(full, units, strict=True) if len(kept) == len(unit) > 1]
    names = sorted({label for unit in full for label in unit})
    if len(names) < 2:
        reason = ONE_LABEL if full else "no unit carries every label"
        return undefined_estimate(reason, n=len(full), method=FLEISS)
    counts = np.asarray([[unit.count(name) for name in names] for unit in full], dtype=np.float64)
    kappa = _fleiss(counts)
    low, high = _resample_ends(counts, resamples)
    return Estimate(value=kappa, low=low, high=high, n=len(full), method=FLEISS)


def _fleiss(counts: Vector) -> float:
    """Kappa of a table of counts, one row per unit."""
    raters = counts[0].sum()
    shares = counts.sum(0) / counts.sum()
    agreeing = ((counts * counts).sum(1) - raters) / (raters * (raters - 1))
    expected = (shares * shares).sum()
    return float((agreeing.mean() - expected) / (1 - expected))


def _resample_ends(counts: Vector, resamples: int) -> tuple[float, float]:
    raters = counts[0].sum()
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    sums = resample_sums(np.column_stack([agreeing, counts]), resamples, SEED) / len(counts)
    observed = sums[:, 0]
    expected = ((sums[:, 1:] / raters) ** 2).sum(axis=1)
    varied = expected < 1 - 1e-12
    kappas = (observed[varied] - expected[varied]) / (1 - expected[varied])
    return float(np.quantile(kappas, 0.025)), float(np.quantile(kappas, 0.975))
