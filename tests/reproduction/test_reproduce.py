"""The papers recomputed: known errata are found, good figures hold, the page is fresh."""

import math
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bench.reproduction import (
    Check,
    Reproduction,
    render_markdown,
    reproduce,
    toolfailbench,
    tps_bench,
)
from bench.reproduction.check import Paper
from bench.reproduction.printed_numbers import Range, half_unit, read_printed, read_tables
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.labelled import from_set

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reproduction.md"
PAPERS = ROOT / ".." / "shared" / "papers"
TEST = Paper("test")


@pytest.fixture(scope="module")
def reproduction() -> Reproduction:
    return reproduce()


def find(reproduction: Reproduction, paper: str, table: str, cell: str) -> Check:
    return next(
        check
        for check in reproduction.every_check
        if (check.paper, check.table, check.cell) == (paper, table, cell)
    )


def test_at_least_150_figures_are_recomputed(reproduction: Reproduction) -> None:
    assert sum(check.kind == "recomputed" for check in reproduction.every_check) >= 150


def test_counts_add_up_and_names_are_unique(reproduction: Reproduction) -> None:
    assert reproduction.checks == len(reproduction.every_check)
    assert reproduction.checks == reproduction.hold + reproduction.fail
    assert reproduction.fail == len(reproduction.failing)
    assert not any(check.holds for check in reproduction.failing)
    assert len({check.id for check in reproduction.every_check}) == reproduction.checks


def test_json_counts_and_names_the_failing(reproduction: Reproduction) -> None:
    found = msgspec.json.decode(msgspec.json.encode(reproduction))
    assert found["checks"] == reproduction.checks
    assert found["hold"] + found["fail"] == found["checks"]
    assert [check["id"] for check in found["failing"]] == [
        check["id"] for check in found["every_check"] if not check["holds"]
    ]


@from_set("reproduction/reproduce", "paper", "table", "cell", "printed_value", "recomputed")
def test_known_errata_are_found(
    reproduction: Reproduction,
    paper: str,
    table: str,
    cell: str,
    printed_value: float,
    recomputed: float,
) -> None:
    check = find(reproduction, paper, table, cell)
    assert not check.holds
    assert (check.printed, check.recomputed) == (printed_value, pytest.approx(recomputed, abs=0.05))
    assert check in reproduction.failing


@from_set("reproduction/reproduce", "paper", "table", "cell")
def test_good_figures_hold(reproduction: Reproduction, paper: str, table: str, cell: str) -> None:
    assert find(reproduction, paper, table, cell).holds


def test_denominators_follow_from_four_rates() -> None:
    # 644/746 = 86.327 %, 88/746 = 11.796, 13/746 = 1.743, 1/746 = 0.134: no other n <= 750 fits.
    assert toolfailbench.find_labelled_counts("Grok-4.3") == [(644, 746)]
    assert all(toolfailbench.find_labelled_counts(model) for model in toolfailbench.BY_MODEL)


def test_the_page_is_fresh(reproduction: Reproduction) -> None:
    assert PAGE.read_text(encoding="utf-8") == render_markdown(reproduction), (
        "docs/reproduction.md is stale: run `python -m bench.reproduction > docs/reproduction.md`"
    )


def test_the_page_names_every_erratum_before_the_full_list(reproduction: Reproduction) -> None:
    page = render_markdown(reproduction, everything=True)
    errata, _, full = page.partition("## Every check")
    for check in reproduction.failing:
        assert f"| {check.table} | {check.cell} |" in errata
    assert full.count("**fails**") == reproduction.fail


def test_rounding_of_inputs_widens_the_tolerance() -> None:
    # 7.2 * 5 + 0.8 * 20 = 52 with inputs good to 0.05: 52 +- 1.25, and 0.05 for the figure.
    found = read_printed("7.2") * 5 + read_printed("0.8") * 20
    near, far = TEST.same("t", "near", "53.3", found), TEST.same("t", "far", "53.4", found)
    assert near.tolerance == pytest.approx(1.30)
    assert near.holds
    assert not far.holds


@from_set("reproduction/reproduce", "why", "check", "arguments", "options", "holds")
def test_what_a_check_forgives(
    why: str, check: str, arguments: list[Any], options: dict[str, bool], holds: bool
) -> None:
    assert getattr(TEST, check)("t", "c", *arguments, **options).holds is holds, why


def test_a_definition_forgives_its_inputs_only() -> None:
    # Two rates good to 0.005 may miss 100 by 0.01, and by no more.
    near, far = (read_printed("60.00") + read_printed(rest) for rest in ("39.99", "39.98"))
    assert TEST.same("t", "near", "100.00", near, by_definition=True).holds
    assert not TEST.same("t", "far", "100.00", far, by_definition=True).holds


def test_a_mean_that_another_number_of_tasks_gives_is_named() -> None:
    other = TEST.attainable("t", "c", "10.5", 500, percent=True, other_n=200)
    assert not other.holds
    assert other.note == "n = 200 can"


@pytest.mark.parametrize(("text", "half"), [("7.25", 0.005), ("42", 0.5), ("1,513", 0.5)])
def test_half_a_unit_of_the_last_digit(text: str, half: float) -> None:
    assert half_unit(text) == half
    assert read_printed(text).high - read_printed(text).value == pytest.approx(half)


parts = st.tuples(st.floats(0.1, 100), st.floats(0, 0.05), st.floats(-1, 1))


@settings(deadline=None)
@given(parts, parts, st.sampled_from("+-*/"))
def test_the_truth_stays_inside_the_range(
    first: tuple[float, float, float], second: tuple[float, float, float], sign: str
) -> None:
    (a, a_half, a_place), (b, b_half, b_place) = first, second
    x, y = Range(a - a_half, a, a + a_half), Range(b - b_half, b, b + b_half)
    true_x, true_y = a + a_place * a_half, b + b_place * b_half
    found = {"+": x.__add__, "-": x.__sub__, "*": x.__mul__, "/": x.__truediv__}[sign](y)
    truth = {
        "+": true_x + true_y,
        "-": true_x - true_y,
        "*": true_x * true_y,
        "/": true_x / true_y,
    }[sign]
    slack = 1e-12 * (1 + abs(truth))
    assert found.low - slack <= truth <= found.high + slack


def test_division_by_what_may_be_zero_is_refused() -> None:
    with pytest.raises(ZeroDivisionError):
        read_printed("1.0") / read_printed("0.0")


def test_every_trajectory_of_appendix_b_is_counted() -> None:
    outcomes = read_tables("tool-efficiency")["outcomes"]
    assert [len(row[3]) for row in outcomes] == [25] * 6


def sequences() -> list[tuple[str, str]]:
    """Runs of numbers as they stand in the papers' tables."""
    found: list[tuple[str, list[str]]] = []
    pte, deep = read_tables("pte"), read_tables("deep-thinking-ratio")
    found += [("pte", row[1:]) for row in pte["mathematics"]]
    found += [("pte", row[1:]) for row in pte["search"]]
    found += [("pte", row[1:4]) for row in pte["models"]]
    found += [("pte", row[2:4]) for row in pte["hardware"]]
    found += [("pte", [cell.lstrip("+") for cell in row[1:]]) for row in pte["gaps"]]
    found += [("deep-thinking-ratio", row[2:]) for row in deep["correlations"][1:]]
    found += [
        ("deep-thinking-ratio", [cell for cell in row[1:] if cell != "-"])
        for model in ("OSS-120B-medium", "Qwen3-4B-Thinking")
        for row in deep[model]
    ]
    found += [("deep-thinking-ratio", deep["averages"][0])]
    found += [("toolfailbench", row[1:8]) for row in toolfailbench.ROWS]
    found += [("toolfailbench", [row[1], row[8], row[9]]) for row in toolfailbench.ROWS]
    found += [("tps-bench", row[2:5]) for row in tps_bench.ROWS]
    half = len(tps_bench.ROWS) // 2
    found += [
        ("tps-bench", easy[5:7] + hard[5:7])
        for easy, hard in zip(tps_bench.ROWS[:half], tps_bench.ROWS[half:], strict=True)
    ]
    found += [("tps-bench", list(prices)) for prices in tps_bench.PRICES.values()]
    return [(paper, " ".join(numbers)) for paper, numbers in found]


@pytest.mark.skipif(not PAPERS.is_dir(), reason="the papers' texts lie beside the project only")
def test_tables_are_copied_without_a_slip() -> None:
    texts = {
        name: " ".join(
            re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", (PAPERS / f"{name}.txt").read_text())
        )
        for name in ("pte", "deep-thinking-ratio", "toolfailbench", "tps-bench")
    }
    missing = [(paper, row) for paper, row in sequences() if row not in texts[paper]]
    assert missing == []


def test_nothing_is_nan(reproduction: Reproduction) -> None:
    for check in reproduction.every_check:
        assert math.isfinite(check.recomputed)
        assert math.isfinite(check.tolerance)
