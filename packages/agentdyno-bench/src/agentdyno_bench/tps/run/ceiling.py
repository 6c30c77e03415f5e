"""The most that any agent can reach under a setting, worked out from the task's own plan.

A selection of at most n tools can do the steps whose tools are among them; a step whose needs
cannot be done cannot be done either. The best choice of n tools is searched exactly for small
plans: tools are dropped one after the other, whichever costs the fewest wishes, and the bound is
what is left. One call a turn and k turns leave the last for the answer, so at most k - 1 steps.

    ceiling = wishes that can be granted / wishes
"""

from collections.abc import Iterable

from msgspec import Struct

from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.values import CompoundTask


class Ceilings(Struct, frozen=True):
    """The ceiling of a setting over some tasks."""

    tasks: int
    """Tasks."""
    mean: float
    """Mean of the tasks' ceilings: the best completion rate that can be reached."""
    below: int
    """Tasks that nobody can finish under this setting."""


def ceilings(tasks: Iterable[CompoundTask], options: TpsOptions) -> Ceilings:
    """The ceiling of a setting."""
    found = [compute_ceiling(task, options) for task in tasks]
    return Ceilings(len(found), sum(found) / len(found), sum(value < 1 for value in found))


def compute_ceiling(task: CompoundTask, options: TpsOptions) -> float:
    """Share of the task's wishes that can be granted under the setting."""
    offered = None if options.tools is None else frozenset(options.tools)
    steps = {s.subtask_id for s in task.subtasks}
    if offered is not None:
        steps = _doable(task, offered)
    if options.selection != "none":
        steps &= _doable(task, _best_tools(task, options.most_tools, offered))
    steps &= _in_time(task, options, steps)
    return sum(wish.step in steps for wish in task.wishes) / len(task.wishes)


def _best_tools(task: CompoundTask, most: int, offered: frozenset[str] | None) -> frozenset[str]:
    offered_names = {
        tool for s in task.subtasks for tool in s.serves if offered is None or tool in offered
    }
    while len(offered_names) > most:
        cheapest = max(
            sorted(offered_names), key=lambda tool: _worth(task, frozenset(offered_names - {tool}))
        )
        offered_names.discard(cheapest)
    return frozenset(offered_names)


def _worth(task: CompoundTask, tools: frozenset[str]) -> int:
    steps = _doable(task, tools)
    return sum(wish.step in steps for wish in task.wishes)


def _doable(task: CompoundTask, tools: frozenset[str]) -> set[str]:
    """Steps that some of the tools can do, with all that they need."""
    done: set[str] = set()
    for subtask in task.subtasks:
        if tools.intersection(subtask.serves) and done.issuperset(subtask.needs):
            done.add(subtask.subtask_id)
    return done


def _in_time(task: CompoundTask, options: TpsOptions, steps: set[str]) -> set[str]:
    turns = options.turns - 1
    if options.scheduling == "sequential":
        goals = [s.subtask_id for s in task.subtasks if s.subtask_id in steps]
        return set(goals[:turns])
    return {s.subtask_id for level in levels_of(task)[:turns] for s in level}
