"""Ledgers of benchmark runs by scripted agents, ready to be continued."""

from pathlib import Path
from typing import Any

from msgspec import structs

from agentdyno.pipelines.measure import measure
from agentdyno_bench import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.pte.tir.plans import TirOptions, tir_plans
from agentdyno_bench.shared.bench_run import Plan
from agentdyno_bench.toolfail.tasks.factories import SCORED as TOOLFAIL
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.utility.rollouts.run.inspect_runs import Continuing
from tests.bench.toolfail.tasks.writing import write_suite
from tests.bench.tps.inprocess import memory_pool
from tests.bench.utility.rollouts.scripts import HERE, RECORDED

TRUSTED = Continuing(trusted=True)
"""Scripts and tools of the tests stand in the settings."""


def scripted(name: str) -> ModelSpec:
    return ModelSpec("agentdyno/scripted", arguments={"script": f"{HERE}:{name}"})


def questions(folder: Path, many: int) -> Path:
    """Questions that all have the answer 18."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        f'{{"unique_id": "q/{n}", "problem": "What is 18 + {n} - {n}?", "answer": "18"}}\n'
        for n in range(many)
    ]
    (folder / "math_500.jsonl").write_text("".join(lines))
    return folder


def tir_ledger(out: Path, script: str, many: int = 2, **options: Any) -> Path:
    asked = TirOptions(
        ["math_500"],
        [scripted(script)],
        data=str(questions(out / "data", many)),
        toolmaker=f"{HERE}:fresh_tools",
        **options,
    )
    return measured(out, tir_plans(asked, RunOptions(out=out, seed=RECORDED)))


def tps_ledger(
    out: Path,
    script: str,
    task_ids: list[str],
    selection: Any = "none",
    scheduling: Any = "parallel",
) -> Path:
    asked = TpsPlanOptions(
        models=[scripted(script)],
        levels=["easy"],
        selections=[selection],
        schedulings=[scheduling],
        turns=60,
        pool=memory_pool(t for t in load_bundled("easy").tasks if t.task_id in task_ids),
    )
    plans = tps_plans(asked, RunOptions(out=out, concurrency=4))
    for plan in plans:
        plan.task.arguments["task_ids"] = task_ids
    return measured(out, plans)


def measured(out: Path, plans: list[Plan]) -> Path:
    from agentdyno_bench.shared.running.task_runs import run_task

    for plan in plans:
        assert run_task(plan.task, plan.model, plan.options).failed == []
    measure([out / "logs"], out / "ledger")
    return out / "ledger"


def some_tasks(folder: Path, task_ids: list[str]) -> Path:
    """The named tasks of the bundled suite as a suite of their own."""
    suite = load_suite(turns="multi")
    tasks = tuple(task for task in suite.tasks if task.task_id in task_ids)
    domains = {task.domain for task in tasks}
    tools = {domain: found for domain, found in suite.tools.items() if domain in domains}
    write_suite(structs.replace(suite, tasks=tasks, tools=tools), folder)
    return folder


def toolfail_ledger(out: Path, script: str, task_ids: list[str]) -> Path:
    """The named tasks of the bundled suite, under the published sampling."""
    recipe = TaskRecipe(TOOLFAIL, {"tasks": str(some_tasks(out / "tasks", task_ids)),
                                   "turns": "multi"})  # fmt: skip
    options = RunOptions(out=out, temperature=0.0, seed=42)
    return measured(out, [Plan(recipe, scripted(script), options)])
