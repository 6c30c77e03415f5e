"""Token counts and times of a model call, whatever age the log is.

Whether `input_tokens` holds the cached ones changed over the years: `total_tokens` tells. A log
of 2025 with input 5,318, cached 5,120, output 35 and total 5,353 includes them (5,318 + 35); one
of today with input 198, cached 5,120, output 35 and total 5,353 does not (198 + 5,120 + 35). It
also tells whether thoughts are among the output: Grok's are beside it (32 + 9 + 94 are 135).

Runs of our own say more in `output.metadata["agentdyno"]`: time to the first token, whether the
process was idle enough for its latencies, and that tools stayed in the request.
"""

from typing import Any

from agentdyno.intake.formats.inspect_ai.texts import as_text
from agentdyno.intake.formats.inspect_ai.wire import (
    NULL,
    OUTPUT_METADATA,
    Event,
    Output,
    OwnNotes,
    Usage,
)
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import beyond, seconds, whole
from agentdyno.records import UnreadableError, read_reported

NO_NOTES = OwnNotes()
_MARK = b'"agentdyno"'


def own_notes(output: Output) -> OwnNotes:
    """Notes of our runner; none in other logs, whose metadata stay undecoded."""
    if output.metadata is NULL or _MARK not in (written := bytes(output.metadata)):
        return NO_NOTES
    try:
        notes: OwnNotes | None = decode(written, OUTPUT_METADATA).agentdyno
    except UnreadableError:
        return NO_NOTES  # Somebody else's metadata, which only speak of us.
    return notes or NO_NOTES


def turn_fields(event: Event, output: Output, notes: OwnNotes = NO_NOTES) -> dict[str, Any]:
    """The call as fields of a `Turn`."""
    fields = _usage_fields(output.usage)
    choice = output.choices[0] if output.choices else None
    fields["finish"] = (choice and as_text(choice.stop_reason)) or None
    if event.cache == "read":
        # Inspect served a stored answer: the tokens are those of the call that made it, so that
        # the agent's work stays comparable, but nobody paid or waited for it this time.
        fields["reported_usd"] = 0.0
        return fields | {"started_at": seconds(event.timestamp)}
    latency = _duration(output.time)
    fields["latency_seconds"] = latency
    if notes is not NO_NOTES:
        fields["first_token_seconds"] = _duration(notes.first_token_seconds)
        fields["latency_valid"] = _truth(notes.latency_valid)
    fields["started_at"], fields["ended_at"] = _span(event, latency)
    return fields


def _span(event: Event, latency: float | None) -> tuple[float | None, float | None]:
    started, ended = seconds(event.timestamp), seconds(event.completed)
    if ended is None and latency is None:
        # The first versions wrote an event when it was over, and only that.
        return None, started
    if ended is None and started is not None and latency is not None:
        ended = started + latency
    return started, ended


def _duration(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e9 else None


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def tool_times(event: Event) -> dict[str, float | None]:
    """When a tool ran and how long, as fields of a `ToolCall`; waiting for a slot left out."""
    started, ended = seconds(event.timestamp), seconds(event.completed)
    if ended is None:
        return {}
    wait = _duration(event.working_time)
    if wait is None and started is not None:
        wait = _duration(ended - started)
    return {"wait_seconds": wait, "started_at": started, "ended_at": ended}


def read_reasoning_tokens(usage: Usage | None) -> int | None:
    """Generated tokens that were reasoning; None when none are known to be."""
    return None if usage is None else whole(usage.reasoning_tokens) or None


def _usage_fields(usage: Usage | None) -> dict[str, Any]:
    """Token counts as fields of a `Turn`."""
    if usage is None or not (usage.input_tokens or usage.output_tokens):
        return {}  # Zero usage with an answer means that nobody counted.
    read, written = whole(usage.input_tokens_cache_read), whole(usage.input_tokens_cache_write)
    prefill, decoded = _totals(usage, (read or 0) + (written or 0))
    cost = usage.total_cost
    return {
        "prefill": read_reported(prefill),
        "cached_tokens": read,
        "cache_write_tokens": written,
        "decode": read_reported(decoded),
        "reasoning_tokens": whole(usage.reasoning_tokens),
        "reported_usd": None if cost is None else _duration(cost),
    }


def _totals(usage: Usage, cached: int) -> tuple[int | None, int | None]:
    """Tokens in and out, with what the total says is beside either."""
    encoded, decoded = whole(usage.input_tokens), whole(usage.output_tokens)
    total, spent = whole(usage.total_tokens), whole(usage.reasoning_tokens) or 0
    remaining = beyond(total, encoded, decoded) if total else cached + spent
    beside = (
        remaining != cached and remaining in (spent, spent + cached)
        if total
        else spent > (decoded or 0)
    )
    if decoded is not None and spent and beside:
        decoded, remaining = decoded + spent, remaining - spent
    # Cached tokens are on top of the input when the total leaves room for them.
    if encoded is not None and remaining >= cached:
        encoded += cached
    return encoded, decoded
