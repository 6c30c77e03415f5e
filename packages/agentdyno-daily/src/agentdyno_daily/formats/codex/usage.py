"""Counts of single responses, from a running total that is written again and again.

A `token_count` event follows every response and is repeated before the next request. What counts is
how much the total grew: an event with the same total is a repetition. The total starts over when
the context window overflowed (it is then set to the size of the window, all its parts to zero); a
fork goes on from its parent's total.

Since September 2026 each response has a record of its own besides, the call that wrote a compaction
included, which the running total leaves out. The growth behind such a record is no other response.
"""

from typing import Any, NamedTuple

from agentdyno.intake.texts import whole
from agentdyno.records import read_reported
from agentdyno_daily.formats.codex.wire import Usage, UsageInfo


class Counts(NamedTuple):
    """Token counts of one response, or of all so far."""

    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    reasoning: int = 0
    has_writes: bool = False
    """True when cache writes were counted; versions before 2026 do not know them."""

    @property
    def key(self) -> str:
        """The counts as a text that identifies a state of the total."""
        return f"{self.input}/{self.cached}/{self.output}"

    def minus(self, other: "Counts") -> "Counts | None":
        """The counts added since; None where any count went down."""
        grown = [new - old for new, old in zip(self[:5], other[:5], strict=True)]
        if min(grown) < 0:
            return None
        return Counts(grown[0], grown[1], grown[2], grown[3], grown[4], self.has_writes)

    def fields(self) -> dict[str, Any]:
        return {
            "prefill": read_reported(self.input or None),
            "cached_tokens": self.cached if self.input else None,
            "cache_write_tokens": self.written if self.input and self.has_writes else None,
            "decode": read_reported(self.output or None),
            "reasoning_tokens": self.reasoning,
        }


def read_counts(usage: Usage | None) -> Counts | None:
    """The counts of a usage object; None where there is none."""
    if usage is None:
        return None
    written = whole(usage.cache_write_input_tokens)
    return Counts(
        whole(usage.input_tokens) or 0,
        whole(usage.cached_input_tokens) or 0,
        written or 0,
        whole(usage.output_tokens) or 0,
        whole(usage.reasoning_output_tokens) or 0,
        written is not None,
    )


class RunningTotal:
    """The total of a session so far."""

    def __init__(self) -> None:
        self.total: Counts | None = None

    def add(self, info: UsageInfo | None, has_output: bool, is_child: bool) -> Counts | None:
        """Usage of a new response; None for a repetition or an empty count.

        `has_output`: the model wrote something since the last count. `is_child`: the session may
        begin with its parent's total.
        """
        if info is None:
            return None
        total, last = read_counts(info.total_token_usage), read_counts(info.last_token_usage)
        if total is None:
            return last if last is not None and has_output else None
        before, self.total = self.total, total
        if total == before or not (total.input or total.output):
            return None
        if before is not None:
            return total.minus(before) or last or total
        if is_child and last is not None and last != total and not has_output:
            return None  # The parent's last count, repeated before the child's first request.
        return last or total
