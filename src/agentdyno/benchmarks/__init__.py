"""Benchmarks: Inspect tasks built to expose an agent, and what is needed to run them.

    run_task(task, model, RunOptions(out=...))     running   any task, safely: resume, shards, load
    open_model(ModelSpec("agentdyno/smollm2"))     models    Inspect models that change nothing
    TaskRecipe("package.module:function", {...})   running   a task that other processes can build

A benchmark is a package beside these with a function that returns an `inspect_ai.Task`. What a
run writes are Inspect logs; they enter the ledger through intake, like anybody's.

Importing this package imports neither Inspect nor torch.
"""

from agentdyno.benchmarks.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun
from agentdyno.benchmarks.running.run import run_task

__all__ = ["ModelSpec", "RunOptions", "TaskRecipe", "TaskRun", "run_task"]
