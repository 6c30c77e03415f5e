"""The own rule against siblings of what outside sets showed, family by family."""

import pytest

from tests.metrics.failures.outside_sets import Case, missed
from tests.metrics.failures.sibling_answers import SIBLINGS


@pytest.mark.parametrize("cases", SIBLINGS.values(), ids=SIBLINGS)
def test_siblings_are_labelled_as_by_hand(cases: list[Case]) -> None:
    assert missed(cases) == []
