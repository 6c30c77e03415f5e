"""Shares a session's totals out over its turns, for agents that count nothing else.

Takes a trajectory under construction and the sums that the agent wrote; every turn gets its share,
flagged `scaled`: the sums are as reported, the split is not known. Knows nothing of any agent.

The prompt that no text shows is taken to be the same in every turn: a context's share is its
visible text, at four characters to a token, and an equal part of what is left. Decoded tokens
follow the text that a turn wrote, money both.

Worked: two turns that see 400 and 800 characters, of 2,300 tokens: 100 and 200 are visible, so
1,000 are hidden in each; they get 1,100 and 1,200.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.split_usage import known_price
from agentdyno.intake.texts import whole
from agentdyno.records import TokenCount

_CHARACTERS = 4
"""Characters to a token, roughly."""


class Totals(Struct, frozen=True):
    """Sums over a session; None for what is unknown."""

    prompt: int | None = None
    """Tokens sent, cached ones included."""
    cached: int | None = None
    """How many of those came from the cache."""
    written: int | None = None
    """How many of those were written to it."""
    decoded: int | None = None
    """Tokens generated, reasoning included."""
    reasoning: int | None = None
    """How many of those were reasoning."""
    usd: float | None = None


def stated_totals(sent: Any, received: Any, usd: Any) -> Totals:
    """Sums as an agent wrote them; none where it counted nothing."""
    prompt, decoded = whole(sent), whole(received)
    counted = prompt or decoded
    return Totals(prompt=prompt, decoded=decoded, usd=known_price(usd)) if counted else Totals()


def share_totals(builder: TrajectoryBuilder, totals: Totals) -> None:
    """Gives every turn its share of the sums."""
    count = len(builder.turns)
    if not count:
        return
    visible, wrote = _sizes(builder, count)
    hidden = max((totals.prompt or 0) - sum(visible), 0) / count
    sent = [size + hidden for size in visible]
    prompts, decoded = split_total(totals.prompt, sent), split_total(totals.decoded, wrote)
    cached, written = split_total(totals.cached, sent), split_total(totals.written, sent)
    thought = split_total(totals.reasoning, wrote)
    weights = [a + b for a, b in zip(sent, wrote, strict=True)]
    for turn in range(count):
        money = totals.usd and totals.usd * weights[turn] / (sum(weights) or 1)
        builder.amend_turn(
            turn,
            prefill=prompts and TokenCount(prompts[turn], "scaled"),
            decode=decoded and TokenCount(decoded[turn], "scaled"),
            cached_tokens=cached and cached[turn],
            cache_write_tokens=written and written[turn],
            reasoning_tokens=thought and min(thought[turn], decoded[turn] if decoded else 0),
            reported_usd=money,
        )


def _sizes(builder: TrajectoryBuilder, count: int) -> tuple[list[float], list[float]]:
    """Per turn, in tokens: what it saw and what it wrote. Nobody writes nothing."""
    steps, wrote = [0.0] * (count + 1), [1.0] * count
    columns = map(builder.parts.column, ("text", "made", "enters", "leaves"))
    for text, produced, enters, leaves in zip(*columns, strict=True):
        size = len(text) / _CHARACTERS
        if produced is not None:
            wrote[produced] += size
        if enters is not None and enters < count:
            steps[enters] += size
            steps[min(leaves if leaves is not None else count, count)] -= size
    return list(accumulate(steps[:count])), wrote


def weigh_output(builder: TrajectoryBuilder) -> list[float]:
    """Rough token counts of every turn's output."""
    return _sizes(builder, len(builder.turns))[1]


def split_total(total: int | None, weights: Sequence[float]) -> list[int] | None:
    """Whole shares that add up to the total; None where that is unknown."""
    if total is None:
        return None
    weighed = sum(weights)
    if not weighed:
        weights, weighed = [1.0] * len(weights), float(len(weights))
    edges = [0, *(round(total * part / weighed) for part in accumulate(weights))]
    edges[-1] = total
    return [after - before for before, after in pairwise(edges)]
