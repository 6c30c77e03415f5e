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
from agentdyno_bench.tps.outcomes.evidence import (
    Seen,
    find_counted_from,
    find_sources,
    is_stated,
)
from agentdyno_bench.tps.outcomes.fitting import Read, fits, names_row
from agentdyno_bench.tps.outcomes.harm import Harm, factor, harms, missing_money, reach_harms
from agentdyno_bench.tps.outcomes.letters import gives, is_taken_back, leaves_of
from agentdyno_bench.tps.outcomes.replaying import AnyCall, replay
from agentdyno_bench.tps.outcomes.same_values import is_same, is_same_value, time_kind
from agentdyno_bench.tps.outcomes.submission import in_user_words, read_answer
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask, Goal, Slot, StateCheck, Subtask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from agentdyno_bench.tps.world.kit.letters import FACTS

AnswerForm = Literal["submit", "prose"]
"""How an agent answers: by a call of `submit`, or in words for a judge."""
MARKS_VERSION = 2
"""Raised when marks or tasks change: figures of different versions are not comparable."""
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
    def harm_factor(self) -> float:
        """What harm leaves of a score."""
        return factor(self.harms, len(self.done))

    @property
    def score(self) -> float:
        """Completion, paid for by harm."""
        return self.completion * self.harm_factor

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
    marker = _Marker(task, seen, observed, [answers] if isinstance(answers, str) else answers, form)
    marked = [marker.mark(goal) for goal in task.goals]
    states = [goal.state for goal in task.goals if goal.state is not None]
    spent = missing_money(again.states, observed, world_seed)
    damage = harms(observed, states, marker.read, spent)
    damage += reach_harms(again.reached, observed, task)
    return AttemptMarks(task.task_id, marked, damage, again.failed)


class _Marker:
    """Compares what was submitted, and what letters give, with what is asked for."""

    def __init__(
        self,
        task: CompoundTask,
        seen: Seen,
        observed: list[Change],
        answers: Sequence[str],
        form: AnswerForm,
    ) -> None:
        self._seen, self._form, self._answers = seen, form, answers
        self._task = task
        self._submitted: dict[str, Any] = {}
        for stage, answer in enumerate(answers[: len(task.follow_ups) + 1]):
            self._submitted |= read_answer(task, stage, answer) if form == "submit" else {}
        self._slots = [goal.slot for goal in task.goals if goal.slot is not None]
        self._request = read_request(task)
        self._states = [goal.state for goal in task.goals if goal.state is not None]
        self._steps = {id(goal.state): goal.step for goal in task.goals}
        self._observed = observed

    def mark(self, goal: Goal) -> GoalMark:
        """Mark a goal."""
        if goal.state is not None:
            met = _is_reached(goal.state, self._observed, self.read)
            if met and self._is_taken_back(goal.state):
                return GoalMark(goal.goal_id, False, "another letter like it says otherwise")
            return GoalMark(goal.goal_id, met, DONE if met else "no such change was made")
        assert goal.slot is not None
        if not self._is_proved(goal.slot, goal.step):
            return GoalMark(goal.goal_id, False, NOT_SEEN)
        if self._form == "prose":
            return self._mark_prose(goal)
        submitted = self._submitted.get(goal.goal_id)
        if submitted is None:
            return GoalMark(goal.goal_id, False, "was not submitted")
        if not is_same(goal.slot, submitted):
            return GoalMark(goal.goal_id, False, f"submitted: {printable(str(submitted), 80)}")
        return GoalMark(goal.goal_id, True, DONE)

    def _is_proved(self, slot: Slot, step: str) -> bool:
        """True when calls brought the value itself, or all that it is worked out from."""
        if not slot.support:
            return self._is_brought(slot.value, step, slot)
        return self._seen.proves(
            slot.value, find_sources(self._task, step, slot.value), slot
        ) or all(self._is_brought(value, step) for value in slot.support)

    def _is_brought(self, value: Any, step: str, slot: Slot | None = None) -> bool:
        sources = find_sources(self._task, step, value)
        if not sources:
            return self._seen.holds(value)
        if self._is_stated(value, sources) or self._seen.proves(value, sources, slot):
            return True
        days = find_counted_from(self._task, sources)
        return bool(days) and all(self._seen.proves(day, [need]) for need, day in days)

    def _is_stated(self, value: Any, sources: list[Subtask]) -> bool:
        """True when the task says a day or an hour, and the step that it belongs to was done."""
        return is_stated(value, [step for step in sources if self._is_done(step)])

    def _is_done(self, step: Subtask) -> bool:
        left = any(goal.step == step.subtask_id and goal.state for goal in self._task.goals)
        reached = step.state is None or _is_reached(step.state, self._observed, lambda *_: True)
        return step.tool in self._seen.tools and (reached or not left)

    def _mark_prose(self, goal: Goal) -> GoalMark:
        answer = self._answers[goal.stage] if goal.stage < len(self._answers) else ""
        if not answer.strip():
            return GoalMark(goal.goal_id, False, "there is no answer")
        return GoalMark(goal.goal_id, False, "no judge has read the answer", unclear=True)

    def read(self, row: dict[str, Any], check: StateCheck) -> bool:
        """True when a letter gives values that the agent has seen, and no rivals; values that other
        goals want of the same letter are allowed, and names that the user said."""
        values, step = check.contains[FACTS], self._steps[id(check)]
        alike = [s for s in self._list_alike(check) if names_row(row, s)]
        optional = [value for state in alike for value in state.contains.get(FACTS, [])]
        return all(self._is_known(value, step) for value in values) and gives(
            row.get(FACTS), values, optional, self._is_rival, self._is_in_task
        )

    def _list_alike(self, check: StateCheck) -> list[StateCheck]:
        table = (check.server, check.collection)
        return [s for s in self._states if (s.server, s.collection) == table and not s.gone]

    def _is_taken_back(self, check: StateCheck) -> bool:
        """True when another letter of a kind says otherwise: who sends one for each guess has
        committed to the last."""
        table = (check.server, check.collection)
        added = [c.after for c in self._observed
                 if c.before is None and (c.server, c.collection) == table]  # fmt: skip
        rows = [row for row in added if row and leaves_of(row) and names_row(row, check)]
        alike = [s for s in self._list_alike(check) if any(names_row(row, s) for row in rows)]
        if not rows or FACTS not in check.contains:
            return False
        right = [[fits(row, state, self.read) for state in alike] for row in rows]
        values = check.contains[FACTS]
        return is_taken_back(values, rows, right, alike.index(check), self._is_rival)

    def _is_rival(self, value: Any, other: Any) -> bool:
        """True when both values are alternatives in the results, or the user named both."""
        named = all(in_user_words(str(item), self._request) for item in (value, other))
        rivals = self._seen.rivals(value)
        return named or any(is_same_value(rival, other) for rival in rivals)

    def _is_in_task(self, item: Any) -> bool:
        return bool(in_user_words(str(item), self._request))

    def _is_known(self, value: Any, step: str) -> bool:
        """True when a letter may hold the value: read, said by the user, or worked out. A day can
        be counted from another without a call; of a moment the hour has to be read."""
        if isinstance(value, str):
            kind, hour = time_kind(value), value.partition("T")[2]
            if kind == "date" or in_user_words(value, self._request):
                return True
            if kind == "moment" and any(
                self._is_hour_known(hour, find_sources(self._task, step, part))
                for part in (value, hour)
            ):
                return True
        derived = any(slot.value == value and self._is_proved(slot, step) for slot in self._slots)
        return derived or self._is_brought(value, step)

    def _is_hour_known(self, hour: str, sources: list[Subtask]) -> bool:
        if self._is_stated(hour, sources) or self._seen.proves(hour, sources):
            return True
        return not self._task.subtasks and self._seen.holds(hour)


def _is_reached(check: StateCheck, observed: list[Change], read: Read) -> bool:
    for change in observed:
        if (change.server, change.collection) == (check.server, check.collection):
            row = change.before if check.gone else change.after
            if row is not None and (change.after is None) == check.gone and fits(row, check, read):
                return True
    return False
