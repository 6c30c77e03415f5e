"""A ledger at a glance, as values: what `measure` prints and `report` renders.

What is called `cost` is in the `unit` that the summary names; `pte` is PTE, `usd` dollars and
`gpu_seconds` seconds, whatever that unit is.
"""

from typing import Any

from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.agents import AgentCosts
from agentdyno.studies.cost.estimated import EstimatedTokens
from agentdyno.studies.cost.served_summary import ServedSummary


class SettingSummary(Struct, frozen=True):
    """One setting: model x benchmark x variant."""

    model: str | None
    benchmark: str | None
    variant: str | None
    trajectories: int
    graded: int
    """How many of them the traces say to be solved or not."""
    accuracy: float | None
    """Share of the graded ones that were solved; None when none is graded."""
    accuracy_low: float | None
    """Lower end of its 95 % interval (Wilson)."""
    accuracy_high: float | None
    pte_mean: float | None
    """Mean cost in prefill-token equivalents."""
    pte_total: float | None
    pte_growth_mean: float | None
    """Mean cost with the growth term."""
    gpu_seconds_mean: float | None
    """Mean of what a trajectory takes from the machine, at the summary's concurrency."""
    tokens_mean: float | None
    """Mean of prefilled and generated tokens."""
    turns_mean: float
    """Mean number of model calls."""
    calls_mean: float
    """Mean number of tool calls."""
    usd_mean: float | None
    """Mean money; None where unpriced."""
    gamma: float | None
    """Gamma of the setting's model."""
    gamma_source: str | None
    """`model`, `proxy`, `user` or `measured`."""
    architecture: str | None = None
    """What that gamma is of; of a closed model the proxy's name."""


class ToolSummary(Struct, frozen=True):
    """One tool over the whole ledger: its schema, its requests and its results."""

    tool: str
    calls: int
    """How often it was called; 0 for a tool that was offered and never called."""
    errors: int
    """How many of the calls are known to have failed."""
    offered: int
    """In how many trajectories its schema stood in context."""
    cost: float | None
    """Schema, requests and results together, in the summary's unit."""
    share: float | None
    """The same, divided by the ledger's cost."""
    schema_cost: float | None
    request_cost: float | None
    result_cost: float | None
    result_tokens_mean: float | None
    """Mean size of a result."""


class KindSummary(Struct, frozen=True):
    """Where the fuel went: one kind of part."""

    kind: str
    """system, schema, user, reasoning, text, request, result or unseen."""
    tokens: float | None
    """Its size in all trajectories."""
    cost: float | None
    """What it costs, in the summary's unit."""
    share: float | None
    """The same, divided by the ledger's cost."""


class Summary(Struct, frozen=True):
    """A ledger at a glance."""

    ledger: str
    trajectories: int
    turns: int
    calls: int
    bad_records: int
    by_format: dict[str, int]
    """Trajectories by format."""
    by_token_source: dict[str, int]
    """Turns by how their tokens are known."""
    cost: float | None
    """Cost of all trajectories, in `unit`."""
    pte: float | None
    """PTE of all trajectories; None where they ran on several architectures, whose PTE do not add
    up."""
    pte_growth: float | None
    """The same with the growth term."""
    gpu_seconds: float | None
    """What all trajectories take from the machines that serve them, replayed; None where costs are
    money, or when it cannot be computed."""
    gpu_usd: float | None
    """The same in money, by the hardware profile's price of an hour; None without one."""
    architectures: int
    usd: float | None
    """Money of what has a price; None when nothing has."""
    estimated_usd: float | None
    """Of that money, what was charged for tokens whose count is an estimate."""
    unpriced: int
    """Trajectories of which not every turn has a price."""
    unpriced_models: dict[str, int]
    """Turns without a price by model; an empty name where the trace has none."""
    unpriced_turns: int
    """All of these: they are not in `usd`."""
    context_tokens: int | None
    """Tokens that all turns had in context; None where no turn's are known."""
    decode_tokens: int | None
    """Tokens that all turns generated; None where no turn's are known."""
    unmeasured: int
    """Trajectories whose cost cannot be computed: they are left out of every sum."""
    cache: str
    hardware: str
    settings: list[SettingSummary]
    """By setting, the most expensive first."""
    tools: list[ToolSummary]
    """By tool, the most expensive first."""
    kinds: list[KindSummary]
    """By kind of part, the most expensive first."""
    bad: list[dict[str, Any]]
    """The first bad records."""
    repeats: int = 0
    """Responses that stand in several places, and count in another one than these."""
    byte_equal: int = 0
    """How many of these are taken for copies only because their files are byte-equal."""
    agents: AgentCosts | None = None
    """Main agents against sub-agents; None where there are none."""
    estimated: EstimatedTokens | None = None
    """How much rests on estimated counts; None where every one was reported."""
    unseen: dict[str, float] = {}
    """Cost of what the traces do not show, by what it is."""
    gateway_turns: int = 0
    """Turns whose counts are a gateway's own (`studies.gateways`)."""
    gateway_usd: float | None = None
    """What these cost by its counts."""
    reported_money: int = 0
    """Turns whose money is what the trace says, because their model has no price."""
    no_cached_price: dict[str, int] = {}
    """Turns by model whose money is unknown because no price is listed for cached tokens."""
    unit: CostUnit = "pte"
    """What costs over all settings are counted in."""
    unit_chosen: bool = False
    """Whether somebody asked for that unit."""
    pte_name: str = "PTE"
    """What these PTE are called: with the form of gamma and the cache where they are not the
    paper's."""
    cache_unreported: int = 0
    """Turns of which the provider reports no cache: the observed cache has nothing for them."""
    served: ServedSummary | None = None
    """The servers behind GPU-seconds; None where costs are money, or no server is known."""
