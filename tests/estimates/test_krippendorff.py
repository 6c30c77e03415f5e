"""Krippendorff's alpha against his own example."""

import pytest

from agentdyno.estimates.krippendorff import krippendorff_alpha

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C; . is no label.
OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


def units() -> list[list[str | None]]:
    return [
        [None if label == "." else label for label in unit] for unit in zip(*OBSERVERS, strict=True)
    ]


def test_four_observers_with_gaps_match_krippendorff() -> None:
    found = krippendorff_alpha(units())
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.n == 11  # the last unit carries one label and pairs with nothing
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.743 < found.high


def test_perfect_agreement_is_one() -> None:
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]).value == pytest.approx(1.0)


def test_one_label_throughout_is_undefined() -> None:
    found = krippendorff_alpha([["a", "a"], ["a", None]])
    assert found.value is None
    assert found.reason == "every label is the same"


def test_no_pairs_are_undefined() -> None:
    assert krippendorff_alpha([["a", None], [None, None]]).reason == "no unit carries two labels"
