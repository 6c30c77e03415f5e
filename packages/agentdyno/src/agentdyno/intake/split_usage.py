"""Token counts of agents that count cached tokens beside the input, not in it.

Takes the counts as an agent wrote them, returns fields of a `Turn`. Knows nothing of any agent.
"""

from collections.abc import Sequence
from typing import Any

from agentdyno.intake.texts import whole
from agentdyno.records import read_reported

EQUAL, DIP = 0.1, 0.5
"""Contexts that differ by a tenth are about equal; one of less than half of both dips."""


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


def find_placeholders(
    models: Sequence[str | None], contexts: Sequence[int | None], finishes: Sequence[str | None]
) -> list[int]:
    """Responses whose counts stood there when their stream began: a context that dips between two
    of the same model that are about equal, without a reason why the response stopped.

    Worked: contexts of 40,000, 300 and 40,600 tokens, of which the second response has no reason.
    """
    found = []
    for place in range(1, len(contexts) - 1):
        before, here, after = contexts[place - 1 : place + 2]
        if not before or not after or here is None or finishes[place] is not None:
            continue
        is_one_model = len({*models[place - 1 : place + 2]}) == 1
        is_equal = is_one_model and abs(after - before) <= EQUAL * before
        if is_equal and here < DIP * min(before, after):
            found.append(place)
    return found
