"""The precision of each kind of finding, by two readers on real traces.

The readings are data, `readings.jsonl`: one real finding a line, from traces that no rule was tuned
on, with the trace, the place, right or wrong by the definition in the module of the pattern, one
word why, and the day; `second` is the verdict of somebody who had not seen the first. No text of a
trace is in there. A finding is right when both say so, wrong when one says so, and unclear
otherwise; read once, it does not count. A kind with fewer than `FEWEST` that count, or with less
than `LEAST` of them right, is off unless asked for.
"""

from collections import defaultdict
from functools import cache
from importlib.resources import files

import msgspec

EXACT = ("reread_lines",)
"""Kinds that are found by equality of texts: facts, of which nobody has to read how often they are
right."""
LEAST = 0.8
FEWEST = 30


class SecondReading(msgspec.Struct, frozen=True):
    """The verdict of the second reader, who had not seen the first."""

    right: bool | None
    """Whether it shows what its definition says; None where the trace does not tell."""
    why: str
    """One word for the reason."""
    read: str
    """The day, as 2026-11-17."""


class Reading(msgspec.Struct, frozen=True):
    """One real finding that somebody read."""

    kind: str
    """The kind of finding: a pattern or a check."""
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
    second: SecondReading | None = None
    """The second reading; None when there was none."""

    @property
    def latest(self) -> str:
        """The day of the later reading."""
        return max(self.read, self.second.read) if self.second else self.read


class Measured(msgspec.Struct, frozen=True):
    right: int
    """Those that both readers found right."""
    read: int
    """Those that were read twice and decided: right by both, or wrong by one of them."""
    unclear: int
    """Those that the first reader found right and the second could not tell."""
    once: int
    """Those that were read only once; they are not enough to show a kind."""
    once_right: int
    """Those of them that the one reader found right."""
    latest: str
    """The day of the latest reading that counts, or of the latest of all where none does."""

    @property
    def is_enough(self) -> bool:
        """True when enough were read, and enough of them right, to show such findings."""
        return self.read >= FEWEST and self.right >= LEAST * self.read


@cache
def load_measured() -> dict[str, Measured]:
    """Kind -> what was read of it; kinds that nobody read on real traces are not in here."""
    lines = files(__package__).joinpath("readings.jsonl").read_bytes().splitlines()
    kinds: dict[str, list[Reading]] = defaultdict(list)
    for line in lines:
        reading = msgspec.json.decode(line, type=Reading)
        kinds[reading.kind].append(reading)
    return {kind: measure_readings(some) for kind, some in kinds.items()}


def measure_readings(readings: list[Reading]) -> Measured:
    """Count the readings of one kind; there is at least one."""
    twice = [(reading, reading.second) for reading in readings if reading.second is not None]
    verdicts = [second.right if first.right else False for first, second in twice]
    return Measured(
        right=verdicts.count(True),
        read=len(verdicts) - verdicts.count(None),
        unclear=verdicts.count(None),
        once=len(readings) - len(twice),
        once_right=sum(reading.right for reading in readings if reading.second is None),
        latest=max(reading.latest for reading in [first for first, _ in twice] or readings),
    )


def is_measured(kind: str) -> bool:
    """True when enough were read on real traces, and mostly right, or nothing has to be read: such
    findings are shown by default."""
    measured = load_measured().get(kind)
    return kind in EXACT or (measured is not None and measured.is_enough)


def confidence(kind: str) -> float | None:
    """The share that was right; None when too few were read."""
    measured = load_measured().get(kind)
    return measured.right / measured.read if measured and measured.read >= FEWEST else None


def how_often_right(kind: str) -> str:
    """How far to trust a finding of this kind, in words."""
    measured = load_measured().get(kind)
    if kind in EXACT:
        return "texts are compared, and nothing is judged"
    if measured is None:
        return "no real finding of this kind was read yet"
    if not measured.read:
        return (
            f"no real finding was read twice yet; {measured.once_right} of {measured.once} that "
            f"were read once were right, the latest on {measured.latest}"
        )
    few = f", fewer than {FEWEST}," if measured.read < FEWEST else ""
    unclear = f"; {measured.unclear} more unclear" if measured.unclear else ""
    return (
        f"{measured.right} of {measured.read} real findings{few} were right in both of two "
        f"readings, the latest on {measured.latest}{unclear}"
    )
