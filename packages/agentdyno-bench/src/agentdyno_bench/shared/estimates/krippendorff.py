"""Krippendorff's alpha for nominal labels: any number of raters, gaps allowed.

`alpha = 1 - observed disagreement / expected disagreement`. A unit with fewer than two labels
pairs with nothing and is left out. Observed: within each unit of m labels, disagreeing ordered
pairs over m - 1, summed, over all pairable labels N. Expected: `(N² - sum n_c²) / (N (N - 1))`
with n_c the labels of each kind. The interval resamples units.

Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C. Worked there:
four observers, twelve units, gaps -> alpha = 0.743.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, undefined_estimate
from agentdyno.estimates.kappas import Labels
from agentdyno.estimates.resampling import RESAMPLES, SEED, resample_sums

Vector = npt.NDArray[np.float64]

METHOD = "Krippendorff's alpha for nominal labels, percentile bootstrap of units"


def krippendorff_alpha(units: Sequence[Labels]) -> Estimate:
    """Agreement of raters, one row of labels per unit, None where a rater gave none."""
    labelled = [[label for label in unit if label is not None] for unit in units]
    pairable = [unit for unit in labelled if len(unit) > 1]
    names = sorted({label for unit in pairable for label in unit})
    if len(names) < 2:
        reason = "every label is the same" if pairable else "no unit carries two labels"
        return undefined_estimate(reason, n=len(pairable), method=METHOD)
    counts = np.asarray(
        [[unit.count(name) for name in names] for unit in pairable], dtype=np.float64
    )
    table = np.column_stack([_disagreement(counts), counts])
    alpha = float(_alpha(table.sum(axis=0, keepdims=True))[0])
    alphas = _alpha(resample_sums(table, RESAMPLES, SEED))
    return Estimate(
        value=alpha,
        low=float(np.quantile(alphas, 0.025)),
        high=float(np.quantile(alphas, 0.975)),
        n=len(pairable),
        method=METHOD,
    )


def _disagreement(counts: Vector) -> Vector:
    size = counts.sum(axis=1)
    pairs: Vector = (size * size - (counts * counts).sum(axis=1)) / (size - 1)
    return pairs


def _alpha(sums: Vector) -> Vector:
    """Alpha of each row of sums (disagreement, then labels of each kind), where it is defined."""
    kinds = sums[:, 1:]
    total = kinds.sum(axis=1)
    expected = (total * total - (kinds * kinds).sum(axis=1)) / (total - 1)
    varied = expected > 0
    alpha: Vector = 1 - sums[varied, 0] / expected[varied]
    return alpha
