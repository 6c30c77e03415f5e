"""Single trajectories, turn by turn, as values: what a report shows on request."""

from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.results import PatternCase


class Excerpt(Struct, frozen=True):
    """How a call's request and result begin, without secrets."""

    request: str | None
    """Of the arguments; None where there are none."""
    result: str | None
    """Of what came back; None where nothing did."""


Excerpts = dict[tuple[str, int, int], Excerpt]
"""By trajectory, turn and call."""


class CallDetail(Struct, frozen=True):
    """One tool call."""

    tool: str | None
    request_tokens: float | None
    result_tokens: float | None
    wait_seconds: float | None
    """How long the tool took."""
    cost: float | None
    """Share of the trajectory's cost: request and result, over all turns that held them."""
    error: str | None
    subject: str | None = None
    """The file, command, … that it is about."""
    excerpt: Excerpt | None = None
    """How its request and result begin; None where the trace was not read again."""


class TurnDetail(Struct, frozen=True):
    """One model call and the tool calls it made."""

    prefill_tokens: int | None
    """Context tokens prefilled, under the cache assumption."""
    context_tokens: int | None
    """Tokens in context before decoding."""
    decode_tokens: int | None
    cached_tokens: int | None
    """Tokens the provider read from its cache."""
    cost: float | None
    latency_seconds: float | None
    """Generation time."""
    token_source: str | None
    """How the tokens are known."""
    finish: str | None
    error: str | None
    """What went wrong with the model call."""
    calls: list[CallDetail]


class TrajectoryDetail(Struct, frozen=True):
    trajectory_id: str
    """Its name in the ledger."""
    setting: SettingName
    task_id: str | None
    attempt: int | None
    level: str | None
    """How hard the task is."""
    source: str
    """The file it came from."""
    correct: bool | None
    """Whether it was solved."""
    cost: float | None
    usd: float | None
    calls: int
    gamma_source: str | None
    """Where its gamma comes from."""
    kinds: dict[str, float]
    """What each kind of part costs."""
    turns: list[TurnDetail]
    patterns: list[PatternCase]
    """Wasteful patterns found in it."""
    title: str | None = None
    """The session's title, or how its first prompt begins."""


class Drilldown(Struct, frozen=True):
    """The most expensive trajectories of a ledger."""

    trajectories: list[TrajectoryDetail]
    """The most expensive first."""
    total: int
    """How many the ledger holds."""
    unit: CostUnit = "pte"
    """What their costs are counted in."""
