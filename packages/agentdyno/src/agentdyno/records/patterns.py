"""A wasteful habit found in a trajectory, as a value, and the ledger table that keeps them."""

from msgspec import Struct

from agentdyno.records.columns import Column

NO_LONGER_SOUGHT = (
    "format_collapse", "repeated_call", "loop", "unread_result", "oversized_result",
    "confirmatory", "tool_mixing", "published_confirmatory", "published_tool_mixing",
    "published_lack_of_tool_priors", "published_format_collapse",
)  # fmt: skip
"""Patterns that earlier versions of `measure` looked for; a report says how many rows there are."""


class Finding(Struct, frozen=True, gc=False):
    """One place in a trajectory that shows a pattern."""

    pattern: str
    """The name of the detector."""
    turn: int
    """The turn that shows it."""
    call: int | None
    """The call within that turn, from 0; None when the pattern is no single call's."""
    evidence: str
    """The span of the trace that shows it, printable, at most 200 characters."""
    detail: str
    """The problem, in words."""


PATTERNS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("pattern", "text", "Which pattern was found."),
    Column("turn", "whole", "The turn that shows it."),
    Column("call", "whole", "The call within that turn; null when it is no single call's."),
    Column("evidence", "text", "The span of the trace that shows it, at most 200 characters."),
    Column("detail", "text", "What is wrong there, in words."),
    Column("pte", "number", "The call's share of the trajectory's `pte`; null without a call."),
)
