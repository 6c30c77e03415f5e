"""The numbers of a batch of trajectories: tokens, gammas, costs and shares, as arrays.

Enters: trajectories and a `Meter`. Leaves: a `Batch`, which `tables` lays out for the ledger.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from msgspec import Struct

from agentdyno.metrics.cost.attribution import Shares, attribute
from agentdyno.metrics.cost.columns import Columns, Floats, Ints, flatten
from agentdyno.metrics.cost.gamma import Gamma, turn_gammas
from agentdyno.metrics.cost.prices import Price, money
from agentdyno.metrics.cost.pte import CACHE_ASSUMPTIONS, CacheAssumption, TurnCosts, cost_turns
from agentdyno.metrics.cost.split import Split, split_tokens
from agentdyno.records import Trajectory, Turn

SOURCES = ("reported", "counted", "estimated")
"""From the most certain to the least."""


class Engine(Struct, frozen=True):
    """What a model's tokens cost: the engine that the fuel went through."""

    architecture: str
    """Name of the architecture that gamma was computed from."""
    gamma: Gamma
    """Cost of reading the cache."""
    price: Price | None
    """Money per token; None where unpriced."""


class Meter(Struct, frozen=True):
    """Everything that turns tokens into cost."""

    engine: Callable[[str | None], Engine]
    """The engine of a model."""
    count: Callable[[str | None, str], int]
    """Tokens of a text, by the vocabulary of a model."""
    count_source: Callable[[str | None], str]
    """`counted` or `estimated`: how far that count can be trusted for the model."""
    cache: CacheAssumption = "evicted"
    """The cache assumption behind `pte`."""
    exact: bool = False
    """Whether texts are counted also where totals are reported."""


class Batch:
    """The numbers of one batch, computed once."""

    def __init__(self, trajectories: Sequence[Trajectory], meter: Meter) -> None:
        self.items, self.meter = trajectories, meter
        self.columns: Columns = flatten(trajectories, _count_with(meter), meter.exact)
        self.split: Split = split_tokens(self.columns)
        self.all_turns: list[Turn] = list(chain.from_iterable(t.turns for t in trajectories))
        self.models = _turn_models(trajectories)
        self.engines = {model: meter.engine(model) for model in set(self.models)}
        self.gammas = turn_gammas([self.engines[model].gamma for model in self.models])
        self.gamma = self.gammas.effective(self.split.context)
        self.costs: dict[CacheAssumption, TurnCosts] = {
            a: cost_turns(self.columns, self.split, self.gammas, a) for a in CACHE_ASSUMPTIONS
        }
        self.shares: Shares = attribute(self.columns, self.split, self.gammas, meter.cache)
        self.sources = _turn_sources(trajectories, self.all_turns, meter)
        self.usd = _money_by_turn(self.models, self.engines, self.all_turns, self.split)

    def by_trajectory(self, per_turn: Floats) -> Floats:
        """Sums over turns; unknown when any turn is."""
        sums = np.bincount(self.columns.turn_trajectory, per_turn, len(self.items))
        return sums.astype(np.float64)


def _count_with(meter: Meter) -> Callable[[Trajectory, str], int]:
    return lambda trajectory, text: meter.count(trajectory.model, text)


def _turn_models(items: Sequence[Trajectory]) -> list[str | None]:
    return [turn.model or t.model for t in items for turn in t.turns]


def _turn_sources(
    items: Sequence[Trajectory], turns: list[Turn], meter: Meter
) -> tuple[Ints, Ints, Ints]:
    counted: list[str] = []
    for t in items:
        counted += [meter.count_source(t.model)] * len(t.turns)
    prefill = _source_codes([t.prefill.source if t.prefill else None for t in turns], counted)
    decode = _source_codes([t.decode.source if t.decode else None for t in turns], counted)
    return prefill, decode, np.maximum(prefill, decode)


def _source_codes(given: list[Any], counted: list[str]) -> Ints:
    code = {source: place for place, source in enumerate(SOURCES)}
    return np.array([code[g or c] for g, c in zip(given, counted, strict=True)], dtype=np.int64)


def _money_by_turn(
    models: list[str | None],
    engines: dict[str | None, Engine],
    turns: list[Turn],
    split: Split,
) -> Floats:
    """Money of every turn; unknown where its model is unpriced."""
    rates = {model: _rates(engine.price) for model, engine in engines.items()}
    fresh, hit, write, out = np.array([rates[model] for model in models]).reshape(-1, 4).T
    cached = np.array([turn.cached_tokens or 0 for turn in turns], dtype=np.float64)
    written = np.array([turn.cache_write_tokens or 0 for turn in turns], dtype=np.float64)
    uncached = np.maximum(split.context - cached - written, 0.0)
    usd: Floats = uncached * fresh + cached * hit + written * write + split.decode * out
    return usd


def _rates(price: Price | None) -> tuple[float, float, float, float]:
    """USD per uncached, cached, cache-writing and generated token; unknown without a price."""
    if price is None:
        return (np.nan, np.nan, np.nan, np.nan)
    one = [money(price, *(int(i == j) for j in range(4))) for i in range(4)]
    return tuple(np.nan if paid is None else paid for paid in one)  # type: ignore[return-value]
