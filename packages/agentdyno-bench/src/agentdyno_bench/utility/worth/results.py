"""What a tool, an MCP server or a skill is worth, as values."""

from typing import Literal

from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.results import MetricComparison

CONFIDENCE = 0.95
Verdict = Literal["keep", "drop", "defer", "undecided"]
BILL = ("menu", "calls", "returns", "what followed")
"""Parts of a bill: schemas of the tools, requests to them, results and re-reading them, others."""


class Decision(Struct, frozen=True, kw_only=True):
    """The verdict on the tools that only one side has."""

    verdict: Verdict
    reason: str
    """The difference in cost and in solved tasks, or what is missing."""
    more_tasks: int | None = None
    """About how many more tasks would decide it; None when decided or when nobody can tell."""


class Worth(Struct, frozen=True, kw_only=True):
    """Attempts without some tools against attempts with them, task by task."""

    first: str
    """The side with the tools."""
    second: str
    """The side without them."""
    tools: tuple[str, ...]
    """Tools that only one side has, or that the user named."""
    pairing: str
    """What the attempts were paired by."""
    decision: Decision
    metrics: list[MetricComparison]
    """Solved, goals met of planning tasks, eta, cost, money and time."""
    bill: list[MetricComparison]
    """Each of `BILL` in dollars and PTE (`menu usd`), and the sums; empty if neither compares."""
    menu_outweighs: float | None
    """Share of tasks on which the menu costs more than the results; None without schemas."""
    only_first: int
    """Tasks that only the first solved, where each was tried once."""
    only_second: int
    """Tasks that only the second solved."""
    mcnemar_p: float | None
    """McNemar's p on these; None when no task differs."""
    warnings: list[str]
    """What makes the sides less comparable than they look."""
    unit: CostUnit
    """What costs are compared in."""
