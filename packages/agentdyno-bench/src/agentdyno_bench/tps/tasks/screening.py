"""Reasons to reject a compound, in words.

one tool        a single tool could do all of it
unsolvable      the reference plan does not complete every subtask, by levels or one by one
inconsistent    the two orders disagree: the task would depend on luck
overlapping     one call of the plan would do two subtasks, so they could not be counted
names a tool    the prompt gives a tool's name away
lists steps     the prompt numbers what to do
too long        no user would write that
one way         fewer than three ways with other tools get full marks (tests only)
same answer     two goals for one value of one field: whoever meets one meets both
few goals       fewer than two, so that half of the work cannot be distinguished from none
known           another task is about the same
held out        a training task that has an answer about the same things as a test task
trained on      a task with a purpose that has a call in common with a bundled training task; any
                other that asks for an answer of such a task; an easy one with half of its calls
                in common
no plan         a task with a purpose that is too short or too long, or any larger one without order
                or with more tools than an agent may select by default
"""

import re
from functools import cache
from typing import Any

import msgspec

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.paths import paths
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import levels_of, run_plan
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.references import UnclearError
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools

LONGEST_PROMPT = 4500
"""Characters."""
WAYS = 3
"""Ways with other tools that a test task must allow."""
SIZES, SHALLOWEST = range(5, 15), 3
"""Subtasks of a task with a purpose, and how many have to be done one after the other: one less
where a rule forbids the rest."""
MOST_TOOLS = 30
_NUMBERED = re.compile(r"(^|\n)\s*(\d+[.)]|[-*•])\s")


class Screen:
    """Remembers what was let through."""

    def __init__(self, world_seed: int) -> None:
        self._world_seed = world_seed
        self._known: set[frozenset[str]] = set()
        self._held_out: set[tuple[frozenset[str], str]] = set()
        self._names = [name for name in all_tools() if "_" in name]

    def refusal(self, task: CompoundTask) -> str | None:
        """Why the task is refused; None when it is taken, and then remembered."""
        reason = self._reason(task)
        if reason is None:
            self._known.add(signature(task))
            if task.level != "train":
                self._held_out |= find_answered_pairs(task)
        return reason

    def _reason(self, task: CompoundTask) -> str | None:
        common = set.intersection(*(set(s.serves) for s in task.subtasks))
        if len(task.subtasks) < 2 or common:
            return "one tool"
        if signature(task) in self._known:
            return "known"
        if task.level == "train" and self._held_out & find_answered_pairs(task):
            return "held out"
        if len(task.prompt) > LONGEST_PROMPT:
            return "too long"
        if _NUMBERED.search(task.prompt):
            return "lists steps"
        if self._names_a_tool(task.prompt):
            return "names a tool"
        if len(task.goals) < 2:
            return "few goals"
        texts = [(w.stage, w.slot.field, str(w.slot.value)) for w in task.goals if w.slot]
        if len(set(texts)) < len(texts):
            return "same answer"
        return self._unfit(task) or self._unsolvable(task) or self._narrow(task)

    def _unfit(self, task: CompoundTask) -> str | None:
        if task.level == "hard":
            taught = _taught_pairs() & find_answered_pairs(task)
            shallow = len(levels_of(task)) < SHALLOWEST
            many = len({step.tool for step in task.subtasks}) > MOST_TOOLS
            return "trained on" if taught else "no plan" if shallow or many else None
        if task.level == "easy":
            if _taught_pairs() & find_answered_pairs(task):
                return "trained on"
            calls = find_calls(task, self._world_seed)
            return "trained on" if 2 * len(calls & find_taught_calls()) >= len(calls) else None
        if task.level != "purpose":
            return None
        shallowest = SHALLOWEST - bool(task.forbidden)
        if len(task.subtasks) not in SIZES or len(levels_of(task)) < shallowest:
            return "no plan"
        return "trained on" if find_calls(task, self._world_seed) & find_taught_calls() else None

    def _narrow(self, task: CompoundTask) -> str | None:
        if task.level == "train" or len(paths(task, self._world_seed)) >= WAYS:
            return None
        return "one way"

    def _names_a_tool(self, prompt: str) -> bool:
        text = prompt.casefold()
        bare = {name.partition("_")[2] for name in self._names} | set(self._names)
        return any("_" in name and name in text for name in bare)

    def _unsolvable(self, task: CompoundTask) -> str | None:
        for by_levels in (True, False):
            try:
                run = run_plan(task, World(self._world_seed), by_levels)
            except UnclearError:
                return "unsolvable"
            if not mark(task, run.calls, run.answers, self._world_seed).solved:
                return "unsolvable" if by_levels else "inconsistent"
            if any(len(call.did) > 1 for call in place_calls(task, run.calls)):
                return "overlapping"
        return None


def find_answered_pairs(task: CompoundTask) -> set[tuple[frozenset[str], str]]:
    """Answers with the things they are about: what training must not contain."""
    about = {s.subtask_id: frozenset(s.about) for s in task.subtasks}
    return {
        (about[goal.step], str(goal.slot.value)) for goal in task.goals if goal.slot is not None
    }


def find_calls(task: CompoundTask, world_seed: int) -> frozenset[str]:
    """The calls of the reference plan: tool and arguments, in small letters."""
    run = run_plan(task, World(world_seed, timed=False), by_levels=False)
    return frozenset(name_call(call.tool, call.arguments) for call in run.calls)


def name_call(tool: str, arguments: Any) -> str:
    """A call as a text; equal calls have equal texts."""
    return _canonical([tool, arguments]).decode().casefold()


_canonical = msgspec.json.Encoder(order="sorted").encode


@cache
def find_taught_calls() -> frozenset[str]:
    """The calls of the bundled training tasks' plans."""
    taught = load_bundled("train")
    return frozenset().union(*(find_calls(task, taught.world_seed) for task in taught.tasks))


@cache
def _taught_pairs() -> frozenset[tuple[frozenset[str], str]]:
    return frozenset().union(*(find_answered_pairs(task) for task in load_bundled("train").tasks))


def signature(task: CompoundTask) -> frozenset[str]:
    """Identifies a task by its tools and their arguments, however it is worded."""
    return frozenset(f"{s.tool} {sorted(s.about)} {s.answer}" for s in task.subtasks)
