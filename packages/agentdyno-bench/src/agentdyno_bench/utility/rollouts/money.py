"""Prices continuations: before they run by the recorded turns, afterwards by their usage.

    expected usd of a continuation = price of the recorded turns after its cut
    expected usd of a look = the sum over continuations that no earlier run has finished

Worked: a trajectory of four turns of 2,000 prompt and 100 decoded tokens each, cut after the second
turn, at 1 and 5 USD a million: 2 * (0.002 + 0.0005) = 0.005 USD.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.prices import Price, money
from agentdyno.records import InputError
from agentdyno.studies.tables import Tables
from agentdyno_bench.utility.rollouts.continuations import Resumable, Rollout

_COLUMNS = ["context_tokens", "cached_tokens", "cache_write_tokens", "decode_tokens"]
_Tokens = tuple[int | None, int | None, int | None, int | None]


class Usage(Protocol):
    """Tokens that a sample used of one model; None where the provider did not say."""

    @property
    def uncached_tokens(self) -> int | None: ...
    @property
    def cached_tokens(self) -> int | None: ...
    @property
    def cache_write_tokens(self) -> int | None: ...
    @property
    def decode_tokens(self) -> int | None: ...


class Costs:
    """Prices against tokens."""

    def __init__(self, ledger: Tables, prices: Path | None) -> None:
        self._ledger = ledger
        self._prices = prices

    @cached_property
    def _turns(self) -> dict[str, list[_Tokens]]:
        """Tokens of every turn, by trajectory."""
        tokens_by_trajectory: dict[str, list[_Tokens]] = defaultdict(list)
        rows = self._ledger.read("turns").sort("trajectory_id", "turn")
        for name, *tokens in rows.select("trajectory_id", *_COLUMNS).iter_rows():
            tokens_by_trajectory[name].append((tokens[0], tokens[1], tokens[2], tokens[3]))
        return tokens_by_trajectory

    def estimate(self, trajectory: str, answers: int, model: str) -> float | None:
        """Money for the turns after the cut, were they taken by the model."""
        price = self._price(model)
        costs = [_turn_usd(price, tokens) for tokens in self._turns[trajectory][answers:]]
        priced = [usd for usd in costs if usd is not None]
        return sum(priced) if len(priced) == len(costs) and price is not None else None

    def count_paid(self, usage: Mapping[str, Usage]) -> float | None:
        """Money for the tokens of a sample, by model."""
        costs = [
            money(
                self._price(model),
                used.uncached_tokens,
                used.cached_tokens,
                used.cache_write_tokens,
                used.decode_tokens,
            )
            for model, used in usage.items()
        ]
        priced = [usd for usd in costs if usd is not None]
        return sum(priced) if len(priced) == len(costs) else None

    def _price(self, model: str) -> Price | None:
        return price_of(model, self._prices)


def _turn_usd(price: Price | None, tokens: _Tokens) -> float | None:
    context, cached, written, decoded = tokens
    if context is None:
        return None
    return money(price, context - (cached or 0) - (written or 0), cached, written, decoded)


class Expected(Struct, frozen=True, kw_only=True):
    """Calls, continuations and money expected of a command, before it runs."""

    calls: int
    """Calls whose sign is open."""
    continuations: int
    """Continuations of the first look that no earlier run has finished."""
    most: int
    """Continuations if no sign is settled before the last look."""
    usd: float | None
    """Money for the first look; None when a price is unknown."""
    models: tuple[str, ...]
    """The models that continue trajectories."""

    def __str__(self) -> str:
        many = f"about {self.continuations:,} continuations"
        money = "at an unknown price" if self.usd is None else f"about ${self.usd:,.2f}"
        return (
            f"{many}, {money}, for a first look at {self.calls:,} calls by "
            f"{', '.join(self.models)}; at most {self.most:,} in all"
        )


def refuse_above(estimate: Expected, max_usd: float | None) -> None:
    """`InputError` when the first look will cost more than allowed, or the cost is unknown."""
    if max_usd is None or estimate.continuations == 0:
        return
    if estimate.usd is None:
        raise InputError(
            f"--max-usd {max_usd:g}: {', '.join(estimate.models)} has no known price. Give one "
            "with --prices FILE, or leave --max-usd out."
        )
    if estimate.usd > max_usd:
        raise InputError(
            f"{estimate}: more than --max-usd {max_usd:g}. Raise it, or continue fewer calls with "
            "--sample N."
        )


def estimate_usd(bench: Resumable, rollouts: Sequence[Rollout]) -> float | None:
    """Money for these; None when it is unknown for any."""
    costs = [bench.estimate_usd(rollout) for rollout in rollouts]
    priced = [usd for usd in costs if usd is not None]
    return sum(priced) if len(priced) == len(costs) else None


def portions(
    bench: Resumable, rollouts: Sequence[Rollout], max_usd: float | None
) -> Iterator[Sequence[Rollout]]:
    """All at once where there is no limit; else so many at a time that twice their expected cost
    is still there, and none once it is not enough for one."""
    remaining = list(rollouts)
    first = bench.count_spent_usd() or 0.0
    while remaining:
        if max_usd is None:
            yield remaining
            return
        spent, finished = bench.count_spent_usd() or 0.0, len(rollouts) - len(remaining)
        each_usd = (estimate_usd(bench, remaining) or 0.0) / len(remaining)
        each_usd = max(each_usd, (spent - first) / finished if finished else 0.0)
        if spent + each_usd > max_usd:
            return
        many = max(1, int((max_usd - spent) / (2 * each_usd))) if each_usd else len(remaining)
        some, remaining = remaining[:many], remaining[many:]
        yield some
