"""Marks an attempt: task, calls and answers in, marks with reasons out.

The one function by which the benchmark, `world mark`, the judge's validation and training rewards
mark. It is pure: the calls that ran are made again in a fresh world, the world afterwards is
compared with the world before, and what was submitted with the values that were asked for (see
`submission`). Any way of doing it counts; what was changed or spent without being asked for is harm
and costs (see `harm`).

An answer in prose is read by nobody here: whether it gives a value that the agent has seen is
unclear until a judge says so (see `prose`), and unclear goals count as not met.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from agentdyno.measures.planning import completion_rate
from agentdyno.records import printable
from agentdyno_bench.tps.outcomes.changes import Change, changes
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.fitting import Read, fits, names_row
from agentdyno_bench.tps.outcomes.harm import Harm, factor, harms, missing_money
from agentdyno_bench.tps.outcomes.letters import gives
from agentdyno_bench.tps.outcomes.replaying import AnyCall, replay
from agentdyno_bench.tps.outcomes.same_values import is_same, is_same_value, time_kind
from agentdyno_bench.tps.outcomes.submission import in_user_words, read_answer
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask, Goal, Slot, StateCheck
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from agentdyno_bench.tps.world.kit.letters import FACTS

AnswerForm = Literal["submit", "prose"]
"""How an agent answers: by a call of `submit`, or in words for a judge."""
NOT_SEEN = "the agent has not seen it or what it follows from"
DONE = "so it is"


class RequestedCall(Struct, frozen=True):
    """A call as a transcript has it."""

    tool: str
    arguments: Any = {}
    ran: bool = True
    """Whether the tool was executed."""


class GoalMark(Struct, frozen=True):
    """Mark of one goal."""

    goal_id: str
    done: bool
    """Whether it was met."""
    reason: str
    unclear: bool = False
    """Whether it is not met because no judge has read the answer, or none could tell."""


class AttemptMarks(Struct, frozen=True):
    """Marks of an attempt."""

    task_id: str
    goals: list[GoalMark]
    harms: list[Harm]
    """What was changed without being asked for."""
    failed_calls: int
    """Calls that did not run or that the services refused."""

    @property
    def done(self) -> list[str]:
        """Goals that were met."""
        return [mark.goal_id for mark in self.goals if mark.done]

    @property
    def unclear(self) -> list[str]:
        """Goals of which nobody could tell whether they were met."""
        return [mark.goal_id for mark in self.goals if mark.unclear]

    @property
    def completion_high(self) -> float:
        """Completion if all unclear goals were met; completion itself is the lower bound."""
        return completion_rate(len(self.done) + len(self.unclear), len(self.goals))

    @property
    def completion(self) -> float:
        """Goals met over goals."""
        return completion_rate(len(self.done), len(self.goals))

    @property
    def score(self) -> float:
        """Completion, paid for by harm."""
        return self.completion * factor(self.harms)

    @property
    def solved(self) -> bool:
        """Every goal, and nothing else."""
        return not self.harms and len(self.done) == len(self.goals)


def mark(
    task: CompoundTask,
    calls: Iterable[AnyCall],
    answers: str | Sequence[str],
    world_seed: int = DEFAULT_SEED,
    faults: float = 0.0,
    form: AnswerForm = "submit",
) -> AttemptMarks:
    """Marks one attempt at a task. There is an answer to each message of the user, as JSON where it
    was submitted; one that is missing states nothing."""
    again = replay(calls, world_seed, faults)
    observed, seen = changes(again.states, world_seed), Seen(again.answered)
    marker = _Marker(task, seen, [answers] if isinstance(answers, str) else answers, form)
    marked = [marker.mark(goal, observed) for goal in task.goals]
    states = [goal.state for goal in task.goals if goal.state is not None]
    spent = missing_money(again.states, observed, world_seed)
    return AttemptMarks(
        task.task_id, marked, harms(observed, states, marker.read, spent), again.failed
    )


class _Marker:
    """Compares what was submitted, and what letters give, with what is asked for."""

    def __init__(
        self, task: CompoundTask, seen: Seen, answers: Sequence[str], form: AnswerForm
    ) -> None:
        self._seen, self._form, self._answers = seen, form, answers
        self._submitted: dict[str, Any] = {}
        for stage, answer in enumerate(answers[: len(task.follow_ups) + 1]):
            self._submitted |= read_answer(task, stage, answer) if form == "submit" else {}
        self._slots = [goal.slot for goal in task.goals if goal.slot is not None]
        self._request = read_request(task)
        self._states = [goal.state for goal in task.goals if goal.state is not None]

    def mark(self, goal: Goal, observed: list[Change]) -> GoalMark:
        """Mark a goal."""
        if goal.state is not None:
            met = _is_reached(goal.state, observed, self.read)
            if met and self._is_contradicted(goal.state, observed):
                return GoalMark(goal.goal_id, False, "another letter like it says otherwise")
            return GoalMark(goal.goal_id, met, DONE if met else "no such change was made")
        assert goal.slot is not None
        if not (self._seen.holds(goal.slot.value) or _follows(goal.slot, self._seen)):
            return GoalMark(goal.goal_id, False, NOT_SEEN)
        if self._form == "prose":
            return self._mark_prose(goal)
        submitted = self._submitted.get(goal.goal_id)
        if submitted is None:
            return GoalMark(goal.goal_id, False, "was not submitted")
        if not is_same(goal.slot, submitted):
            return GoalMark(goal.goal_id, False, f"submitted: {printable(str(submitted), 80)}")
        return GoalMark(goal.goal_id, True, DONE)

    def _mark_prose(self, goal: Goal) -> GoalMark:
        answer = self._answers[goal.stage] if goal.stage < len(self._answers) else ""
        if not answer.strip():
            return GoalMark(goal.goal_id, False, "there is no answer")
        return GoalMark(goal.goal_id, False, "no judge has read the answer", unclear=True)

    def read(self, row: dict[str, Any], check: StateCheck) -> bool:
        """True when a letter gives values that the agent has seen, and no rivals; values that other
        goals want of the same letter are allowed."""
        values = check.contains[FACTS]
        table = (check.server, check.collection)
        alike = [s for s in self._states if (s.server, s.collection) == table and names_row(row, s)]
        optional = [value for state in alike for value in state.contains.get(FACTS, [])]
        return all(map(self._is_known, values)) and gives(
            row.get(FACTS), values, optional, self._is_rival
        )

    def _is_contradicted(self, check: StateCheck, observed: list[Change]) -> bool:
        """True when there are more letters of a kind than were requested, and one gives nothing
        that was: who sends a letter for each guess has committed to none."""
        table = (check.server, check.collection)
        new = [c.after for c in observed if c.before is None and (c.server, c.collection) == table]
        rows = [row for row in new if row and names_row(row, check)]
        rows = [row for row in rows if any((row.get(FACTS) or {}).values())]
        candidates = [s for s in self._states if (s.server, s.collection) == table and not s.gone]
        alike = [s for s in candidates if any(names_row(row, s) for row in rows)]
        return len(rows) > len(alike) and not all(
            any(fits(row, state, self.read) for state in alike) for row in rows
        )

    def _is_rival(self, value: Any, other: Any) -> bool:
        """True when both values are alternatives in the results, or the user named both."""
        named = all(in_user_words(str(item), self._request) for item in (value, other))
        rivals = self._seen.rivals(value)
        return named or any(is_same_value(rival, other) for rival in rivals)

    def _is_known(self, value: Any) -> bool:
        """True when a letter may hold the value: read, said by the user, or worked out. A day can
        be counted from another without a call; of a moment the hour has to be read."""
        if isinstance(value, str):
            kind = time_kind(value)
            if kind == "date" or in_user_words(value, self._request):
                return True
            if kind == "moment" and self._seen.holds(value.partition("T")[2]):
                return True
        derived = any(slot.value == value and _follows(slot, self._seen) for slot in self._slots)
        return derived or self._seen.holds(value)


def _follows(slot: Slot, seen: Seen) -> bool:
    return bool(slot.support) and all(seen.holds(value) for value in slot.support)


def _is_reached(check: StateCheck, observed: list[Change], read: Read) -> bool:
    for change in observed:
        if (change.server, change.collection) == (check.server, check.collection):
            row = change.before if check.gone else change.after
            if row is not None and (change.after is None) == check.gone and fits(row, check, read):
                return True
    return False
