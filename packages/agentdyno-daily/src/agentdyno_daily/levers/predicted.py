"""Tools that nobody calls, and what any change saves by the prediction that `whatif` makes."""

import re
from collections.abc import Iterator

import polars as pl

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers.finder import LeverFinder
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.unused_servers import study_unused_servers
from agentdyno.studies.whatif import WhatIfOptions
from agentdyno.studies.whatif.shared import ask_whatif
from agentdyno_daily.levers.settings import describe_edits, list_edits

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
        patterns = tuple(literal(name) for name in unused)
        amount = predict_saving(context, WhatIfOptions(drop_tools=patterns))
        command = " ".join(f"--drop-tool {name}" for name in unused[:8])
        if amount is not None and amount > 0:
            edits = list_edits("tools off", unused, sorted(context.summary.by_format))
            yield Lever(
                name="unused_tools",
                kind="setting" if edits else "habit",
                what="offer unused tools only on demand",
                where=unused,
                amount=amount,
                share=amount / (context.summary.cost or 1.0),
                unit=context.unit,
                certainty="predicted",
                assumption=SAME,
                command=command if len(unused) <= 8 else "",
                edits=edits,
                change=describe_edits(edits),
            )


def predict_saving(context: ReportContext, options: WhatIfOptions) -> float | None:
    """In the ledger's unit, by the prediction that `whatif` makes; None where it refuses."""
    found = ask_whatif(context, options)[context.unit]
    return None if found is None else found.before - found.after


def literal(name: str) -> str:
    """A glob that fits this name alone."""
    return re.sub(r"([*?[])", r"[\1]", name)


FINDERS = (LeverFinder("unused_tools", find_unused_tools),)
