"""Recomputes the tool-efficiency paper: passes, accuracies, utilities, call counts.

Aggregate utility of a tool = useful calls - others. Worked: Grafana/Loki under GPT-5.3-Codex,
52 - 27 = +25.
"""

from agentdyno_bench.reproduction.check import Check, Paper
from agentdyno_bench.reproduction.printed_numbers import read_printed

PAPER = Paper("tool-efficiency")
TASKS = 25

OUTCOMES = """
1  GPT-5.3-Codex   default  0011001010000000010100110  8  17  0.32
1  GPT-5.3-Codex   grafana  0011001010000000011100110  9  16  0.36
1  GPT-5.3-Codex   no-mcp   0000001011000000000100110  6  19  0.24
2  Gemini-3.1-Pro  default  0011001011000000110100100  9  16  0.36
2  Gemini-3.1-Pro  grafana  0011101010000000011100100  9  16  0.36
2  Gemini-3.1-Pro  no-mcp   0011001000000000000100100  5  20  0.20
"""
"""Appendix B's outcome of each of the 25 tasks; passes, fails and accuracy of Tables 1 and 2."""

UTILITIES = """
3  GPT-5.3-Codex   Grafana/Loki  52  27  +25  0.819  0.890
3  GPT-5.3-Codex   Mattermost     7  42  -35  0.734  0.927
3  GPT-5.3-Codex   Plane         23  53  -30  0.775  0.928
4  Gemini-3.1-Pro  Grafana/Loki  26  21  +5   0.825  0.870
4  Gemini-3.1-Pro  Mattermost     3  20  -17  0.673  0.930
4  Gemini-3.1-Pro  Plane          3  31  -28  0.607  0.917
"""
"""Tables 3 and 4 (default variant): useful and other calls, aggregate utility as section 4.2 states
it, mean confidence of the judge on either kind."""

CALLS = """
5  GPT-5.3-Codex   82  204  58  87  +29
6  Gemini-3.1-Pro  32  104  23  43  +3
"""
"""Tables 5 and 6: useful and all calls under default, then under grafana, and its utility."""


def check_tool_efficiency() -> list[Check]:
    """Every figure of the paper that follows from others."""
    return [*_outcomes(), *_utilities(), *_calls(), *_claims()]


def _outcomes() -> list[Check]:
    checks = []
    for number, model, variant, outcomes, passes, fails, accuracy in _rows(OUTCOMES):
        table, row = f"Table {number}", f"{model} {variant}"
        note = "counted in appendix B"
        checks.append(PAPER.same(table, f"{row}, pass", passes, outcomes.count("1"), note))
        checks.append(PAPER.same(table, f"{row}, fail", fails, outcomes.count("0"), note))
        checks.append(PAPER.same(table, f"{row}, accuracy", accuracy, int(passes) / TASKS))
    return checks


def _utilities() -> list[Check]:
    return [
        PAPER.same(f"Table {number}", f"{model} {tool}, utility", utility, int(useful) - int(other))
        for number, model, tool, useful, other, utility, _, _ in _rows(UTILITIES)
    ]


def _calls() -> list[Check]:
    checks = []
    for number, model, useful, every, useful_alone, every_alone, utility in _rows(CALLS):
        tools = [row for row in _rows(UTILITIES) if row[1] == model]
        good = sum(int(row[3]) for row in tools)
        bad = sum(int(row[4]) for row in tools)
        table, note = f"Table {number}", "summed over the tools"
        checks.append(PAPER.same(table, f"{model} default, useful calls", useful, good, note))
        checks.append(PAPER.same(table, f"{model} default, all calls", every, good + bad, note))
        alone = int(useful_alone) - (int(every_alone) - int(useful_alone))
        checks.append(PAPER.same("Section 4.2", f"{model} grafana, utility", utility, alone))
    return checks


def _claims() -> list[Check]:
    lead = [read_printed(row[7]) - read_printed(row[6]) for row in _rows(UTILITIES)]
    least = min(lead, key=lambda difference: difference.value)
    accuracy = {(row[1], row[2]): int(row[4]) for row in _rows(OUTCOMES)}
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


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]
