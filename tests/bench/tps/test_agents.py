"""Scripted agents of known ways get exactly the measures that follow from how they were built."""

import pytest
from bench.scripted.ways import WAYS, Way

from agentdyno.measures.planning import measure_schedule
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.placing import graph_of
from agentdyno_bench.tps.tasks.values import CompoundTask
from tests.bench.tps.inprocess import run_agent

SETS = [load_bundled("easy"), load_bundled("hard")]
EVALUATED = [task for each in SETS for task in each.tasks]
PARTIAL: set[Way] = {"at_once", "gives_up", "half_work"}
"""On hard tasks what is left undone changes what other goals see; `granted` is for easy ones."""
SEEDS = {task.task_id: each.world_seed for each in SETS for task in each.tasks}


def tasks_for(ways: set[Way]) -> list[CompoundTask]:
    return EVALUATED if not ways & PARTIAL else SETS[0].tasks


def depths(task: CompoundTask) -> dict[str, int]:
    """Longest chain that ends with each subtask, worked out apart from the code under test."""
    found: dict[str, int] = {}
    for s in task.subtasks:
        found[s.subtask_id] = 1 + max([found[n] for n in s.needs], default=0)
    return found


def half_steps(task: CompoundTask) -> set[str]:
    """Steps that half of the goals take, with all that they need."""
    some = {goal.step for goal in task.goals[: len(task.goals) // 2]}
    for s in reversed(task.subtasks):
        some |= set(s.needs) if s.subtask_id in some else set()
    return some


def granted(task: CompoundTask, way: Way) -> set[str]:
    """The goals that a way was built to grant."""
    if way == "half_work":
        half = {w.goal_id for w in task.goals[: len(task.goals) // 2]}
        # A state on the way to another goal is there, although it was not set out for.
        steps = half_steps(task)
        return half | {w.goal_id for w in task.goals if w.state and w.step in steps}
    done = {
        "optimal": {s.subtask_id for s in task.subtasks},
        "patient": {s.subtask_id for s in task.subtasks},
        "sequential": {s.subtask_id for s in task.subtasks},
        "at_once": {s.subtask_id for s in task.subtasks if not s.needs},
        "wrong_tools": set[str](),
        "gives_up": {s.subtask_id for s in task.subtasks[: len(task.subtasks) // 2]},
    }[way]
    return {w.goal_id for w in task.goals if w.step in done}


def check(task: CompoundTask, way: Way) -> None:
    run = run_agent(way, task, SEEDS[task.task_id])
    got = measure_schedule(graph_of(task), run.placed)
    total, depth = len(task.subtasks), depths(task)
    roots = [s for s in task.subtasks if not s.needs]
    half = {s.subtask_id for s in task.subtasks[: total // 2]}
    slowest: dict[int, float] = {}
    for s in task.subtasks:
        level = depth[s.subtask_id]
        slowest[level] = max(slowest.get(level, 0), s.latency_seconds)
    serial = sum(s.latency_seconds for s in task.subtasks)
    some = half_steps(task)
    _, turns, early, unneeded, calls = {
        "optimal": (set(depth), max(depth.values()), 0, 0, total),
        "patient": (set(depth), max(depth.values()), 0, 0, total),
        "sequential": (set(depth), total, 0, 0, total),
        "at_once": ({s.subtask_id for s in roots}, 1, total - len(roots), 0, total),
        "wrong_tools": (set[str](), 1, 0, total, total),
        "gives_up": (half, len({depth[i] for i in half}), 0, 0, len(half)),
        "half_work": (some, len({depth[i] for i in some}), 0, 0, len(some)),
    }[way]
    assert set(run.completed) == granted(task, way)
    assert run.marks.solved == (len(run.completed) == len(task.goals))
    assert way == "at_once" or run.marks.harms == []
    assert (got.turns, got.early_calls, got.unneeded_calls, got.calls) == (
        turns, early, unneeded, calls,
    )  # fmt: skip
    assert (got.repeated_calls, got.best_turns) == (0, max(depth.values()))
    if way == "optimal":
        assert got.turns_over_best == 1
        assert got.makespan_seconds == pytest.approx(sum(slowest.values()))
        assert got.speedup_taken == pytest.approx(serial / sum(slowest.values()))
        assert got.speedup_available >= got.speedup_taken - 1e-9
    if way == "sequential":
        assert got.makespan_seconds == pytest.approx(serial)
        assert got.speedup_taken == pytest.approx(1)


STEPS = [7, pytest.param(1, id="all", marks=pytest.mark.slow)]
"""Every seventh task, or all 200."""


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("way", WAYS)
def test_measures_follow_from_the_way(way: Way, step: int) -> None:
    for task in tasks_for({way})[::step]:
        check(task, way)
