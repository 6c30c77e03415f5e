"""Scripted agents of known ways get exactly the measures that follow from how they were built."""

import pytest

from agentdyno.benchmarks.tps.agents.inprocess import run_agent
from agentdyno.benchmarks.tps.agents.ways import WAYS, Way
from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.benchmarks.tps.tasks.placing import graph_of
from agentdyno.benchmarks.tps.tasks.values import CompoundTask
from agentdyno.benchmarks.tps.world.directory import DEFAULT_SEED
from agentdyno.metrics.scheduling import measure_schedule

EVALUATED = [*bundled("easy").tasks, *bundled("hard").tasks]


def depths(task: CompoundTask) -> dict[str, int]:
    """Longest chain that ends with each subtask, worked out apart from the code under test."""
    found: dict[str, int] = {}
    for s in task.subtasks:
        found[s.subtask_id] = 1 + max([found[n] for n in s.needs], default=0)
    return found


def check(task: CompoundTask, way: Way) -> None:
    run = run_agent(way, task, DEFAULT_SEED)
    got = measure_schedule(graph_of(task), run.placed)
    total, depth = len(task.subtasks), depths(task)
    roots = [s for s in task.subtasks if not s.needs]
    half = {s.subtask_id for s in task.subtasks[: total // 2]}
    slowest: dict[int, float] = {}
    for s in task.subtasks:
        level = depth[s.subtask_id]
        slowest[level] = max(slowest.get(level, 0), s.latency_seconds)
    serial = sum(s.latency_seconds for s in task.subtasks)
    some = {wish.step for wish in task.wishes[: len(task.wishes) // 2]}
    for s in reversed(task.subtasks):
        some |= set(s.needs) if s.subtask_id in some else set()
    steps, turns, early, unneeded, calls = {
        "optimal": (set(depth), max(depth.values()), 0, 0, total),
        "sequential": (set(depth), total, 0, 0, total),
        "at_once": ({s.subtask_id for s in roots}, 1, total - len(roots), 0, total),
        "wrong_tools": (set[str](), 1, 0, total, total),
        "gives_up": (half, len({depth[i] for i in half}), 0, 0, len(half)),
        "half_work": (some, len({depth[i] for i in some}), 0, 0, len(some)),
    }[way]
    wanted = {w.wish_id for w in task.wishes if w.step in steps}
    if way == "half_work":
        wanted = {w.wish_id for w in task.wishes[: len(task.wishes) // 2]}
    if way in ("half_work", "gives_up"):
        # What it did on the way may grant another wish; what it set out for is granted.
        assert set(run.completed) >= wanted
    else:
        assert run.completed == [w.wish_id for w in task.wishes if w.step in steps]
        assert run.marks.solved == (len(run.completed) == len(task.wishes))
    assert way == "at_once" or run.marks.harms == []
    assert (got.turns, got.early_calls, got.unneeded_calls, got.calls) == (
        turns, early, unneeded, calls,
    )  # fmt: skip
    assert got.repeated_calls == 0
    assert got.best_turns == max(depth.values())
    if way == "optimal":
        assert got.turns_over_best == 1
        assert got.makespan_seconds == pytest.approx(sum(slowest.values()))
        assert got.speedup_taken == pytest.approx(serial / sum(slowest.values()))
        assert got.speedup_available >= got.speedup_taken - 1e-9
    if way == "sequential":
        assert got.makespan_seconds == pytest.approx(serial)
        assert got.speedup_taken == pytest.approx(1)


@pytest.mark.parametrize("way", WAYS)
def test_measures_follow_from_the_way_on_a_sample(way: Way) -> None:
    for task in EVALUATED[::7]:
        check(task, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_measures_follow_from_the_way_on_all_200_tasks(way: Way) -> None:
    for task in EVALUATED:
        check(task, way)
