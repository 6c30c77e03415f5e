"""How often each kind of finding was right when people read it on real traces.

Counts from `bench/evidence_score.py` over the labelled traces, both halves together; the intervals
and the halves apart are in `docs/findings.md`. A kind below `LEAST` is left out unless asked for.
"""

from typing import NamedTuple

LEAST = 0.8


class Measured(NamedTuple):
    """Findings of one kind that were read by hand."""

    right: int
    read: int


PRECISION: dict[str, Measured] = {
    "lack_of_tool_priors": Measured(11, 11),
    "format_collapse": Measured(2, 2),
    "tool_mixing": Measured(1, 1),
    "repeated_call": Measured(2, 2),
    "loop": Measured(1, 1),
    "oversized_result": Measured(10, 11),
    "unread_result": Measured(2, 6),
    "unused_call": Measured(2, 6),
    "dependency": Measured(215, 227),
    "join": Measured(58, 60),
}
"""Kinds that no real trace showed are not in here: their precision is not known."""


def is_proven(kind: str) -> bool:
    """Whether a kind may be shown without being asked for: read and right, or never seen yet."""
    found = PRECISION.get(kind)
    return found is None or found.right >= LEAST * found.read


def told(kind: str) -> str:
    """How far to trust a finding of this kind, in words."""
    found = PRECISION.get(kind)
    if found is None:
        return "its precision on real traces is not known"
    return f"of {found.read} such findings read by hand, {found.right} were right"
