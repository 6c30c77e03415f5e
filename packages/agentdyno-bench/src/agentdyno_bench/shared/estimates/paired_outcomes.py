"""McNemar's test: the same tasks solved or not under two variants; counts in, p out.

Only tasks where the two variants disagree carry information. With fewer than 25 of them the
exact binomial test is used, above it the chi-square without continuity correction (the
correction overshoots: it makes the test markedly conservative).

Worked: 150 against 86 disagreements -> chi-square 64² / 236 = 17.36 (Agresti, Categorical Data
Analysis, the approval-rating table); 6 against 16, exact -> p = 0.053.
"""

import math

from agentdyno.estimates.estimate import HypothesisTest
from agentdyno.estimates.quantiles import normal_p

EXACT_BELOW = 25
EXACT = "McNemar, exact binomial; the statistic is the smaller disagreement count"
CHI_SQUARE = "McNemar, chi-square with 1 degree of freedom"


def mcnemar(only_first: int, only_second: int) -> HypothesisTest:
    """Do two variants solve the same share of tasks?

    `only_first` counts tasks that only the first variant solved, `only_second` those that only
    the second did.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError(f"expected counts >= 0, got {only_first} and {only_second}")
    disagreements = only_first + only_second
    if disagreements == 0:
        return HypothesisTest(
            statistic=None, p=None, n=0, method=EXACT, reason="the two agree on every task"
        )
    exact = disagreements < EXACT_BELOW
    fewer = min(only_first, only_second)
    if exact:
        tail = sum(math.comb(disagreements, k) for k in range(fewer + 1))
        p = min(1.0, 2 * tail / 2**disagreements)
        return HypothesisTest(statistic=float(fewer), p=p, n=disagreements, method=EXACT)
    z = (only_first - only_second) / math.sqrt(disagreements)
    # A chi-square with one degree of freedom is the square of a normal.
    return HypothesisTest(statistic=z * z, p=normal_p(z), n=disagreements, method=CHI_SQUARE)
