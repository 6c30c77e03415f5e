"""Token counts of one model call, under every name that instrumentations have given them.

Takes the attributes of the spans of one call, the innermost first, returns fields of a `Turn`.
The conventions want cached tokens inside the input and reasoning inside the output. Some
instrumentations hand on what Anthropic and Gemini count apart; a total that only adds up with the
parts outside, or a part larger than its whole, gives them away.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from agentdyno.intake.texts import beyond, is_beside, number, whole
from agentdyno.records import read_reported

_INPUT = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.inputTokens",
    "ai.usage.promptTokens",
)
_OUTPUT = (
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.outputTokens",
    "ai.usage.completionTokens",
)
_CACHE_READ = (
    "gen_ai.usage.cache_read.input_tokens",
    "gen_ai.usage.cache_read_input_tokens",
    "gen_ai.usage.cached_input_tokens",
    "gen_ai.usage.input_tokens.cached",
    "gen_ai.usage.details.cache_read_tokens",
    "gen_ai.usage.details.cached_tokens",
    "llm.usage.cache_read_input_tokens",
    "llm.token_count.prompt_details.cache_read",
    "ai.usage.cachedInputTokens",
)
_CACHE_WRITE = (
    "gen_ai.usage.cache_creation.input_tokens",
    "gen_ai.usage.cache_creation_input_tokens",
    "gen_ai.usage.cache_write_input_tokens",
    "gen_ai.usage.cache_write.input_tokens",
    "gen_ai.usage.input_tokens.cache_write",
    "gen_ai.usage.details.cache_write_tokens",
    "llm.usage.cache_creation_input_tokens",
    "llm.token_count.prompt_details.cache_write",
)
_CACHE_HOUR = ("gen_ai.usage.cache_creation.hour_tokens",)
_REASONING = (
    "gen_ai.usage.reasoning.output_tokens",
    "gen_ai.usage.reasoning_tokens",
    "gen_ai.usage.reasoning_output_tokens",
    "gen_ai.usage.output_tokens.reasoning",
    "codex.usage.reasoning_output_tokens",
    "gen_ai.usage.details.reasoning_tokens",
    "gen_ai.usage.experimental.reasoning_tokens",
    "llm.usage.reasoning_tokens",
    "llm.token_count.completion_details.reasoning",
    "ai.usage.reasoningTokens",
)
_TOTAL = (
    "gen_ai.usage.total_tokens",
    "llm.usage.total_tokens",
    "llm.token_count.total",
    "ai.usage.totalTokens",
)
_COST = ("gen_ai.usage.cost", "operation.cost", "llm.cost.total", "gen_ai.usage.cost_usd")


def usage_fields(spans: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Token counts as fields of a `Turn`; what the innermost span lacks comes from those around."""
    into, out = _count(spans, _INPUT), _count(spans, _OUTPUT)
    if not into and not out:
        return {}  # Zero usage with an answer means that nobody counted.
    read, write = _count(spans, _CACHE_READ), _count(spans, _CACHE_WRITE)
    thought, surplus = _count(spans, _REASONING), beyond(_count(spans, _TOTAL), into, out)
    return {
        "prefill": read_reported(_with(into, (read or 0) + (write or 0), surplus)),
        "cached_tokens": read,
        "cache_write_tokens": write,
        "cache_write_hour_tokens": _count(spans, _CACHE_HOUR),
        "decode": read_reported(_with(out, thought or 0, surplus)),
        "reasoning_tokens": thought,
    }


def _with(count: int | None, part: int, surplus: int) -> int | None:
    """The count, with its part added where that is beside it."""
    return count + part if count is not None and is_beside(part, count, surplus) else count


def read_reported_usd(spans: Sequence[dict[str, Any]]) -> float | None:
    """The call's cost, where an instrumentation computed it."""
    value = _first(spans, _COST)
    is_price = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_price and 0 <= value < 1e9 else None


def _count(spans: Sequence[dict[str, Any]], names: Iterable[str]) -> int | None:
    return whole(number(_first(spans, names)))


def _first(spans: Sequence[dict[str, Any]], names: Iterable[str]) -> Any:
    names = tuple(names)
    for attributes in spans:
        for name in names:
            if (value := attributes.get(name)) is not None:
                return value
    return None
