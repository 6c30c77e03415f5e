"""A benchmark under several tool suites, as values: the table of variants, and pairs of them."""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.results import MetricComparison


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


class VariantPair(Struct, frozen=True, kw_only=True):
    """A variant against the first one, task by task."""

    first: str
    """The one it is held against."""
    second: str
    """The variant that is compared with the first."""
    pairing: str
    """What the attempts were paired by."""
    metrics: list[MetricComparison]
    """Accuracy, goals met of planning tasks, eta, cost and money."""
    only_first: int
    """Tasks that only the first solved, where each was tried once."""
    only_second: int
    """Tasks that only the second solved."""
    mcnemar_p: float | None
    """McNemar's p on these; None when no task differs."""


class Ablation(Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    benchmark: str
    ledger: str
    """Where all variants were measured."""
    judged_by: str | None
    """Who judged which calls helped; None without a judge."""
    variants: list[VariantRow]
    """In the order given."""
    pairs: list[VariantPair]
    """Every other variant against the first."""
    notes: list[str]
    unit: CostUnit = "pte"
