"""Which tasks are drawn next: those whose groups of attempts still differ.

GRPO learns from differences within a group; a group whose attempts are all worth the same teaches
nothing. Tasks are put into bins by the length of their plans. For each bin it is counted how many
groups had signal (rewards that differ by more than a hair), older counts fading; bins are drawn in
proportion to that share, never below a floor, so that none is forgotten.

    weight = max(FLOOR, (signal + 1) / (groups + 2))

Worked: 30 groups of short plans, 2 with signal: 3 / 32 = 0.094; 10 of long ones, 7 with signal:
8 / 12 = 0.667. Long plans are drawn 7.1 times as often as short ones.
"""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno_train.training_tasks import TrainingTask

EDGES = (3, 5, 8, 12, 18, 28)
FLOOR = 0.05
FADING = 0.98
"""Of every count, with each step."""
A_HAIR = 1e-6


class Count(Struct):
    """Groups and signal of one bin."""

    groups: float = 0.0
    """Number of groups, older ones faded."""
    signal: float = 0.0
    """Groups whose rewards differed, faded."""

    @property
    def weight(self) -> float:
        """How much its tasks are wanted."""
        return max(FLOOR, (self.signal + 1) / (self.groups + 2))


class Curriculum:
    """Draws lessons and learns from what came of them."""

    def __init__(
        self, training_tasks: Sequence[TrainingTask], seed: int, steered: bool = True
    ) -> None:
        self._bins: dict[str, list[TrainingTask]] = {}
        for training_task in training_tasks:
            self._bins.setdefault(bin_of(training_task), []).append(training_task)
        self.counts = {name: Count() for name in sorted(self._bins)}
        self._seed, self._steered = seed, steered

    def draw(self, step: int, count: int) -> list[TrainingTask]:
        """Lessons of one step; the same step with the same counts draws the same."""
        rng = random.Random(f"{self._seed}-{step}")
        names = list(self.counts)
        # Without steering a bin is as likely as it is large.
        weights = [
            self.counts[name].weight if self._steered else len(self._bins[name]) for name in names
        ]
        bins = rng.choices(names, weights, k=count)
        return [rng.choice(self._bins[name]) for name in bins]

    def learn(
        self, training_tasks: Sequence[TrainingTask], rewards: Sequence[Sequence[float]]
    ) -> float:
        """Takes what each group got; returns the share of groups with signal."""
        for count in self.counts.values():
            count.groups *= FADING
            count.signal *= FADING
        signals = [max(group) - min(group) > A_HAIR for group in rewards]
        for training_task, signal in zip(training_tasks, signals, strict=True):
            count = self.counts[bin_of(training_task)]
            count.groups += 1
            count.signal += signal
        return sum(signals) / len(signals) if signals else 0.0

    def state(self) -> dict[str, Any]:
        """Counts for a checkpoint."""
        counts: dict[str, Any] = msgspec.to_builtins(self.counts)
        return counts

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint."""
        counts = msgspec.convert(state, dict[str, Count])
        self.counts |= {name: count for name, count in counts.items() if name in self.counts}


def bin_of(training_task: TrainingTask) -> str:
    """The bin of a lesson: steps of its plan, to the next edge."""
    steps = len(training_task.task.subtasks)
    edge = next((edge for edge in EDGES if steps <= edge), None)
    return f"{EDGES[-1]:02d}+" if edge is None else f"{edge:02d}"
