"""Counts of model calls, and totals that are shared out over the calls they are made of.

Versions before about 1.0.9x write no counts of single calls, only the tokens of each message and,
when a session ends, totals by model. Whether the total of a resumed session begins anew or goes on
differs by version: reports of 2026 say both. What the messages report tells which.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from agentdyno.intake.texts import thousandth, whole
from agentdyno.records import TokenCount, read_reported
from agentdyno_daily.formats.copilot_cli.wire import Usage

USD_PER_CREDIT = 0.01
"""GitHub's billing pages, 2026: 1 AI credit = $0.01."""
HIDDEN_CHARACTERS = 100_000
"""System prompt and schemas: a measured session of 2026 began with 25,213 tokens."""


class Counts(NamedTuple):
    """Token counts, in the order in which they are reported."""

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    reasoning: int = 0

    def minus(self, other: "Counts") -> "Counts":
        """The remainder; never less than nothing."""
        return Counts(*(max(a - b, 0) for a, b in zip(self, other, strict=True)))


def read_counts(usage: Usage) -> Counts:
    """The counts of a usage object; those that are missing as zero."""
    fields = (
        usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens, usage.outputTokens,
        usage.reasoningTokens,
    )  # fmt: skip
    return Counts(*(whole(field) or 0 for field in fields))


def usage_fields(usage: Usage) -> dict[str, Any]:
    """A usage object as fields of a `Turn`."""
    counts, ttl = read_counts(usage), whole(usage.cacheTtlSeconds) or 0
    fields = {
        "prefill": read_reported(counts.input or None),
        "cached_tokens": counts.cached if counts.input else None,
        "cache_write_tokens": counts.written if counts.input else None,
        "cache_write_hour_tokens": counts.written if counts.input and ttl >= 3600 else None,
        "decode": read_reported(counts.output or None),
        "reasoning_tokens": whole(usage.reasoningTokens),
        "latency_seconds": thousandth(usage.duration),
        "first_token_seconds": thousandth(usage.timeToFirstTokenMs),
        "finish": usage.finishReason,
        "reported_usd": _usd(usage),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _usd(usage: Usage) -> float | None:
    nano = usage.copilotUsage.totalNanoAiu if usage.copilotUsage is not None else None
    if not isinstance(nano, int | float) or isinstance(nano, bool) or not 0 <= nano < 1e18:
        return None
    return nano / 1e9 * USD_PER_CREDIT


def share_out(
    total: Counts, weights: Sequence[float], texts: Sequence[int]
) -> list[dict[str, Any]]:
    """A total as fields of the turns it is made of: each an estimate, the sums exact.

    `weights` are the sizes of the turns' contexts, `texts` those of what they wrote.
    """
    inputs, cached, written = (
        _split(part, weights) for part in (total.input, total.cached, total.written)
    )
    outputs = _split(total.output, [text + 1 for text in texts])
    reasoning = _split(total.reasoning, [text + 1 for text in texts])
    columns = {
        "prefill": _estimates(inputs),
        "cached_tokens": cached,
        "cache_write_tokens": written,
        "decode": _estimates(outputs),
        "reasoning_tokens": reasoning,
    }
    counted = {name: column for name, column in columns.items() if column is not None}
    return [{name: column[at] for name, column in counted.items()} for at in range(len(weights))]


def _estimates(shares: list[int]) -> list[TokenCount] | None:
    """Shares as counts; None where there is nothing to share."""
    return [TokenCount(share, "estimated") for share in shares] if sum(shares) else None


def _split(total: int, weights: Sequence[float]) -> list[int]:
    """Whole shares that add up to the total."""
    whole_weight, seen, shared, shares = sum(weights), 0.0, 0, []
    for weight in weights:
        seen += weight
        upto = round(total * seen / whole_weight)
        shares.append(upto - shared)
        shared = upto
    return shares
