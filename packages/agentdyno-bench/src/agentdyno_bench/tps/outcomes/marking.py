"""Marks an attempt: task, calls and answer in, marks with reasons out.

The one function by which the benchmark, `world mark`, the judge's validation and training rewards
mark. It is pure: the calls are made again in a fresh world, the world afterwards is compared with
the world before, and the answer is read for the values that were wished. Any way of doing it
counts; what was changed without being wished is harm and costs (see `harm`).
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes.answering import Answer
from agentdyno_bench.tps.outcomes.changes import Change, changes
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.fitting import fits
from agentdyno_bench.tps.outcomes.harm import Harm, factor, harms
from agentdyno_bench.tps.outcomes.replaying import AnyCall, replay
from agentdyno_bench.tps.tasks.values import CompoundTask, StateCheck, Wish
from agentdyno_bench.tps.world.directory import DEFAULT_SEED


class Asked(Struct, frozen=True):
    """A call as a transcript has it."""

    tool: str
    """The tool's prefixed name."""
    arguments: Any = {}
    """What was asked."""


class WishMark(Struct, frozen=True):
    """What became of one wish."""

    wish_id: str
    """The wish."""
    done: bool
    """Whether it was granted."""
    reason: str
    """Why not, or how."""


class AttemptMarks(Struct, frozen=True):
    """What an attempt is worth."""

    task_id: str
    """The task."""
    wishes: list[WishMark]
    """Each wish."""
    harms: list[Harm]
    """What was changed without being wished."""
    failed_calls: int
    """Calls that the services refused."""

    @property
    def done(self) -> list[str]:
        """Wishes that were granted."""
        return [mark.wish_id for mark in self.wishes if mark.done]

    @property
    def completion(self) -> float:
        """Granted wishes over wishes."""
        return len(self.done) / len(self.wishes)

    @property
    def score(self) -> float:
        """Completion, paid for by harm."""
        return self.completion * factor(self.harms)

    @property
    def solved(self) -> bool:
        """Every wish, and nothing else."""
        return not self.harms and len(self.done) == len(self.wishes)


def mark(
    task: CompoundTask,
    calls: Iterable[AnyCall],
    answer: str,
    world_seed: int = DEFAULT_SEED,
    faults: float = 0.0,
) -> AttemptMarks:
    """Marks one attempt at a task."""
    again = replay(calls, world_seed, faults)
    found = changes(again.states, world_seed)
    slots = [wish.slot for wish in task.wishes if wish.slot is not None]
    read = Answer(answer, task.prompt, slots, Seen(again.answered))
    marked = [_marked(wish, read, found) for wish in task.wishes]
    wished = [wish.state for wish in task.wishes if wish.state is not None]
    return AttemptMarks(task.task_id, marked, harms(found, wished), again.failed)


def _marked(wish: Wish, answer: Answer, found: list[Change]) -> WishMark:
    if wish.slot is not None:
        why = answer.verdict(wish.slot)
        return WishMark(wish.wish_id, why is None, why or "said")
    assert wish.state is not None
    reached = _reached(wish.state, found)
    return WishMark(wish.wish_id, reached, "so it is" if reached else "no such change was made")


def _reached(check: StateCheck, found: list[Change]) -> bool:
    for change in found:
        if (change.server, change.collection) == (check.server, check.collection):
            row = change.before if check.gone else change.after
            if row is not None and (change.after is None) == check.gone and fits(row, check):
                return True
    return False
