"""One process's share of a task: some samples, one Inspect log.

Everything that Inspect's defaults would corrupt is set here, once for all benchmarks.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.running.budget import Budget
from agentdyno_bench.shared.running.folder import RunFolder, shard_lock
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.shared.running.recipes import build_task

POOL_CONNECTIONS = "INSPECT_HTTP_POOL_CONNECTIONS"
"""Inspect opens 1,000 connections to a provider unless this says otherwise."""


class Shard(Struct, frozen=True):
    """Samples for one process to run."""

    task: Any
    """The task, or its recipe."""
    model: ModelSpec
    """The model that attempts the samples."""
    options: RunOptions
    """How the whole task is run."""
    folder: RunFolder
    samples: list[str | int]
    """Ids of the samples of this process."""
    concurrency: int
    """Samples in progress at once in this process."""
    number: int
    """Which process this is, from 0."""
    budget: Budget | None = None
    """What the run may spend; None without a limit."""


def run_shard(shard: Shard) -> None:
    """Runs the samples into one log; returns when all of them are on disk."""
    with shard_lock(shard.folder, shard.number), _environment(shard):
        from inspect_ai import eval as evaluate
        from inspect_ai._util.error import PrerequisiteError

        from agentdyno_bench.shared.models.metered import open_model

        budget = shard.budget
        try:
            model = open_model(shard.model, stream=shard.options.stream, budget=budget)
            roles = {
                name: open_model(spec, budget=budget) for name, spec in shard.options.roles.items()
            }
            logs = evaluate(
                build_task(shard.task),
                model=model,
                model_roles=roles,
                **_arguments(shard),
            )
        except PrerequisiteError as error:
            raise InputError(_plain(error.message)) from None
    if not logs or any(log.status == "cancelled" for log in logs):
        raise KeyboardInterrupt  # Inspect has answered it, and returns as if nothing had been.
    for log in logs:
        if log.status != "success":
            problem = log.error.message if log.error else log.status
            raise InputError(
                f"{shard.folder.logs}: expected the samples to be run, found "
                f"{printable(problem, 400)}. What was finished is kept; run it again to go on."
            )


def _plain(message: object) -> str:
    return printable(str(message).replace("\n", " ").strip(), 500)


def _arguments(shard: Shard) -> dict[str, Any]:
    options = shard.options
    variant: dict[str, Any] = {"variant": options.variant} if options.variant else {}
    about = {"shard": shard.number, "concurrency": shard.concurrency, "attempt": options.attempt}
    return {
        "sample_id": shard.samples,
        "metadata": {"agentdyno": about} | variant,
        "log_dir": str(shard.folder.logs),
        "log_format": "eval",
        "display": "none",
        "log_level": "error",
        # Each finished sample is on disk before the next; without a database of events beside it.
        "log_buffer": 1,
        "log_realtime": False,
        "log_images": False,
        # Arguments of malformed calls are only in the provider's own answer.
        "log_model_api": True,
        "ctl_server": False,
        "score_display": False,
        # A failed sample is a row, not the end of the others.
        "fail_on_error": False,
        "continue_on_fail": True,
        "max_samples": shard.concurrency,
        "max_connections": shard.concurrency,
        "max_tool_output": options.max_tool_output_bytes,
        "max_retries": options.max_retries,
        "time_limit": options.sample_seconds,
        "max_tokens": options.max_tokens,
        "temperature": options.temperature,
        "seed": options.seed,
        **options.generation,
    }


@contextmanager
def _environment(shard: Shard) -> Iterator[None]:
    """Inspect's data go into the run's folder, and its hooks do not outlive it. It does not read
    the file .env of the current folder, which could send requests elsewhere."""
    hook, before = sys.excepthook, dict(os.environ)
    os.environ["XDG_DATA_HOME"] = str(shard.folder.inspect_data)
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")
    if shard.concurrency > 1000:
        os.environ.setdefault(POOL_CONNECTIONS, str(shard.concurrency))
    try:
        yield
    finally:
        sys.excepthook = hook
        for name in os.environ.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)
