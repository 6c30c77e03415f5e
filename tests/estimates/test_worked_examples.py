"""Estimates against tables of papers and examples worked by hand, a row of cases each."""

from collections.abc import Callable
from typing import Any

import pytest

from agentdyno.estimates.correlation import p_of_correlation, partial, pearson, spearman
from agentdyno.estimates.kappas import cohen_kappa, fleiss_kappa
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.paired import paired_difference, paired_ratio
from agentdyno.estimates.proportions import proportion_difference, two_proportion_z, wilson
from agentdyno.estimates.quantiles import normal_p, normal_quantile, student_p, student_quantile
from agentdyno.estimates.shares import clustered_share
from agentdyno.estimates.typical import typical_ratio
from agentdyno.estimates.unpaired import unpaired_difference, unpaired_ratio
from agentdyno.measures.depth import correlate_bins
from agentdyno_bench.shared.estimates.krippendorff import krippendorff_alpha
from agentdyno_bench.shared.estimates.paired_outcomes import mcnemar
from tests.labelled import from_set
from tests.rows import differences

FUNCTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        clustered_mean, clustered_share, cohen_kappa, correlate_bins, fleiss_kappa,
        holm, krippendorff_alpha, mcnemar, normal_p, normal_quantile, p_of_correlation,
        paired_difference, paired_ratio, partial, pearson, proportion_difference, spearman,
        student_p, student_quantile, two_proportion_z, typical_ratio, unpaired_difference,
        unpaired_ratio, wilson,
    )
}  # fmt: skip


@from_set("estimates/worked_examples", "why", "function", "arguments", "expected")
def test_an_example_is_found_again(
    why: str, function: str, arguments: list[Any], expected: dict[str, Any]
) -> None:
    assert differences(FUNCTIONS[function](*arguments), expected) == {}, why


@from_set("estimates/worked_examples", "function", "arguments", "said")
def test_what_makes_no_sense_is_refused(function: str, arguments: list[Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        FUNCTIONS[function](*arguments)
