"""Token counts of agents that count cached tokens beside the input, not in it.

Takes the counts as an agent wrote them, returns fields of a `Turn`. Knows nothing of any agent.
"""

from typing import Any

from agentdyno.intake.texts import whole
from agentdyno.records import read_reported


def split_usage(
    fresh: Any,
    output: Any,
    read: Any = None,
    written: Any = None,
    reasoning: Any = None,
    is_reasoning_apart: bool = False,
) -> dict[str, Any]:
    """Fields of a `Turn`. Counts that are all zero were never filled in, so they are unknown.

    Worked: 8 fresh, 100 read and 20 written are a context of 128 tokens; an output of 5 with 7
    tokens of reasoning apart is a decode of 12.
    """
    counts = {"fresh": fresh, "output": output, "read": read, "written": written}
    tokens = {name: whole(value) for name, value in counts.items()}
    thought = whole(reasoning)
    if not any(tokens.values()) and not thought:
        return {}
    prompt = sum(tokens[name] or 0 for name in ("fresh", "read", "written"))
    answer = (tokens["output"] or 0) + ((thought or 0) if is_reasoning_apart else 0)
    return {
        "prefill": read_reported(prompt or None),
        "cached_tokens": tokens["read"] if prompt else None,
        "cache_write_tokens": tokens["written"] if prompt else None,
        "decode": read_reported(answer or None),
        "reasoning_tokens": None if thought is None else min(thought, answer),
    }


def fresh_tokens(total: Any, read: Any, written: Any) -> int | None:
    """The input without what the cache gave or took, of an agent that counts those in it.

    A total that is too small to hold them leaves them out already.
    """
    all_tokens, cache_tokens = whole(total), (whole(read) or 0) + (whole(written) or 0)
    return (
        all_tokens if all_tokens is None or all_tokens < cache_tokens else all_tokens - cache_tokens
    )


def known_price(usd: Any) -> float | None:
    """The call's cost by the agent; it writes 0 where it knows no price."""
    return float(usd) if isinstance(usd, int | float) and 0 < usd < 1e6 else None
