"""Cohen's and Fleiss' kappa and Krippendorff's alpha against worked tables."""

import random

import pytest

from agentdyno.estimates.kappas import cohen_kappa, fleiss_kappa

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


def test_fleiss_matches_the_ten_subjects() -> None:
    found = fleiss_kappa([labels(row) for row in FLEISS_TABLE])
    assert (found.value, found.n) == (pytest.approx(0.210, abs=5e-4), 10)
    assert found.low < 0.210 < found.high


def test_fleiss_leaves_incomplete_units_out() -> None:
    rows = [labels(row) for row in FLEISS_TABLE]
    gap: list[str | None] = [None, *["1"] * 13]
    assert fleiss_kappa([*rows, gap]).value == fleiss_kappa(rows).value


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
