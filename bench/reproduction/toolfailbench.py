"""Recomputes ToolFailBench: sums, denominators, Wilson intervals, z and p, counts.

The paper does not print how many labelled tasks each rate is over, only that it may be under 750.
Four rates that are whole numbers over one n, and add up to it, leave a single n for 18 of the 19
models (two for the other), so its intervals can be checked exactly. Worked: Grok-4.3, 86.33 +
11.80 + 1.74 + 0.13 -> 644 + 88 + 13 + 1 of 746 -> [83.67, 88.61].
"""

from bench.reproduction.check import Check, Paper
from bench.reproduction.printed_numbers import (
    Range,
    half_unit,
    mean,
    read_printed,
    read_tables,
    span,
    total,
)

from agentdyno.estimates.proportions import two_proportion_z, wilson

PAPER = Paper("toolfailbench")
REQUIRED = 750
FEWEST_LABELLED = 600
RUNS = {"headline": 19, "non-headline": 2, "excluded": 1}
QWEN_FAMILY = ("Qwen", "QwQ")
ALWAYS_CALL = "Llama-3.1"


ROWS = read_tables(PAPER.name)["leaderboard"]
RATES = (1, 3, 4, 5)
"""Where CTUR, TSR, RIR and OFR stand in a row."""
BY_MODEL = {row[0]: row for row in ROWS}


def check_toolfailbench() -> list[Check]:
    """Every figure of the paper that follows from others."""
    return [
        *_sums(),
        *_rule_rates(),
        *_intervals(),
        *_averages_and_extremes(),
        *_tests(),
        *_counts(),
        *_judges(),
    ]


def _sums() -> list[Check]:
    note = "TSR + CTUR + RIR + OFR, by definition 100 (Table 1)"
    return [
        PAPER.same(
            "Table 2",
            f"{row[0]}, sum of rates",
            "100.00",
            _sum_of_rates(row),
            note,
            by_definition=True,
        )
        for row in ROWS
    ]


def _sum_of_rates(row: list[str]) -> Range:
    return total([read_printed(row[place]) for place in RATES])


def _rule_rates() -> list[Check]:
    return [
        PAPER.attainable("Table 2", f"{row[0]}, rule CTUR", row[2], REQUIRED, percent=True)
        for row in ROWS
    ]


def find_labelled_counts(model: str) -> list[tuple[int, int]]:
    """Clean uses and labelled tasks that all four rates of a model agree on, most tasks first."""
    row = BY_MODEL[model]
    rates = [row[place] for place in RATES]
    fits = []
    for n in range(REQUIRED, FEWEST_LABELLED, -1):
        counts = [round(float(rate) * n / 100) for rate in rates]
        exact = all(
            abs(100 * count / n - float(rate)) <= half_unit(rate) + 1e-9
            for count, rate in zip(counts, rates, strict=True)
        )
        if exact and sum(counts) == n:
            fits.append((counts[0], n))
    return fits


def _intervals() -> list[Check]:
    checks = []
    for row in ROWS:
        fits = find_labelled_counts(row[0])
        found = [wilson(clean, n) for clean, n in fits]
        note = " or ".join(f"{clean} of {n}" for clean, n in fits)
        lows = span([100 * (each.low or 0.0) for each in found])
        highs = span([100 * (each.high or 0.0) for each in found])
        checks.append(PAPER.same("Table 6", f"{row[0]}, low", row[8], lows, note))
        checks.append(PAPER.same("Table 6", f"{row[0]}, high", row[9], highs, note))
    return checks


def _averages_and_extremes() -> list[Check]:
    disciplined = [row for row in ROWS if not row[0].startswith(ALWAYS_CALL)]
    callers = [row for row in ROWS if row[0].startswith(ALWAYS_CALL)]
    ensemble, rule = (mean([read_printed(row[place]) for row in ROWS]) for place in (1, 2))
    return [
        PAPER.same("Section 5.4", "mean ensemble CTUR", "75.02", ensemble, "mean of 19"),
        PAPER.same("Section 5.4", "mean rule CTUR", "71.05", rule, "mean of 19"),
        PAPER.claim("Section 5.2", "disciplined UTR", "<=", "1.61", max(_column(disciplined, 6))),
        PAPER.claim(
            "Section 5.2", "disciplined control accuracy", ">", "95", min(_column(disciplined, 7))
        ),
        PAPER.same("Section 5.5", "disciplined models", "17", len(disciplined)),
        PAPER.claim("Table 2", "always-call UTR", ">=", "77", min(_column(callers, 6))),
    ]


def _tests() -> list[Check]:
    first, second, third = "Grok-4.3", "Grok-4-1-Fast-Reasoning", "Qwen2.5-32B-Instruct"
    control = two_proportion_z(22, 247, 245, 250)
    assert control.statistic is not None
    assert control.p is not None
    gap = read_printed("98.00") - read_printed("8.91")
    overlap = [
        read_printed(BY_MODEL[other][9]) - read_printed(BY_MODEL[first][8])
        for other in (second, third)
    ]
    note = "22 of 247 against 245 of 250, which print as 8.91 and 98.00"
    return [
        PAPER.same("Section 5.3", "z of control accuracy", "-19.9", control.statistic, note),
        PAPER.claim("Section 5.3", "p of control accuracy", "<", "1e-80", control.p),
        PAPER.same("Abstract", "control accuracy gap in points", "89", gap, "98.00 - 8.91"),
        PAPER.same("Section 5.1", f"p, {first} against {second}", "0.23", _p(first, second)),
        PAPER.same("Section 5.1", f"p, {first} against {third}", "0.05", _p(first, third)),
        PAPER.claim("Section 5.1", f"{second}'s interval overlaps the first", ">", "0", overlap[0]),
        PAPER.claim("Section 5.1", f"{third}'s interval overlaps the first", ">", "0", overlap[1]),
    ]


def _p(first: str, second: str) -> float:
    (a, a_n), (b, b_n) = find_labelled_counts(first)[0], find_labelled_counts(second)[0]
    found = two_proportion_z(a, a_n, b, b_n)
    assert found.p is not None
    return found.p


def _counts() -> list[Check]:
    family = sum(row[0].startswith(QWEN_FAMILY) for row in ROWS)
    return [
        PAPER.same("Section 3.1", "tasks", "1000", 5 * 200, "5 * 200"),
        PAPER.same("Section 3.4", "required tasks", "750", 5 * 150, "5 * 150"),
        PAPER.same("Section 3.4", "control tasks", "250", 5 * 50, "5 * 50"),
        PAPER.same("Section 4.1", "models run", "22", sum(RUNS.values()), "19 + 2 + 1"),
        PAPER.same("Table 7", "Qwen-family models", "8", family, "counted in Table 5"),
        PAPER.same("Table 7", "other models", "11", len(ROWS) - family, "counted in Table 5"),
        PAPER.attainable(
            "Appendix B.3", "QwQ-32B, rule CTUR with sampling", "75.60", REQUIRED, percent=True
        ),
    ]


def _judges() -> list[Check]:
    ties = 100 * 285 / 18_900
    own = read_printed("71.45") - read_printed("77.44")
    others = read_printed("69.75") - read_printed("75.92")
    return [
        PAPER.same("Section 5.4", "three-way ties", "1.5%", ties, "285 of 18,900"),
        PAPER.same("Table 7", "Qwen-family, gap", "-5.99", own, "71.45 - 77.44"),
        PAPER.same("Table 7", "other models, gap", "-6.16", others, "69.75 - 75.92"),
    ]


def _column(table: list[list[str]], place: int) -> list[float]:
    return [float(row[place]) for row in table]
