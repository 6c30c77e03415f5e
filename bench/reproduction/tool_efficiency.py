"""Recomputes the tool-efficiency paper: passes, accuracies, utilities, call counts.

Aggregate utility of a tool = useful calls - others. Worked: Grafana/Loki under GPT-5.3-Codex,
52 - 27 = +25.
"""

from bench.reproduction.check import Check, Paper
from bench.reproduction.printed_numbers import read_printed, read_tables

PAPER = Paper("tool-efficiency")
TASKS = 25
TABLES = read_tables(PAPER.name)


def check_tool_efficiency() -> list[Check]:
    """Every figure of the paper that follows from others."""
    return [*_outcomes(), *_utilities(), *_calls(), *_claims()]


def _outcomes() -> list[Check]:
    checks = []
    for number, model, variant, outcomes, passes, fails, accuracy in TABLES["outcomes"]:
        table, row = f"Table {number}", f"{model} {variant}"
        note = "counted in appendix B"
        checks.append(PAPER.same(table, f"{row}, pass", passes, outcomes.count("1"), note))
        checks.append(PAPER.same(table, f"{row}, fail", fails, outcomes.count("0"), note))
        checks.append(PAPER.same(table, f"{row}, accuracy", accuracy, int(passes) / TASKS))
    return checks


def _utilities() -> list[Check]:
    return [
        PAPER.same(f"Table {number}", f"{model} {tool}, utility", utility, int(useful) - int(other))
        for number, model, tool, useful, other, utility, _, _ in TABLES["utilities"]
    ]


def _calls() -> list[Check]:
    checks = []
    for number, model, useful, every, useful_alone, every_alone, utility in TABLES["calls"]:
        tools = [row for row in TABLES["utilities"] if row[1] == model]
        good = sum(int(row[3]) for row in tools)
        bad = sum(int(row[4]) for row in tools)
        table, note = f"Table {number}", "summed over the tools"
        checks.append(PAPER.same(table, f"{model} default, useful calls", useful, good, note))
        checks.append(PAPER.same(table, f"{model} default, all calls", every, good + bad, note))
        alone = int(useful_alone) - (int(every_alone) - int(useful_alone))
        checks.append(PAPER.same("Section 4.2", f"{model} grafana, utility", utility, alone))
    return checks


def _claims() -> list[Check]:
    lead = [read_printed(row[7]) - read_printed(row[6]) for row in TABLES["utilities"]]
    least = min(lead, key=lambda difference: difference.value)
    accuracy = {(row[1], row[2]): int(row[4]) for row in TABLES["outcomes"]}
    lost = min(
        accuracy[model, "grafana"] - accuracy[model, "no-mcp"]
        for model in ("GPT-5.3-Codex", "Gemini-3.1-Pro")
    )
    return [
        PAPER.same("Section 3.4", "trajectories", "150", TASKS * 3 * 2, "25 * 3 * 2"),
        PAPER.same("Section 3.4", "private tasks", "75", 100 - TASKS, "100 - 25"),
        PAPER.claim("Section 6", "judge surer of non-positive calls", ">", "0", least),
        PAPER.claim("Section 4.1", "tasks lost without Grafana/Loki", ">", "0", lost),
    ]
