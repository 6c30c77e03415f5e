"""Recomputes TPS-Bench: costs from tokens and prices, costs-of-pass, the gains of training.

Cost = input tokens * input price + output tokens * output price, in thousandths of a dollar when
tokens are in thousands and prices per million; cost-of-pass = cost / completion rate. Worked:
Kimi-K2 on Easy, 6.5 * 0.60 + 0.8 * 2.50 = 5.9; 5.9 / 0.7354 = 8.0.
"""

from bench.reproduction.check import Check, Paper
from bench.reproduction.printed_numbers import Range, as_range, read_printed, read_tables

PAPER = Paper("tps-bench")
TABLES = read_tables(PAPER.name)
ROWS = TABLES["results"]
PRICES = {model: prices for model, *prices in TABLES["prices"]}
"""Exact, not rounded."""


SWAPPED = {
    ("Easy", "GLM-4.5"): "15.1; printed in QwQ-32B's row as 15.3: the two rows look swapped",
    ("Easy", "QwQ-32B"): "8.3; printed in GLM-4.5's row as 8.5: the two rows look swapped",
    ("Hard", "QwQ-32B"): "3.2 / 0.2936",
}


def check_tps_bench() -> list[Check]:
    """Every figure of the paper that follows from others."""
    return [
        *(_cost(row) for row in ROWS),
        *(_cost_of_pass(row) for row in ROWS),
        *_check_stated_costs(),
        *_check_training(),
        *_check_stated_tokens(),
        *_ablation(),
        *_counts(),
    ]


def _cost(row: list[str]) -> Check:
    level, model, _, tokens_in, tokens_out, cost, _ = row
    price_in, price_out = (float(price) for price in PRICES[model])
    found = read_printed(tokens_in) * price_in + read_printed(tokens_out) * price_out
    return PAPER.same("Table 2", f"{model} {level}, cost", cost, found)


def _cost_of_pass(row: list[str]) -> Check:
    level, model, rate, _, _, cost, cost_of_pass = row
    found = read_printed(cost) / read_printed(rate) * 100
    note = SWAPPED.get((level, model), "")
    return PAPER.same("Table 2", f"{model} {level}, cost-of-pass", cost_of_pass, found, note)


def _check_stated_costs() -> list[Check]:
    dearest = max((read_printed(row[5]) for row in ROWS), key=lambda cost: cost.value)
    passes = max((read_printed(row[6]) for row in ROWS), key=lambda cost: cost.value)
    rate = _row("Hard", "QwQ-32B")[2]
    table = "Section 4.2"
    return [
        PAPER.same(
            table,
            "GPT-4o, highest cost",
            "52.2",
            dearest,
            "Table 2: 62.2 on Hard, 52.6 on Easy",
            kind="repeated",
        ),
        PAPER.same(table, "highest cost-of-pass", "138.0", passes, "Table 2's", kind="repeated"),
        PAPER.same(
            table,
            "QwQ-32B, cost-of-pass over cost",
            "6x",
            as_range(100) / read_printed(rate),
            "one over its completion rate of 29.36 %",
        ),
    ]


def _check_training() -> list[Check]:
    points = read_printed("35.17") - read_printed("26.75")
    faster = -(read_printed("34.8") / read_printed("42.0") - 1) * 100
    note = "35.17 - 26.75 points; as a ratio it is 31 %"
    return [
        PAPER.same("Section 5", "gain in completion rate", "6%", points, note),
        PAPER.same("Section 5", "reduction in time", "14%", faster, "42.0 s to 34.8 s"),
        PAPER.same(
            "Table 3",
            "origin, completion rate",
            "26.75",
            _rate("Hard", "Qwen3-1.7B"),
            "Table 1's",
            kind="repeated",
        ),
    ]


def _check_stated_tokens() -> list[Check]:
    table = "Section 1"
    return [
        PAPER.same(
            table, "GLM-4.5 Hard, thousands of tokens", "14", _tokens("GLM-4.5"), "12.6 + 1.5"
        ),
        PAPER.same(table, "GPT-4o Hard, thousands of tokens", "9", _tokens("GPT-4o"), "7.2 + 1.3"),
        PAPER.same(
            table, "Qwen3-32B Hard, thousands of tokens", "8.0", _tokens("Qwen3-32B"), "6.7 + 1.3"
        ),
        PAPER.same(
            "Section 4.2",
            "DeepSeek-R1 Hard, thousands of tokens",
            "8",
            _tokens("DeepSeek-R1"),
            "6.7 + 1.4",
        ),
        PAPER.same(
            "Section 4.2",
            "DeepSeek-R1 Hard, seconds",
            "343",
            read_printed("343.4"),
            "Table 1's",
            kind="repeated",
        ),
        PAPER.same(
            "Section 4.2",
            "GPT-4o Hard, turns",
            "2",
            read_printed("2.5"),
            "Table 1's",
            kind="repeated",
        ),
        PAPER.same(
            "Section 4.2",
            "QwQ-32B Hard, turns",
            "1",
            read_printed("1.05"),
            "Table 1's",
            kind="repeated",
        ),
        PAPER.same(
            "Section 4.2",
            "GLM-4.5 Hard, turns",
            "35",
            read_printed("35.0"),
            "Table 1's",
            kind="repeated",
        ),
    ]


def _ablation() -> list[Check]:
    """Figure 6's default, parallel scheduling on Hard, is Table 1's setting."""
    note = "Table 1, same model and level; the paper does not say that it ran again"
    table = "Section 4.3"
    return [
        PAPER.same(
            table,
            "DeepSeek-R1 parallel, thousands of tokens",
            "11.6",
            _tokens("DeepSeek-R1"),
            note,
            kind="repeated",
        ),
        PAPER.same(
            table,
            "DeepSeek-R1 parallel, seconds",
            "361.6",
            read_printed("343.4"),
            note,
            kind="repeated",
        ),
        PAPER.same(
            table,
            "GLM-4.5 parallel, completion rate",
            "63.1",
            _rate("Hard", "GLM-4.5"),
            note,
            kind="repeated",
        ),
    ]


def _counts() -> list[Check]:
    return [
        PAPER.same("Appendix C", "tasks", "200", 100 + 100, "100 easy and 100 hard"),
        PAPER.same(
            "Figure 10", "weights of the selection score", "100", 50 + 30 + 20, "50 + 30 + 20"
        ),
    ]


def _row(level: str, model: str) -> list[str]:
    return next(row for row in ROWS if row[:2] == [level, model])


def _rate(level: str, model: str) -> Range:
    return read_printed(_row(level, model)[2])


def _tokens(model: str) -> Range:
    row = _row("Hard", model)
    return read_printed(row[3]) + read_printed(row[4])
