"""What a change would save, as values: figures before and after, each with what it assumes."""

from msgspec import Struct

from agentdyno.cost.serving_evidence import Evidence
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.estimated import EstimatedTokens


class Figure(Struct, frozen=True, kw_only=True):
    """One quantity before and after a change, over the trajectories where both are known."""

    name: str
    """pte, pte_growth, gpu_seconds or usd."""
    before: float | None
    """Total as recorded; None when it is known for no trajectory."""
    after: float | None
    difference: float | None
    change: float | None
    """The difference as a share of before; None when before is 0."""
    before_mean: float | None
    """Mean per trajectory as recorded."""
    after_mean: float | None
    """Mean per trajectory as predicted."""
    trajectories: int
    """How many trajectories the figure covers."""
    left_out: int
    """How many it does not, because before or after is unknown; all, where PTE have no sum."""
    assumption: str
    """What must hold for `after` to come true."""


class Scenario(Struct, frozen=True, kw_only=True):
    """One change, or several together."""

    title: str
    touched: str
    """What of the ledger that concerns."""
    turns_before: int
    turns_after: int
    """Model calls that would remain."""
    figures: list[Figure]
    """PTE, PTE with growth, GPU-seconds and money, in this order."""
    cannot_say: dict[str, int]
    """Why nothing can be said about some trajectories, and about how many."""


class WhatIf(Struct, frozen=True, kw_only=True):
    """The answer to all that was asked."""

    ledger: str
    trajectories: int
    cache: str
    """The cache assumption behind the recorded PTE."""
    hardware: str
    """The hardware behind the recorded PTE."""
    concurrency: int | None
    """Requests in progress at once, behind GPU-seconds; None: as recorded, or the default where
    the traces have no times."""
    evidence: Evidence | None = None
    """How far such GPU-seconds were off where they were measured; None: not known."""
    unit: CostUnit = "pte"
    """What savings are counted in: GPU-seconds where a change puts another model in place, or where
    the ledger has several architectures; PTE are then added up nowhere."""
    scenarios: list[Scenario]
    """Each change alone; empty when only one was asked for."""
    together: Scenario
    notes: list[str]
    estimated: EstimatedTokens | None = None
    """What of it rests on estimated counts, and how far off that may be; None: nothing does."""
