"""Recomputes the deep-thinking paper: averages of its correlations, cost columns, claims.

Costs are compared with Cons@n, which decodes every sample. Worked: Think@n on AIME 25 with
OSS-120B-medium, 155.4 / 307.6 - 1 = -49 %.
"""

import math

from bench.reproduction.check import Check, Paper
from bench.reproduction.printed_numbers import Range, mean, read_printed, read_tables

PAPER = Paper("deep-thinking-ratio")
SAMPLES = 48
TABLES = read_tables(PAPER.name)
ROWS = TABLES["correlations"]
MEASURES = (
    "token length", "reverse token length", "log probability", "negative perplexity",
    "negative entropy", "self-certainty", "DTR",
)  # fmt: skip
BENCHMARKS = ("AIME 25", "AIME 24", "HMMT 25", "GPQA-D")
OSS, QWEN = "OSS-120B-medium", "Qwen3-4B-Thinking"
AGGREGATION = {model: TABLES[model] for model in (OSS, QWEN)}
METHODS = [row[0] for row in AGGREGATION[OSS]]


def check_deep_thinking() -> list[Check]:
    """Every figure of the paper that follows from others."""
    return [
        *_averages(),
        *_check_reversed_lengths(),
        *_check_stated_correlations(),
        *_same_setting_elsewhere(),
        *_savings(),
        *_check_stated_aggregation(),
        *_prefix_table(),
        _cut_layer(),
    ]


def _averages() -> list[Check]:
    return [
        PAPER.same("Table 1", f"Average, {measure}", average, _mean_of(place), "mean of 32 rows")
        for place, (measure, average) in enumerate(
            zip(MEASURES, TABLES["averages"][0], strict=True)
        )
    ]


def _mean_of(measure: int) -> Range:
    return mean([read_printed(row[2 + measure]) for row in ROWS])


def _check_reversed_lengths() -> list[Check]:
    note = "minus the token-length column"
    return [
        PAPER.same(
            "Table 1",
            f"{row[0]} {row[1]}, reverse token length",
            row[3],
            -float(row[2]),
            note,
            kind="repeated",
        )
        for row in ROWS
    ]


def _check_stated_correlations() -> list[Check]:
    confidence = [_mean_of(place) for place in range(2, 6)]
    negative = [sum(float(row[2 + place]) < 0 for row in ROWS) for place in range(7)]
    table = "Section 3.1"
    return [
        PAPER.same(table, "mean r of token length", "-0.59", _mean_of(0)),
        PAPER.same(table, "least mean r by confidence", "0.219", min(confidence, key=_value)),
        PAPER.same(table, "greatest mean r by confidence", "0.605", max(confidence, key=_value)),
        PAPER.same(table, "negative DTR settings", "2", negative[6], "counted among 32"),
        PAPER.same(table, "settings", "32", len(ROWS), "8 models on 4 benchmarks"),
        PAPER.claim(table, "fewest negatives of another measure", ">", "2", min(negative[:6])),
    ]


def _same_setting_elsewhere() -> list[Check]:
    """Figures that repeat Table 1's OSS-120B-medium rows."""
    own = {row[0]: row for row in ROWS if row[1] == OSS}
    lengths = mean([read_printed(row[2]) for row in own.values()])
    depths = mean([read_printed(row[8]) for row in own.values()])
    note = f"mean of Table 1's four {OSS} rows"
    return [
        PAPER.same(
            "Figure 1", "average r of token count", "-0.544", lengths, note, kind="repeated"
        ),
        PAPER.same("Figure 1", "average r of DTR", "0.828", depths, note, kind="repeated"),
        PAPER.same(
            "Appendix A",
            "AIME 25, r of DTR by JSD",
            "0.869",
            float(own["AIME-2025"][8]),
            f"Table 1, {OSS}",
            kind="repeated",
        ),
        PAPER.same(
            "Appendix A",
            "HMMT 25, r of DTR by JSD",
            "0.895",
            float(own["HMMT-2025"][8]),
            f"Table 1, {OSS}",
            kind="repeated",
        ),
    ]


def _savings() -> list[Check]:
    checks = []
    for model, table in AGGREGATION.items():
        full = [read_printed(cost) for cost in table[0][2::3]]
        for method, *cells in table:
            for place, benchmark in enumerate(BENCHMARKS):
                _, cost, saving = cells[3 * place : 3 * place + 3]
                cell = f"{model} {method}@n, {benchmark} cost change"
                found = (read_printed(cost) / full[place] - 1) * 100
                if saving != "-":
                    checks.append(PAPER.same("Table 2", cell, f"{saving}%", found))
    return checks


def _accuracy(model: str, method: str) -> list[Range]:
    row = next(row for row in AGGREGATION[model] if row[0] == method)
    return [read_printed(accuracy) for accuracy in row[1::3]]


def _check_stated_aggregation() -> list[Check]:
    table = "Section 4"
    return [
        PAPER.claim(table, "Think@n never below Cons@n", ">=", "0", _least_lead("Think", "Cons")),
        PAPER.claim(
            table,
            "Short@n always below Cons@n",
            "<",
            "0",
            -_least_lead("Cons", "Short"),
            f"{QWEN} on AIME 25: 90.0 against 86.7",
        ),
        PAPER.claim(table, "Long@n never above Short@n", ">=", "0", _least_lead("Short", "Long")),
        PAPER.claim(
            table,
            "Mean@n worst of all methods",
            ">=",
            "0",
            min((_least_lead(other, "Mean") for other in METHODS if other != "Mean"), key=_value),
            f"{QWEN} on HMMT 25: Long@n 52.7 against 55.7",
        ),
        *(
            PAPER.same(
                table,
                f"{model}, benchmarks where Self-Certainty@n trails both",
                "3",
                _count_trailing(model),
                "Cons@n and Think@n both strictly better",
                kind="claim",
            )
            for model in (OSS, QWEN)
        ),
    ]


def _least_lead(ahead: str, behind: str) -> Range:
    leads = [
        a - b
        for model in (OSS, QWEN)
        for a, b in zip(_accuracy(model, ahead), _accuracy(model, behind), strict=True)
    ]
    return min(leads, key=_value)


def _count_trailing(model: str) -> int:
    sides = (_accuracy(model, method) for method in ("Self-Certainty", "Cons", "Think"))
    return sum(
        sure.value < min(cons.value, think.value) for sure, cons, think in zip(*sides, strict=True)
    )


def _prefix_table() -> list[Check]:
    accuracy = {row[0]: row[1] for row in TABLES["prefixes"]}
    cons, average = _accuracy(OSS, "Cons")[0], _accuracy(OSS, "Mean")[0]
    longer = max(float(accuracy[prefix]) for prefix in ("100", "500", "1000", "2000"))
    table, note = "Table 3", "Table 2, same model and benchmark"
    return [
        PAPER.same(table, "Cons@n, accuracy", "90.0", cons.value, note, kind="repeated"),
        PAPER.same(
            table, "Pass@1, accuracy", "80.0", average.value, "Mean@n of Table 2", kind="repeated"
        ),
        PAPER.same(
            table, "Pass@1, cost", "6.4", read_printed("307.6") / SAMPLES, "307.6 over 48 samples"
        ),
        PAPER.same(
            table,
            "Think@n prefix 50, accuracy",
            "94.7",
            _accuracy(OSS, "Think")[0].value,
            note,
            kind="repeated",
        ),
        PAPER.claim(
            table, "prefix 50 beats longer prefixes", ">", str(longer), float(accuracy["50"])
        ),
    ]


def _cut_layer() -> Check:
    cut = math.ceil(0.8 * 10 - 1e-9)
    note = "Figure 3's case, L = 10 and rho = 0.8: Algorithm 1 says (1 - rho) L, Equation 5 rho L"
    return PAPER.same("Algorithm 1", "first deep layer", "2", cut, note)


def _value(number: Range) -> float:
    return number.value
