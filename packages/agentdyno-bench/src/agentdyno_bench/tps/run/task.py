"""The Inspect task: compound tasks over the world, or over any task file.

TaskRecipe("agentdyno_bench.tps.run.task:tps_task", {"level": "hard", "selection": "rule"})
"""

from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from agentdyno.records import InputError
from agentdyno_bench.tps.outcomes.marking import MARKS_VERSION
from agentdyno_bench.tps.outcomes.submission import SUBMIT, submit_schemas
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.tasks.dataset import load_bundled, read_tasks
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, TaskSet

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample

FACTORY = "agentdyno_bench.tps.run.task:tps_task"


def tps_task(
    level: Level = "easy",
    tasks: str | None = None,
    options: dict[str, Any] | None = None,
    task_ids: list[str] | None = None,
) -> "Task":
    """The task; `tasks` is a file in place of the bundled ones."""
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset

    from agentdyno_bench.tps.run.marking import completion
    from agentdyno_bench.tps.run.solving import plan_and_schedule

    run_options = msgspec.convert(options or {}, TpsOptions)
    task_set = load_bundled(level) if tasks is None else read_tasks(Path(tasks))
    if "seed" not in (options or {}).get("pool", {}):
        pool = structs.replace(run_options.pool, seed=task_set.world_seed)
        run_options = structs.replace(run_options, pool=pool)
    _check_seed(task_set, run_options)
    selected = [t for t in task_set.tasks if task_ids is None or t.task_id in task_ids]
    by_id = {task.task_id: task for task in selected}
    name = f"tps_{level}"
    return Task(
        name=name,
        dataset=MemoryDataset([_sample(task) for task in selected], name=name),
        solver=plan_and_schedule(run_options),
        scorer=completion(by_id, run_options),
        metadata={"selection": run_options.selection, "scheduling": run_options.scheduling,
                  "world_seed": run_options.pool.seed, "faults": run_options.pool.faults,
                  "latency": run_options.pool.latency, "made_by": task_set.made_by,
                  "answers": run_options.answers,
                  "answer_tool": SUBMIT if run_options.answers == "submit" else None,
                  "marks_version": MARKS_VERSION,
                  "version": version("agentdyno-bench")},
    )  # fmt: skip


def _check_seed(tasks: TaskSet, options: TpsOptions) -> None:
    if tasks.world_seed != options.pool.seed:
        raise InputError(
            f"expected the world of seed {tasks.world_seed}, in which these tasks were made, found "
            f"seed {options.pool.seed}. Make tasks for that seed first: agentdyno world tasks."
        )


def _sample(task: CompoundTask) -> "Sample":
    from inspect_ai.dataset import Sample

    schemas = submit_schemas(task)
    about = {"level": task.level, "follow_ups": task.follow_ups, "submit": schemas}
    return Sample(id=task.task_id, input=task.prompt, metadata=about)
