"""Runs an Inspect task with one model, to the end, however often it has to be started.

build     the task and its samples                            recipes
check     no other run writes here; the same settings as before  folder
look      which samples earlier logs hold                     history
shards    the missing ones, in this process or in several     shard
look      again: every sample once

run = run_task(my_task(), ModelSpec("agentdyno/smollm2"), RunOptions(out=Path("out")))
measure([run.folder], Path("ledger"))
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from agentdyno.records import InputError
from agentdyno_bench.shared.running import history
from agentdyno_bench.shared.running.budget import Budget, describe_stop
from agentdyno_bench.shared.running.folder import RunFolder, check_settings, sole_writer
from agentdyno_bench.shared.running.options import (
    FailedSample,
    ModelSpec,
    RunOptions,
    TaskRecipe,
    TaskRun,
)
from agentdyno_bench.shared.running.processes import run_all
from agentdyno_bench.shared.running.recipes import build_task, sample_ids
from agentdyno_bench.shared.running.shard import Shard, run_shard

if TYPE_CHECKING:
    from inspect_ai import Task

Progress = Callable[[int, int], None]
"""Called now and then with samples finished and samples to finish."""


def run_task(
    task: "Task | TaskRecipe",
    model: "ModelSpec | str",
    options: RunOptions,
    progress: Progress | None = None,
) -> TaskRun:
    """Runs what earlier calls with the same folder have not finished.

    A `Task` runs in this process; a `TaskRecipe` also in several. A sample that fails is kept as
    it is; the others go on.
    """
    began = time.monotonic()
    spec = ModelSpec(model) if isinstance(model, str) else model
    built = build_task(task)
    folder = _folder(built, spec, options)
    folder.logs.mkdir(parents=True, exist_ok=True)
    with sole_writer(folder):
        check_settings(folder, _settings(built, task, spec, options))
        samples = sample_ids(built, options.limit)
        missing = _find_missing(folder.logs, samples, options.retry_failed)
        budget = _open_budget(spec, options)
        if missing:
            _require_reachable(spec, options)
        with _watch(folder.logs, len(samples), progress):
            _run_shards(task, built, spec, options, folder, missing, budget)
        if budget is not None and budget.is_spent:
            history.take_out([e for e in history.read_ended(folder.logs) if e.interrupted])
        return _read_finished_run(
            built, spec, folder, samples, len(missing), time.monotonic() - began, budget
        )


def _folder(task: "Task", model: ModelSpec, options: RunOptions) -> RunFolder:
    again = options.attempt is not None and options.attempt > 1
    words = (model.name, options.variant, f"attempt-{options.attempt}" if again else None)
    return RunFolder(options.out.absolute(), task.name, "/".join(filter(None, words)))


def _settings(
    built: "Task", task: "Task | TaskRecipe", model: ModelSpec, options: RunOptions
) -> dict[str, Any]:
    """Settings that decide the results; those that only change the speed are left out."""
    recipe: dict[str, Any] = {"factory": built.name}
    if isinstance(task, TaskRecipe):
        recipe = {"factory": task.factory, "arguments": task.arguments}
    selected = {k: getattr(options, k) for k in _DECIDING}
    roles = {name: structs.asdict(spec) for name, spec in options.roles.items()}
    return {"task": recipe, "model": structs.asdict(model), "roles": roles, **selected}


_DECIDING = ("max_tokens", "temperature", "seed", "stream", "variant", "max_tool_output_bytes",
             "sample_seconds", "generation")  # fmt: skip


def _find_missing(logs: Path, samples: list[str | int], retry_failed: bool) -> list[str | int]:
    ended = history.read_ended(logs)
    again = [e for e in ended if e.interrupted or (retry_failed and e.error is not None)]
    history.take_out(again)
    history.drop_empty(logs, [e for e in ended if e not in again])
    finished = {e.sample for e in ended} - {e.sample for e in again}
    return [sample for sample in samples if str(sample) not in finished]


def _require_reachable(model: ModelSpec, options: RunOptions) -> None:
    from agentdyno_bench.shared.models.reachability import require_reachable

    for spec in (model, *options.roles.values()):
        require_reachable(spec)


def _open_budget(model: ModelSpec, options: RunOptions) -> Budget | None:
    """Models without a known price are refused before anything is run."""
    if options.max_usd is None:
        return None
    budget = Budget(options.out, options.max_usd, options.prices)
    for spec in (model, *options.roles.values()):
        budget.price(spec.name)
    return budget


def _run_shards(
    task: "Task | TaskRecipe",
    built: "Task",
    model: ModelSpec,
    options: RunOptions,
    folder: RunFolder,
    missing: list[str | int],
    budget: Budget | None,
) -> None:
    if not missing:
        return
    # Processes would have to agree on every request.
    count = 1 if budget is not None else _shard_count(task, options, len(missing))
    limit = math.ceil(options.concurrency / count)
    if budget is not None:
        limit = budget.limit_concurrency(model.name, limit, options.max_tokens)
    # Dealt out like cards: hard samples often stand side by side.
    workers = [missing[start::count] for start in range(count)]
    if count == 1:
        for part in _logs_of(missing, options.log_samples):
            run_shard(Shard(built, model, options, folder, part, limit, 0, budget))
        return
    shards = [Shard(task, model, options, folder, hand, limit, i) for i, hand in enumerate(workers)]
    run_all(run_shard_logs, shards)


def run_shard_logs(shard: Shard) -> None:
    """One process's samples, log after log."""
    for part in _logs_of(shard.samples, shard.options.log_samples):
        run_shard(structs.replace(shard, samples=part))


def _logs_of(samples: list[str | int], most: int) -> Iterator[list[str | int]]:
    for start in range(0, len(samples), most):
        yield samples[start : start + most]


def _shard_count(task: "Task | TaskRecipe", options: RunOptions, samples: int) -> int:
    count = options.processes or math.ceil(options.concurrency / options.per_process)
    count = max(1, min(count, samples))
    if count > 1 and not isinstance(task, TaskRecipe):
        raise InputError(
            f"expected a TaskRecipe for {count} processes, found a Task, which only one process "
            "can hold. Pass a TaskRecipe, or a lower concurrency."
        )
    return count


@contextmanager
def _watch(logs: Path, total: int, progress: Progress | None) -> Iterator[None]:
    """Reports what the logs hold, whichever process writes them."""
    if progress is None:
        yield
        return
    from threading import Event, Thread

    over = Event()

    def watch() -> None:
        while not over.wait(1.0):
            progress(_count(logs), total)

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        progress(_count(logs), total)


def _count(logs: Path) -> int:
    import zipfile

    total = 0
    for log in logs.glob("*.eval"):
        try:
            with zipfile.ZipFile(log) as archive:
                total += sum(name.startswith("samples/") for name in archive.namelist())
        except (OSError, zipfile.BadZipFile):
            continue  # Another look in a second.
    return total


def _read_finished_run(
    task: "Task",
    model: ModelSpec,
    folder: RunFolder,
    samples: list[str | int],
    run_now: int,
    seconds: float,
    budget: Budget | None,
) -> TaskRun:
    ended = history.read_ended(folder.logs)
    failed = [FailedSample(e.sample, e.error) for e in ended if e.error is not None]
    missing = {str(sample) for sample in samples} - {e.sample for e in ended}
    stopped = None
    if missing and budget is not None and budget.is_spent:
        finished = len(samples) - len(missing)
        stopped = describe_stop(folder.out, budget.max_usd, finished, len(samples))
    elif missing:
        raise InputError(
            f"{folder.logs}: expected {len(samples)} finished samples, found {len(missing)} "
            "missing. Run the command again to go on."
        )
    return TaskRun(
        task=task.name,
        model=model.name,
        folder=folder.logs,
        logs=sorted({e.log for e in ended}),
        samples=len(ended),
        run_now=run_now,
        failed=failed,
        seconds=seconds,
        stopped=stopped,
        graded_by=dict(Counter(e.graded_by for e in ended if e.graded_by is not None)),
    )
