"""A ledger's summary as Markdown. Text from traces is escaped, so it can forge no structure."""

import re

from agentdyno.records import counted
from agentdyno.reports.costs import basis, seconds, total
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short
from agentdyno.reports.terminal import caveats
from agentdyno.studies.cost.summary_results import Summary

# Markup, the marks of links that need no markup, and what makes a list or a rule at a line's start.
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&@]|:(?=//)|(?<=[wW]{3})\.|^[-=]|(?<=^\d)\.)")


def escape(text: str) -> str:
    """Foreign text that renders as itself."""
    return _SPECIAL.sub(r"\\\1", text)


def render_summary(s: Summary) -> str:
    """The whole summary."""
    blocks = ["# What it cost", _headline(s), _settings(s), _kinds(s)]
    if s.tools:
        blocks.append(_tools(s))
    if notes := caveats(s):
        blocks.append("## To know\n\n" + "\n".join(f"- {escape(note.strip())}" for note in notes))
    return "\n\n".join(blocks) + "\n"


def _headline(s: Summary) -> str:
    money = f", {dollars(s.usd)}" if s.usd is not None else ""
    return (
        f"{counted(s.trajectories, 'trajectory', 'trajectories')}, {counted(s.turns, 'turn')}, "
        f"{counted(s.calls, 'tool call')}: **{' '.join(total(s))}** "
        f"({s.cache} cache, {escape(label(s.hardware))}){money}."
        f"{f' {basis(s)}.' if basis(s) else ''}"
    )


def _rows(head: list[str], rows: list[list[str]]) -> str:
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def _settings(s: Summary) -> str:
    head = ["setting", "n", "accuracy", "95 %", "PTE", "GPU-seconds", "tokens", "turns", "calls",
            "money", "gamma"]  # fmt: skip
    rows = [
        [
            escape(label(r.model, r.benchmark, r.variant)),
            f"{r.trajectories:,}",
            percent(r.accuracy),
            _interval(r.accuracy_low, r.accuracy_high),
            short(r.pte_mean),
            seconds(r.gpu_seconds_mean),
            short(r.tokens_mean),
            f"{r.turns_mean:.1f}",
            f"{r.calls_mean:.1f}",
            dollars(r.usd_mean),
            escape(label(r.gamma_source)),
        ]
        for r in s.settings
    ]
    return "## By setting\n\nMeans per trajectory.\n\n" + _rows(head, rows)


def _interval(low: float | None, high: float | None) -> str:
    return UNKNOWN if low is None else f"{percent(low)} to {percent(high)}"


def _kinds(s: Summary) -> str:
    rows = [[r.kind, short(r.tokens), short(r.pte), percent(r.pte_share)] for r in s.kinds]
    return "## Where the fuel went\n\n" + _rows(["part", "tokens", "PTE", "share"], rows)


def _tools(s: Summary) -> str:
    head = ["tool", "calls", "failed", "PTE", "share", "schema", "requests", "results"]
    rows = [
        [
            escape(label(r.tool)),
            f"{r.calls:,}",
            f"{r.errors:,}",
            short(r.pte),
            percent(r.pte_share),
            short(r.schema_pte),
            short(r.request_pte),
            short(r.result_pte),
        ]
        for r in s.tools
    ]
    return "## By tool\n\nShares of PTE, not savings.\n\n" + _rows(head, rows)
