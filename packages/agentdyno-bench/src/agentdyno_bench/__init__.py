"""Benchmarks: Inspect tasks built to expose an agent, and what is needed to run them.

    run_task(task, model, RunOptions(out=...))     running   any task, safely: resume, shards, load
    open_model(ModelSpec("agentdyno/smollm2"))     models    Inspect models that change nothing
    TaskRecipe("package.module:function", {...})   running   a task that other processes can build

A benchmark is a package beside these with a function that returns an `inspect_ai.Task`. What a
run writes are Inspect logs; they enter the ledger through intake, like anybody's.

Importing this package imports nothing: its parts come when they are asked for, so that problems and
prompts can be had where only torch is installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun
    from agentdyno_bench.shared.running.task_runs import run_task

__all__ = ["ModelSpec", "RunOptions", "TaskRecipe", "TaskRun", "run_task"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = "task_runs" if name == "run_task" else "options"
    return getattr(import_module(f"agentdyno_bench.shared.running.{module}"), name)
