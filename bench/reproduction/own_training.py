"""What the planning paper says of its training beside the same measured in this project.

Takes what the paper prints and `own_training.toml`, whose figures follow from raw rows in the
repository; returns rows of one table. The two are not the same experiment: another model, other
tasks, and here a start that calls one tool a turn half of the time, because it was shown that.
"""

import tomllib
from pathlib import Path

import msgspec
from bench.reproduction.printed_numbers import read_printed

NOTE = (
    "Paper: Qwen3-1.7B on TPS-Bench-Hard, whole execution time. Ours: SmolLM2-135M on 100 held-out "
    "easy and 60 hard tasks, seconds waited for tools, change against a warm-up whose "
    "demonstrations call one tool a turn half of the time, with 95 % intervals over tasks and "
    "trainings (tasks only where there is one training). Arms: weight on parallelism in the "
    "reward, limits of turns and tokens. Of hard tasks the warm-up meets 6.2 % of the goals and "
    "solves none."
)


class Change(msgspec.Struct, frozen=True):
    """A change by training, with the ends of its interval where it was measured here."""

    value: float
    """In points or percent."""
    low: float | None = None
    """Lower end of the interval."""
    high: float | None = None
    """Upper end of the interval."""

    def __str__(self) -> str:
        interval = "" if self.low is None else f" [{self.low:+.1f}, {self.high:+.1f}]"
        return f"{self.value:+.1f}{interval}"


class TrainingGain(msgspec.Struct, frozen=True):
    """What one training changed."""

    training: str
    """Whose, and which."""
    completion: Change
    """Points of completion."""
    time: Change
    """Percent of the time."""
    turns: Change | None
    """Percent of the turns; None where it is not stated."""


def compare_training() -> tuple[TrainingGain, ...]:
    """The paper's sentence, its table, and every arm that was trained here."""
    gained = (read_printed("35.17") - read_printed("26.75")).value
    time, turns = (
        100 * (read_printed(after).value / read_printed(before).value - 1)
        for before, after in (("42.0", "34.8"), ("2.4", "1.9"))
    )
    return (
        TrainingGain("paper, Section 5", Change(6.0), Change(-14.0), None),
        TrainingGain("paper, Table 3", Change(gained), Change(time), Change(turns)),
        *_read_own(),
    )


def _read_own() -> list[TrainingGain]:
    written = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    found = []
    for kind, text in written.items():
        for arm, trainings, *cells in map(str.split, text.strip().splitlines()):
            numbers = [float(cell) for cell in cells]
            changes = (Change(*numbers[place : place + 3]) for place in (0, 3, 6))
            found.append(TrainingGain(f"ours, {kind}, {arm}, trainings: {trainings}", *changes))
    return found
