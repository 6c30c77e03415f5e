"""A step's metrics as the token counts of its turns.

A step may stand for several model calls whose counts were added up. It becomes as many turns,
each with an equal share flagged `scaled`: the sum is as reported, the split is not known.
"""

from collections.abc import Sequence
from typing import Any

from agentdyno.intake.formats.atif.wire import Metrics, Step
from agentdyno.intake.texts import first, whole
from agentdyno.records import TokenCount, UnreadableError, printable, read_reported

MAX_CALLS = 1000
"""More model calls than this in one step are a damaged number, not an agent."""


def turns_of(step: Step) -> list[dict[str, Any]]:
    """The fields of every turn that the step stands for, the last one with what is visible."""
    count = 1 if step.llm_call_count is None else step.llm_call_count
    if not 1 <= count <= MAX_CALLS:
        raise UnreadableError(f"llm_call_count from 0 to {MAX_CALLS}", printable(str(count), 40))
    totals = _totals(step.metrics) if step.metrics is not None else {}
    if count == 1:
        return [_count(totals)]
    shares = {name: _split(total, count) for name, total in totals.items() if total is not None}
    return [_share({name: share[i] for name, share in shares.items()}) for i in range(count)]


def _totals(metrics: Metrics) -> dict[str, Any]:
    prompt, cached = whole(metrics.prompt_tokens), whole(metrics.cached_tokens)
    decoded = whole(metrics.completion_tokens)
    cost = metrics.cost_usd or None
    if not prompt and not decoded:
        # Zero usage with an answer means that nobody counted.
        return {"reported_usd": cost}
    if prompt is not None and cached is not None and cached > prompt:
        # More cached than sent cannot be: this producer left the cached ones out.
        prompt += cached
    extra = metrics.extra if isinstance(metrics.extra, dict) else {}
    thought = first((extra.get("reasoning_tokens"), extra.get("reasoning_output_tokens")))
    return {
        "prefill": prompt,
        "cached_tokens": cached,
        "cache_write_tokens": whole(extra.get("cache_creation_input_tokens")),
        "decode": decoded,
        "reasoning_tokens": whole(thought),
        "reported_usd": cost,
    }


def _count(totals: dict[str, Any]) -> dict[str, Any]:
    counts = [name for name in totals if name in ("prefill", "decode")]
    return {**totals, **{name: read_reported(totals[name]) for name in counts}}


def _split(total: int | float, count: int) -> Sequence[int | float]:
    """Equal shares; what does not divide goes to the last."""
    if isinstance(total, float):
        return [total / count] * count
    share = total // count
    return [share] * (count - 1) + [total - share * (count - 1)]


def _share(share: dict[str, Any]) -> dict[str, Any]:
    counts = [name for name in share if name in ("prefill", "decode")]
    return {**share, **{name: TokenCount(share[name], "scaled") for name in counts}}
