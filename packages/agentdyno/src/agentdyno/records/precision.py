"""How often each kind of finding was right when people read it on real traces.

The counts are data, `precision.json`, written by `bench/evidence_score.py` over the labelled
traces, both halves together; the intervals and the halves apart are in
`docs/log/2026-11-15-precision.md`. A kind below `LEAST` is left out unless asked for,
and so is a pattern that nobody could measure.
"""

from functools import cache
from importlib.resources import files

import msgspec

LEAST = 0.8


class Measured(msgspec.Struct, frozen=True):
    """Findings of one kind whose truth is known."""

    right: int
    """Those that were right."""
    read: int
    """All of them."""
    planted: bool = False
    """Whether the truth is known because it was planted in real texts, and not because somebody
    read them."""


@cache
def measured() -> dict[str, Measured]:
    """Kind -> what was read of it; kinds that no real trace showed are not in here."""
    text = files(__package__).joinpath("precision.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Measured])


def is_proven(kind: str) -> bool:
    """Whether a check may be shown without being asked for: read and right, or never seen yet."""
    found = measured().get(kind)
    return found is None or found.right >= LEAST * found.read


def is_measured(kind: str) -> bool:
    """Whether it was read on real traces and mostly right."""
    return kind in measured() and is_proven(kind)


def confidence(kind: str) -> float | None:
    """The share that was right; None when nobody could measure it."""
    found = measured().get(kind)
    return found.right / found.read if found and found.read else None


def how_often_right(kind: str) -> str:
    """How far to trust a finding of this kind, in words."""
    found = measured().get(kind)
    if found is None:
        return "its precision on real traces is not known"
    if found.planted:
        return f"of {found.read} found in texts with a planted figure, {found.right} were that one"
    return f"of {found.read} such findings read by hand, {found.right} were right"
