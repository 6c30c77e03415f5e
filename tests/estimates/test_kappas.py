"""Cohen's and Fleiss' kappa and Krippendorff's alpha against worked tables."""

import random

import pytest

from agentdyno.estimates.kappas import cohen_kappa, fleiss_kappa
from agentdyno.estimates.krippendorff import krippendorff_alpha

# Fleiss, Psychological Bulletin 76 (1971), as tabled in Wikipedia: 10 subjects, 14 raters, 5 kinds.
FLEISS_TABLE = [
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
]


def labels(row: tuple[int, ...]) -> list[str | None]:
    return [str(kind) for kind, count in enumerate(row) for _ in range(count)]


def test_cohen_matches_the_grant_reviewers() -> None:
    # 50 proposals: 20 both yes, 5 yes-no, 10 no-yes, 15 both no; observed .7, expected .5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = cohen_kappa(first, second)
    assert (found.value, found.n) == (pytest.approx(0.4), 50)
    assert found.low < 0.4 < found.high


def test_cohen_leaves_units_without_a_label_out() -> None:
    found = cohen_kappa(["a", "b", None, "a"], ["a", "b", "b", None])
    assert (found.value, found.n) == (pytest.approx(1.0), 2)


def test_perfect_agreement_stays_within_one() -> None:
    found = cohen_kappa(["a", "b", "c"] * 7, ["a", "b", "c"] * 7)
    assert found.value == pytest.approx(1.0)
    assert found.high <= 1.0


def test_one_label_throughout_is_undefined() -> None:
    found = cohen_kappa(["a", "a"], ["a", "a"])
    assert found.value is None
    assert found.reason is not None
    assert "every label is the same" in found.reason
    assert fleiss_kappa([["a", "a", "a"]]).value is None


def test_fleiss_matches_the_ten_subjects() -> None:
    found = fleiss_kappa([labels(row) for row in FLEISS_TABLE])
    assert (found.value, found.n) == (pytest.approx(0.210, abs=5e-4), 10)
    assert found.low < 0.210 < found.high


def test_fleiss_leaves_incomplete_units_out() -> None:
    rows = [labels(row) for row in FLEISS_TABLE]
    gap: list[str | None] = [None, *["1"] * 13]
    assert fleiss_kappa([*rows, gap]).value == fleiss_kappa(rows).value


def test_fleiss_refuses_a_changing_number_of_raters() -> None:
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa([["a", "b"], ["a", "b", "a"]])


def test_a_rater_with_a_single_label_leaves_kappa_without_an_interval() -> None:
    found = cohen_kappa(["a", "b", "a", "b"], ["a", "a", "a", "a"])
    assert (found.value, found.low, found.high) == (0.0, None, None)
    assert found.reason == "one of the raters gives every unit the same label"


@pytest.mark.parametrize("seed", range(8))
def test_both_kappas_are_those_of_statsmodels_to_the_last_digits(seed: int) -> None:
    theirs = pytest.importorskip("statsmodels.stats.inter_rater", reason="a tool of developers")
    chance = random.Random(seed)
    kinds = "abcd"[: 2 + seed % 3]
    raters: list[list[str | None]] = [
        [
            chance.choice(kinds) if chance.random() < 0.5 else kinds[n % len(kinds)]
            for n in range(40)
        ]
        for _ in range(3)
    ]
    table = [[0] * len(kinds) for _ in kinds]
    for first, second in zip(raters[0], raters[1], strict=True):
        table[kinds.index(str(first))][kinds.index(str(second))] += 1
    found, expected = cohen_kappa(raters[0], raters[1]), theirs.cohens_kappa(table)
    assert found.value == pytest.approx(expected.kappa, rel=1e-14)
    assert found.low == pytest.approx(expected.kappa_low, rel=1e-9)
    assert found.high == pytest.approx(expected.kappa_upp, rel=1e-9)
    units = [list(unit) for unit in zip(*raters, strict=True)]
    counts = [[unit.count(kind) for kind in kinds] for unit in units]
    assert fleiss_kappa(units).value == pytest.approx(theirs.fleiss_kappa(counts), rel=1e-14)


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
    assert found.low < 0.743 < found.high


def test_perfect_agreement_is_one() -> None:
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]).value == pytest.approx(1.0)


def test_alpha_of_one_label_is_undefined() -> None:
    found = krippendorff_alpha([["a", "a"], ["a", None]])
    assert (found.value, found.reason) == (None, "every label is the same")


def test_no_pairs_are_undefined() -> None:
    assert krippendorff_alpha([["a", None], [None, None]]).reason == "no unit carries two labels"
