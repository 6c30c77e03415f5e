"""What the provider answered (`raw_data`): finer token counts, reasoning, why it stopped.

OpenAI's `prompt_tokens` hold the cached ones; Anthropic's `input_tokens` do not.
"""

from typing import Any

import msgspec
from msgspec import Raw

from agentdyno.intake.formats.tau2_bench.wire import (
    NULL,
    PROVIDER,
    Choice,
    Details,
    Message,
    Provider,
    ProviderUsage,
)
from agentdyno.intake.texts import flat_text, whole
from agentdyno.records import read_reported

NO_DETAILS = Details()


def provider_of(raw: Raw) -> Provider:
    """The response; an empty one where it is missing or of a shape nobody knows."""
    try:
        return PROVIDER.decode(raw) if raw != NULL else Provider()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return Provider()


def finish_of(provider: Provider) -> str | None:
    """Why the model stopped."""
    return _choice(provider).finish_reason or provider.stop_reason


def read_reasoning(message: Message, provider: Provider) -> str:
    """The reasoning's text, wherever it was put."""
    answer = _choice(provider).message
    if answer is not None and answer.reasoning_content:
        return answer.reasoning_content
    # LiteLLM keeps Anthropic's blocks beside the message; some writers only those.
    kept = (answer.thinking_blocks if answer is not None else None, provider.thinking_blocks)
    for blocks in (*kept, provider.content):
        if thought := _thoughts(blocks):
            return thought
    return flat_text(message.reasoning)


def _thoughts(blocks: Any) -> str:
    listed = blocks if isinstance(blocks, list) else []
    thoughts = [block.get("thinking") for block in listed if isinstance(block, dict)]
    return "\n".join(text for text in thoughts if isinstance(text, str))


def _choice(provider: Provider) -> Choice:
    return provider.choices[0] if provider.choices else provider


def usage_fields(message: Message, usage: ProviderUsage | None) -> dict[str, Any]:
    """Token counts as fields of a `Turn`, the provider's own where they are known."""
    fine = _fine_fields(usage) if usage is not None else {}
    if fine:
        return fine
    coarse = message.usage
    if coarse is None or not (coarse.prompt_tokens or coarse.completion_tokens):
        return {}  # Zero usage with an answer means that nobody counted.
    return {
        "prefill": read_reported(whole(coarse.prompt_tokens)),
        "decode": read_reported(whole(coarse.completion_tokens)),
    }


def _fine_fields(usage: ProviderUsage) -> dict[str, Any]:
    decode = whole(usage.completion_tokens or usage.output_tokens)
    prefill, cached = _prefill(usage)
    if not prefill and not decode:
        return {}
    details = usage.completion_tokens_details or usage.output_tokens_details or NO_DETAILS
    thought = details.reasoning_tokens
    return {
        "prefill": read_reported(prefill),
        "cached_tokens": cached,
        "cache_write_tokens": whole(usage.cache_creation_input_tokens),
        "decode": read_reported(decode),
        "reasoning_tokens": whole(details.thinking_tokens if thought is None else thought),
    }


def _prefill(usage: ProviderUsage) -> tuple[int | None, int | None]:
    """All prompt tokens, and how many of them came from the cache."""
    details = usage.prompt_tokens_details or usage.input_tokens_details or NO_DETAILS
    read, written = whole(usage.cache_read_input_tokens), whole(usage.cache_creation_input_tokens)
    cached = whole(details.cached_tokens) if read is None else read
    beside = (read or 0) + (written or 0)
    if usage.prompt_tokens is not None:
        prompt = whole(usage.prompt_tokens)
        # More cached than sent cannot be: this count left the cached ones out.
        excluded = prompt is not None and beside > prompt
    else:
        prompt = whole(usage.input_tokens)
        excluded = usage.input_tokens_details is None
    return (prompt + beside if excluded and prompt is not None else prompt), cached
