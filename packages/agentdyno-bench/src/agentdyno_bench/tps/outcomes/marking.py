"""Marks an attempt: task, calls and answer in, marks with reasons out.

The one function by which the benchmark, `world mark`, the judge's validation and training rewards
mark. It is pure: the calls are made again in a fresh world, the world afterwards is compared with
the world before, and the answer is read for the values that were wished (see `answering`). Any way
of doing it counts; what was changed or spent without being wished is harm and costs (see `harm`).
What the reader cannot decide is unclear: not granted, and counted apart.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from agentdyno.matching.commitments import Answer, Decision
from agentdyno_bench.tps.outcomes.answering import Text
from agentdyno_bench.tps.outcomes.changes import Change, changes
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.fitting import Read, fits
from agentdyno_bench.tps.outcomes.goals import goal_for, goals_of
from agentdyno_bench.tps.outcomes.harm import Harm, factor, harms, missing_money
from agentdyno_bench.tps.outcomes.replaying import AnyCall, replay
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask, Slot, StateCheck, Wish
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
    unclear: bool = False
    """Whether it was not granted because nobody could tell."""


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
    def unclear(self) -> list[str]:
        """Wishes of which the reader could not tell whether they were granted."""
        return [mark.wish_id for mark in self.wishes if mark.unclear]

    @property
    def completion_high(self) -> float:
        """Completion if all unclear wishes were granted; completion itself is the lower bound."""
        return (len(self.done) + len(self.unclear)) / len(self.wishes)

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
    answers: str | Sequence[str],
    world_seed: int = DEFAULT_SEED,
    faults: float = 0.0,
) -> AttemptMarks:
    """Marks one attempt at a task. Where the user answers back, there is an answer to each of his
    messages; one that is missing states nothing."""
    again = replay(calls, world_seed, faults)
    found, seen = changes(again.states, world_seed), Seen(again.answered)
    reader = _Reader(task, seen, [answers] if isinstance(answers, str) else answers)
    marked = [reader.mark(wish, found) for wish in task.wishes]
    wished = [wish.state for wish in task.wishes if wish.state is not None]
    spent = missing_money(again.states, found, world_seed)
    return AttemptMarks(
        task.task_id, marked, harms(found, wished, reader.read, spent), again.failed
    )


class _Reader:
    """Reads the texts of one attempt, each once."""

    def __init__(self, task: CompoundTask, seen: Seen, answers: Sequence[str]) -> None:
        self._task, self._seen, self._answers = task, seen, answers
        self._goals, self._prompt = goals_of(task), read_request(task)
        self._texts: dict[int, Text] = {}
        self._letters: dict[tuple[str, str], Answer] = {}

    def mark(self, wish: Wish, found: list[Change]) -> WishMark:
        """What became of a wish."""
        if wish.slot is not None:
            decision = self._state(wish.slot, wish.stage)
        else:
            assert wish.state is not None
            decision = _reached(wish.state, found, self.read)
        done, unclear = decision.answer == "yes", decision.answer == "unclear"
        return WishMark(wish.wish_id, done, decision.reason, unclear)

    def _state(self, slot: Slot, stage: int) -> Decision:
        if not (self._seen.holds(slot.value) or _follows(slot, self._seen)):
            return Decision("no", "the agent has not seen it or what it follows from")
        if stage not in self._texts:
            self._texts[stage] = self._read_answer(stage)
        goal = next(goal for goal in self._goals if goal.slot is slot)
        return self._texts[stage].decide(goal)

    def _read_answer(self, stage: int) -> Text:
        """The answer to a message, read for what that message asks for."""
        answer = self._answers[stage] if stage < len(self._answers) else ""
        asked = [w.slot for w in self._task.wishes if w.stage == stage]
        goals = [goal for goal in self._goals if any(goal.slot is slot for slot in asked)]
        return Text(answer, goals, read_request(self._task, stage), self._seen)

    def read(self, letter: str, values: list[Any]) -> Answer:
        """Whether a letter commits to values, in their order where nothing else tells them."""
        key = letter, repr(values)
        if key not in self._letters:
            goals = [goal_for(value, self._goals) for value in values]
            text = Text(letter, goals, self._prompt, self._seen, is_letter=True)
            answers = {text.decide(goal).answer for goal in goals}
            self._letters[key] = next(a for a in _WORST_FIRST if a in answers or a == "yes")
        return self._letters[key]


_WORST_FIRST: tuple[Answer, ...] = ("no", "unclear", "yes")


def _follows(slot: Slot, seen: Seen) -> bool:
    return bool(slot.support) and all(seen.holds(value) for value in slot.support)


def _reached(check: StateCheck, found: list[Change], read: Read) -> Decision:
    best = Decision("no", "no such change was made")
    for change in found:
        if (change.server, change.collection) == (check.server, check.collection):
            row = change.before if check.gone else change.after
            if row is not None and (change.after is None) == check.gone:
                answer = fits(row, check, read)
                if answer == "yes":
                    return Decision("yes", "so it is")
                if answer == "unclear":
                    best = Decision("unclear", "what was written can be read in two ways")
    return best
