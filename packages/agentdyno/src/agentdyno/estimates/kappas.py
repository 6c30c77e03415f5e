"""Agreement beyond chance between raters: labels in, Cohen's and Fleiss' kappa out.

`kappa = (observed - expected) / (1 - expected)`. Units that a rater left without a label (None)
are left out, and `n` says how many stayed. Cohen's interval is the large-sample one of Fleiss,
Cohen and Everitt (1969), through statsmodels; Fleiss' resamples units. Undefined when chance alone
would agree always, that is when every label is the same.

Worked: 20 both yes, 5 + 10 split, 15 both no -> observed 0.7, expected 0.5, kappa 0.4. Fleiss'
ten subjects and fourteen raters -> 0.210.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from agentdyno.estimates.estimate import Estimate, check_confidence, undefined
from agentdyno.estimates.quantiles import normal_quantile
from agentdyno.estimates.resampling import RESAMPLES, SEED, resampled_sums

Vector = npt.NDArray[np.float64]
Labels = Sequence[str | None]

COHEN = "Cohen's kappa"
FLEISS = "Fleiss' kappa, percentile bootstrap of units"
ONE_LABEL = "every label is the same, so agreement beyond chance is undefined"


def cohen_kappa(first: Labels, second: Labels, confidence: float = 0.95) -> Estimate:
    """Agreement of two raters on the same units."""
    check_confidence(confidence)
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    names = sorted({label for pair in pairs for label in pair})
    if len(names) < 2:
        reason = ONE_LABEL if pairs else "no unit carries both labels"
        return undefined(reason, n=len(pairs), method=COHEN, confidence=confidence)
    table = np.zeros((len(names), len(names)))
    for a, b in pairs:
        table[names.index(a), names.index(b)] += 1
    from statsmodels.stats.inter_rater import cohens_kappa

    with np.errstate(invalid="ignore", divide="ignore"):  # Of a test of kappa that nobody reads.
        found = cohens_kappa(table)
    kappa = float(found.kappa)
    if not (table.any(0).sum() > 1 < table.any(1).sum()):
        return Estimate(
            value=kappa,
            confidence=confidence,
            n=len(pairs),
            method=COHEN,
            reason="one of the raters gives every unit the same label",
        )
    # Perfect agreement has variance 0, which rounding may carry below.
    half = normal_quantile((1 + confidence) / 2) * math.sqrt(max(float(found.var_kappa), 0.0))
    return Estimate(
        value=kappa,
        low=max(-1.0, kappa - half),
        high=min(1.0, kappa + half),
        confidence=confidence,
        n=len(pairs),
        method=COHEN,
    )


def fleiss_kappa(
    units: Sequence[Labels],
    confidence: float = 0.95,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate:
    """Agreement of several raters; one row of labels per unit, the same number in each."""
    check_confidence(confidence)
    if len({len(unit) for unit in units}) > 1:
        raise ValueError("expected the same number of raters on every unit; mark a gap with None")
    full = [[label for label in unit if label is not None] for unit in units]
    full = [kept for kept, unit in zip(full, units, strict=True) if len(kept) == len(unit) > 1]
    names = sorted({label for unit in full for label in unit})
    if len(names) < 2:
        reason = ONE_LABEL if full else "no unit carries every label"
        return undefined(reason, n=len(full), method=FLEISS, confidence=confidence)
    counts = np.asarray([[unit.count(name) for name in names] for unit in full], dtype=np.float64)
    from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

    kappa = float(statsmodels_fleiss(counts, method="fleiss"))
    low, high = _resampled_ends(counts, confidence, resamples, seed)
    return Estimate(
        value=kappa, low=low, high=high, confidence=confidence, n=len(full), method=FLEISS
    )


def _resampled_ends(
    counts: Vector, confidence: float, resamples: int, seed: int
) -> tuple[float, float]:
    raters = counts[0].sum()
    agreeing = (counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))
    sums = resampled_sums(np.column_stack([agreeing, counts]), resamples, seed) / len(counts)
    observed = sums[:, 0]
    expected = ((sums[:, 1:] / raters) ** 2).sum(axis=1)
    varied = expected < 1 - 1e-12
    kappas = (observed[varied] - expected[varied]) / (1 - expected[varied])
    tail = (1 - confidence) / 2
    return float(np.quantile(kappas, tail)), float(np.quantile(kappas, 1 - tail))
