"""Seven ways of working on a task, from perfect to useless, as functions of what is known so far.

optimal      every subtask in its earliest turn
patient      the same, and again when a service failed
sequential   one subtask a turn
at_once      everything in the first turn, guessing what it cannot know
wrong_tools  as many calls as there are subtasks, none to a tool that serves
gives_up     the first half of the subtasks, each in its earliest turn, then no more
half_work    all that the first half of the goals takes, and an honest answer about those

Takes the task (or the stage of it that the user's last message asks for), the turn since that
message and the results so far; returns the calls of this turn, or what is submitted.
"""

from collections.abc import Callable
from typing import Any, Literal, get_args

from msgspec import Struct

from agentdyno_bench.tps.outcomes.submission import answer_of
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.references import Results, UnclearError, fill, resolve
from agentdyno_bench.tps.tasks.values import CompoundTask, Goal, Subtask
from agentdyno_bench.tps.world.directory import all_tools

Way = Literal["optimal", "patient", "sequential", "at_once", "wrong_tools", "gives_up", "half_work"]
WAYS: tuple[Way, ...] = get_args(Way)

TRIES = 6
"""Turns for each subtask before the best agent gives up."""
GUESS = "?"
"""What an agent writes that does not know a value; no service accepts it."""


class PlannedCall(Struct, frozen=True):
    """A call that an agent wants to make."""

    call_id: str
    """The subtask's id, or another name when it is for none."""
    tool: str
    arguments: dict[str, Any]
    """Arguments, with references to earlier results."""


class Move(Struct, frozen=True):
    """What an agent does in one turn."""

    calls: list[PlannedCall]
    """Calls; empty in the last turn."""
    answer: str = ""
    """What is submitted in the last turn, as JSON."""


NOTHING = "{}"
"""What an agent submits that could not go on."""


def next_move(way: Way, task: CompoundTask, turn: int, results: Results) -> Move:
    """What an agent of this way does next."""
    return _WAYS[way](task, turn, results)


def _optimal(task: CompoundTask, turn: int, results: Results) -> Move:
    return _by_levels(task, levels_of(task), turn, results, task.subtasks)


def _patient(task: CompoundTask, turn: int, results: Results) -> Move:
    waiting = [step for step in task.subtasks if step.subtask_id not in results]
    if not waiting or turn > TRIES * len(task.subtasks):
        return Move([], _answer(task, task.subtasks) if not waiting else NOTHING)
    own = {step.subtask_id for step in waiting}
    ready = [step for step in waiting if not own.intersection(step.needs)]
    try:
        return Move([_call(step, resolve(step.arguments, results)) for step in ready])
    except UnclearError:
        return Move([], NOTHING)


def _sequential(task: CompoundTask, turn: int, results: Results) -> Move:
    return _by_levels(task, [[s] for s in task.subtasks], turn, results, task.subtasks)


def _gives_up(task: CompoundTask, turn: int, results: Results) -> Move:
    half = first_half(task)
    levels = [row for row in _within(levels_of(task), half) if row]
    return _by_levels(task, levels, turn, results, half)


def first_half(task: CompoundTask) -> list[Subtask]:
    """The subtasks that an agent does that gives up half-way."""
    return task.subtasks[: len(task.subtasks) // 2]


def _half_work(task: CompoundTask, turn: int, results: Results) -> Move:
    remaining = _with_needs(task, {goal.step for goal in halve_goals(task)})
    levels = [row for row in _within(levels_of(task), remaining) if row]
    move = _by_levels(task, levels, turn, results, remaining)
    return move if move.calls else Move([], _only(task))


def halve_goals(task: CompoundTask) -> list[Goal]:
    """The goals that an honest half-worker meets."""
    return task.goals[: len(task.goals) // 2]


def _only(task: CompoundTask) -> str:
    return answer_of(task, _stage(task), {goal.goal_id for goal in halve_goals(task)})


def _answer(task: CompoundTask, steps: list[Subtask]) -> str:
    """The values that some steps bring."""
    done = {step.subtask_id for step in steps}
    goals = {goal.goal_id for goal in task.goals if goal.step in done}
    return answer_of(task, _stage(task), goals)


def _stage(task: CompoundTask) -> int:
    return next((goal.stage for goal in task.goals), 0)


def _with_needs(task: CompoundTask, goals: set[str]) -> list[Subtask]:
    """Steps with everything that they need, in the plan's order."""
    for subtask in reversed(task.subtasks):
        if subtask.subtask_id in goals:
            goals |= set(subtask.needs)
    return [s for s in task.subtasks if s.subtask_id in goals]


def _within(levels: list[list[Subtask]], remaining: list[Subtask]) -> list[list[Subtask]]:
    names = {subtask.subtask_id for subtask in remaining}
    return [[s for s in row if s.subtask_id in names] for row in levels]


def _by_levels(
    task: CompoundTask,
    levels: list[list[Subtask]],
    turn: int,
    results: Results,
    answered: list[Subtask],
) -> Move:
    if turn >= len(levels):
        return Move([], _answer(task, answered))
    try:
        return Move([_call(s, resolve(s.arguments, results)) for s in levels[turn]])
    except UnclearError:
        return Move([], NOTHING)


def _at_once(task: CompoundTask, turn: int, results: Results) -> Move:
    if turn:
        return Move([], _answer(task, [s for s in task.subtasks if not s.needs]))
    return Move([_call(s, fill(s.arguments, GUESS)) for s in task.subtasks])


def _wrong_tools(task: CompoundTask, turn: int, results: Results) -> Move:
    if turn:
        return Move([], NOTHING)
    serving = {tool for subtask in task.subtasks for tool in subtask.serves}
    others = [name for name in all_tools() if name not in serving]
    return Move(
        [
            PlannedCall(f"w{number}", others[number % len(others)], {})
            for number in range(len(task.subtasks))
        ]
    )


def _call(subtask: Subtask, arguments: dict[str, Any]) -> PlannedCall:
    return PlannedCall(subtask.subtask_id, subtask.tool, arguments)


_WAYS: dict[Way, Callable[[CompoundTask, int, Results], Move]] = {
    "optimal": _optimal,
    "patient": _patient,
    "sequential": _sequential,
    "at_once": _at_once,
    "wrong_tools": _wrong_tools,
    "gives_up": _gives_up,
    "half_work": _half_work,
}
