"""Two sides of a comparison and what the data say about their difference, as values."""

from typing import Literal

from msgspec import Struct

from agentdyno.cost.serving_evidence import Evidence
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.estimated import EstimatedTokens

GateState = Literal["kept", "broken", "inconclusive"]
"""`kept` and `broken` only when the data say so at the chosen confidence."""


class SideSummary(Struct, frozen=True):
    """What stands on one side."""

    ledger: str
    setting: str
    """The filter that chose its trajectories; empty when all of the ledger was taken."""
    trajectories: int
    """Attempts; a sub-agent counts with the trajectory that started it."""
    tasks: int
    """Different tasks; an attempt without a task id counts as its own."""
    models: list[str]
    """The models of the attempts."""
    settings: int
    """How many settings (model x benchmark x variant) are mixed in it."""
    estimated: EstimatedTokens | None = None
    """What of it rests on estimated counts, and how far off that may be; None: nothing does."""


EffectKind = Literal["difference", "ratio"]


class TypicalChange(Struct, frozen=True, kw_only=True):
    """What the typical task changed by: every task counts alike, however much it costs."""

    ratio: float | None
    """Geometric mean over tasks of B over A (1.05 is 5 % more)."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    p: float | None
    """Two-sided p against no change."""
    n: int
    left_out_tasks: int
    """Tasks without a ratio: their amount is zero or unknown on a side."""
    method: str
    reason: str | None
    """Why the ratio or its interval is missing; None when both are there."""


class MetricComparison(Struct, frozen=True, kw_only=True):
    """One quantity on both sides."""

    metric: str
    """accuracy, pte, pte_growth, gpu_seconds, tokens, turns, calls, usd or latency_seconds."""
    kind: EffectKind
    """Accuracy is compared by its difference, an amount by the ratio of its means (the bill)."""
    a_mean: float | None
    """Mean of A over what is compared; None when unknown."""
    b_mean: float | None
    effect: float | None
    """B minus A as a share (0.02 is two points), or mean of B over mean of A (1.05 is 5 % more)."""
    low: float | None
    """Lower end of the effect's interval."""
    high: float | None
    p: float | None
    """Two-sided p against no effect."""
    p_holm: float | None
    """The same, corrected for the number of metrics that were compared (Holm)."""
    n: int
    """Tasks it rests on: pairs when paired, else the tasks of both sides."""
    method: str
    reason: str | None
    """Why the effect or its interval is missing; None when both are there."""
    typical: TypicalChange | None = None
    """The typical task beside the bill; None where tasks are not paired, and for accuracy."""


class GateVerdict(Struct, frozen=True, kw_only=True):
    """What the data say about one gate."""

    gate: str
    """The gate as it was written."""
    metric: str
    statistic: str = "mean"
    """`mean` for a gate on the bill, `typical` for one on the typical task."""
    state: GateState
    """Kept, broken, or inconclusive."""
    value: float | None
    """What was compared with the limit, in the limit's unit (5.0 for +5 %, 2.0 for +2pt)."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    limit: float
    """The limit, in the unit of the gate."""
    unit: str
    """`%`, `pt`, or empty for the metric's own unit."""
    n: int
    left_out_tasks: int = 0
    """Of a typical task's gate: tasks whose amount is zero or unknown on a side."""
    more_tasks_needed: int | None
    """About how many more tasks would decide it with a chance of 80 %; the least that give an
    interval where there is none yet. None when decided, or when they would be over a million."""
    more_tasks_low: int | None = None
    """How many would do if the true value lay a standard error further from the limit."""
    more_tasks_high: int | None = None
    """The same if it lies a standard error nearer; None when no number of tasks would then do."""
    sentence: str


class Comparison(Struct, frozen=True, kw_only=True):
    """A against B."""

    a: SideSummary
    b: SideSummary
    paired: bool
    pairing: str
    """What was paired and left out, or why nothing could be paired."""
    confidence: float
    """Of every interval and gate."""
    cache: str
    """The cache assumption behind PTE on both sides."""
    hardware: str
    """The hardware behind PTE on both sides."""
    concurrency: int
    """Requests served at once, behind GPU-seconds."""
    verdict: str
    """The answer in one line."""
    metrics: list[MetricComparison]
    """Every quantity, accuracy first."""
    gates: list[GateVerdict]
    """Every gate, in the order given."""
    warnings: list[str]
    """What makes the sides less comparable than they look."""
    unit: CostUnit = "pte"
    """What costs are compared in."""
    pte_name: str = "PTE"
    """What PTE are called on both sides."""
    evidence: Evidence | None = None
    """How far GPU-seconds of such models were off; None: nothing is known."""

    @property
    def broken(self) -> list[GateVerdict]:
        """The gates that the data break."""
        return [gate for gate in self.gates if gate.state == "broken"]

    @property
    def inconclusive(self) -> list[GateVerdict]:
        """The gates that the data can neither keep nor break."""
        return [gate for gate in self.gates if gate.state == "inconclusive"]
