"""Levers that `whatif` computes: tools that nobody calls, and results longer than they need be."""

import re
from collections.abc import Iterator

import polars as pl

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.overview_sums import LONG_RESULT_TOKENS
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.unused_servers import study_unused_servers
from agentdyno.studies.whatif import WhatIfOptions
from agentdyno.studies.whatif.shared import CAPPED, ReadJoins, ask_whatif

CHARACTERS = 3
"""Of a result, in a token: see `cost.columns`."""
SAME = "the agent acts as it did"


def find_unused_tools(context: ReportContext) -> Iterator[Lever]:
    """Tools that are offered and never called, by anyone. They are not advised against: a tool for
    rare occasions may be the one that matters. Its schema need not stand in every context. Tools of
    an MCP server that nobody called are that server's lever."""
    of_servers = {tool for each in study_unused_servers(context) for tool in each.tools}
    called = context.sums["called"]["tool"].unique().to_list()
    unused = (
        context.sums["schemas"]
        .filter(~pl.col("name").is_in([*called, *of_servers]))
        .group_by("name", maintain_order=True)
        .agg(pl.col("cost").sum())
        .sort("cost", descending=True)["name"]
        .to_list()
    )
    if unused:
        patterns = tuple(_literal(name) for name in unused)
        amount = predict_saving(context, WhatIfOptions(drop_tools=patterns))
        command = " ".join(f"--drop-tool {name}" for name in unused[:8])
        yield from _lever(
            context, "unused_tools", "offer unused tools only on demand", unused, amount,
            command if len(unused) <= 8 else "",
        )  # fmt: skip


def long_results(context: ReportContext) -> Iterator[Lever]:
    """Results cut after so many tokens."""
    long = context.sums["long"]
    if long.is_empty():
        return
    by_tool = long.group_by("name", maintain_order=True).agg(pl.col("beyond").sum())
    tools = by_tool.sort("beyond", descending=True)["name"].drop_nulls().to_list()
    amount = predict_saving(context, CAPPED)
    what = f"return at most {LONG_RESULT_TOKENS:,} tokens"
    command = f"--cap-results {LONG_RESULT_TOKENS}"
    evidence = (
        f"{long['len'].sum():,} results are longer, {long['tokens'].sum():,.0f} tokens in all"
    )
    change = _limits(tools) if set(context.summary.by_format) == {"claude_code"} else ""
    yield from _lever(context, "long_results", what, tools, amount, command, evidence, change)


def _limits(tools: list[str]) -> str:
    """How Claude Code is told to return less: its settings are in characters for commands and in
    tokens for MCP servers; a file is read in pieces where its instructions ask for that."""
    changes = []
    if "Bash" in tools:
        changes.append(f'"BASH_MAX_OUTPUT_LENGTH": "{CHARACTERS * LONG_RESULT_TOKENS}"')
    if any(tool.startswith("mcp__") for tool in tools):
        changes.append(f'"MAX_MCP_OUTPUT_TOKENS": "{LONG_RESULT_TOKENS}"')
    stated = [f'in ~/.claude/settings.json set "env": {{{", ".join(changes)}}}'] if changes else []
    if "Read" in tools:
        stated.append('in CLAUDE.md write "Read long files with offset and limit."')
    return "; ".join(stated)


def predict_saving(
    context: ReportContext, options: WhatIfOptions, read_joins: ReadJoins | None = None
) -> float | None:
    """In the ledger's unit, by the prediction that `whatif` makes; None where it refuses."""
    found = ask_whatif(context, options, read_joins)[context.unit]
    return None if found is None else found.before - found.after


def _lever(
    context: ReportContext, name: str, what: str, where: list[str], amount: float | None,
    command: str, evidence: str = "", change: str = "",
) -> Iterator[Lever]:  # fmt: skip
    if amount is not None and amount > 0:
        yield Lever(
            name=name,
            what=what,
            where=where,
            amount=amount,
            share=amount / (context.summary.cost or 1.0),
            unit=context.unit,
            certainty="predicted",
            assumption=SAME,
            command=command,
            evidence=evidence,
            change=change,
        )


def _literal(name: str) -> str:
    """A glob that fits this name alone."""
    return re.sub(r"([*?[])", r"[\1]", name)


FINDERS = (
    LeverFinder("unused_tools", find_unused_tools),
    LeverFinder("long_results", long_results),
)
