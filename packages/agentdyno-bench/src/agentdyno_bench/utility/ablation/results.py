"""A benchmark under several tool suites, as values: the table of variants, and pairs of them."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno_bench.utility.worth.results import Worth


class VariantRow(Struct, frozen=True, kw_only=True):
    """One tool suite."""

    variant: str
    tools: tuple[str, ...]
    """The tools that were offered."""
    trajectories: int
    """Number of attempts with this variant."""
    passed: int
    """Attempts that solved their task."""
    failed: int
    accuracy: Estimate
    """Share of the graded attempts that solved it, clustered by task."""
    useful_calls: int | None
    """Calls that helped; None when nothing was judged."""
    calls: int | None
    """Judged calls; None when nothing was judged."""
    mean_eta: Estimate | None
    """Mean tool efficiency; None when nothing was judged."""
    pooled_eta: Estimate | None
    """Useful over all judged calls."""
    cost: Estimate
    """Mean cost of an attempt, in the unit of the experiment."""
    usd: Estimate
    """Mean money of an attempt."""


class Ablation(Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    benchmark: str
    ledger: str
    """Where all variants were measured."""
    judged_by: str | None
    """Who judged which calls helped; None without a judge."""
    variants: list[VariantRow]
    """In the order given."""
    pairs: list[Worth]
    """Every other variant against the first."""
    notes: list[str]
    unit: CostUnit = "pte"
