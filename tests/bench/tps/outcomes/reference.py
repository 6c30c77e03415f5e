"""What the reference plan of a task does in the world that tasks are marked in."""

from agentdyno_bench.tps.tasks.execution import PlanRun, run_plan
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

_runs: dict[tuple[str, bool], PlanRun] = {}


def run_of(task: CompoundTask, by_levels: bool = True) -> PlanRun:
    """Run once in a process: dozens of answers are given to each."""
    key = (task.task_id, by_levels)
    if key not in _runs:
        _runs[key] = run_plan(task, World(DEFAULT_SEED), by_levels=by_levels)
    return _runs[key]
