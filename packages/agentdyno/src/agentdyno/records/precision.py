"""How often each kind of finding was right when people read it on real traces.

The readings are data, `readings.jsonl`: one real finding a line, from traces that no rule was tuned
on, with the trace, the place, right or wrong by the written definition (the module of the pattern,
`bench/evidence/DEFINITIONS.md`), one word why, and the day. No text of a trace is in there. A kind
with fewer than `FEWEST` readings, or with less than `LEAST` of them right, is off unless asked for.
"""

from collections import defaultdict
from functools import cache
from importlib.resources import files

import msgspec

LEAST = 0.8
FEWEST = 30


class Reading(msgspec.Struct, frozen=True):
    """One real finding that somebody read."""

    kind: str
    """What was found: a pattern, a check, `dependency` or `join`."""
    trace: str
    """The trace, by its public name."""
    turn: int
    """The turn that shows it."""
    right: bool
    """Whether it shows what its definition says."""
    why: str
    """One word for the reason."""
    read: str
    """The day, as 2026-11-17."""
    call: int | None = None
    """The call within the turn; None when it is no single call's."""


class Measured(msgspec.Struct, frozen=True):
    """The readings of one kind."""

    right: int
    """Those that were right."""
    read: int
    """All of them."""
    latest: str
    """The day of the latest."""

    @property
    def is_enough(self) -> bool:
        """Whether enough were read, and enough of them right, to show such findings."""
        return self.read >= FEWEST and self.right >= LEAST * self.read


@cache
def load_measured() -> dict[str, Measured]:
    """Kind -> what was read of it; kinds that nobody read on real traces are not in here."""
    lines = files(__package__).joinpath("readings.jsonl").read_bytes().splitlines()
    kinds: dict[str, list[Reading]] = defaultdict(list)
    for line in lines:
        reading = msgspec.json.decode(line, type=Reading)
        kinds[reading.kind].append(reading)
    return {
        kind: Measured(sum(r.right for r in some), len(some), max(r.read for r in some))
        for kind, some in kinds.items()
    }


def is_measured(kind: str) -> bool:
    """Whether enough were read on real traces, and mostly right: what is shown unasked."""
    found = load_measured().get(kind)
    return found is not None and found.is_enough


def confidence(kind: str) -> float | None:
    """The share that was right; None when too few were read."""
    found = load_measured().get(kind)
    return found.right / found.read if found and found.read >= FEWEST else None


def how_often_right(kind: str) -> str:
    """How far to trust a finding of this kind, in words."""
    found = load_measured().get(kind)
    if found is None:
        return "no real finding of this kind was read yet"
    few = f", fewer than {FEWEST}" if found.read < FEWEST else ""
    return (
        f"{found.right} of {found.read} real findings{few} were right when read by hand, the "
        f"latest on {found.latest}"
    )
