"""A leaderboard of planning runs: folders of `bench tps` in, one table out, from the raw logs.

Nothing that a folder says about its own marks is believed: every attempt's calls are made again in
a fresh world and what it submitted is compared again. An attempt whose recorded score differs is
counted and the new one used. So anybody can add a row by adding a folder. Runs with answers in
prose are left to judges and have no row.
"""

import statistics
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import clustered_mean
from agentdyno.findings.scheduling.graph import critical_seconds
from agentdyno.records import InputError, printable
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.placing import graph_of
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, TaskSet
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

SAME = 1e-9
"""Difference of two scores that are the same."""


class Entry(Struct, frozen=True):
    """One model under one setting on one level."""

    model: str
    level: str
    """Easy, hard or another level of the bundled tasks."""
    setting: str
    attempts: int
    completion: Estimate
    """Goals met over goals, mean over tasks."""
    solved: float
    """Share of attempts that met every goal without harm."""
    harmful: float
    """Share of attempts that changed something nobody asked for."""
    over_path: float | None
    """Waiting for tools over the task's critical path, of attempts that called any."""
    output_tokens: float | None
    """Generated tokens an attempt; None where the model's service did not count them."""
    changed: int
    """Attempts whose recorded score was another."""
    version: str
    """AgentDyno's version at the time."""


class _Attempt(Struct, frozen=True):
    task: str
    completion: float
    solved: bool
    harmful: bool
    over_path: float | None
    output_tokens: int | None
    changed: bool


def build_leaderboard(folders: Iterable[Path]) -> list[Entry]:
    """The entries of all folders, the most complete first."""
    found = [entry for folder in folders for entry in _read_folder(folder)]
    return sorted(found, key=lambda entry: (entry.level, -(entry.completion.value or 0.0)))


def _read_folder(folder: Path) -> Iterator[Entry]:
    logs = sorted((folder / "logs").glob("tps_*/*/*.eval"))
    if not logs:
        raise InputError(
            f"{folder}: expected a folder that `agentdyno bench tps --out` made, found no logs."
        )
    for runs in {log.parent: None for log in logs}:
        entry = _read_runs([log for log in logs if log.parent == runs])
        if entry is not None:
            yield entry


def _read_runs(logs: list[Path]) -> Entry | None:
    """All logs of one model and setting: a run that was interrupted has several."""
    from inspect_ai.log import read_eval_log

    attempts: dict[tuple[str, int], _Attempt] = {}
    for path in logs:
        log = read_eval_log(str(path), resolve_attachments=True)
        about, level = log.eval.metadata or {}, log.eval.task.partition("_")[2]
        if about.get("answers") == "prose":
            raise InputError(
                f"{path}: expected submitted answers, found prose, which only a judge can mark. "
                "Run the benchmark with --answers submit."
            )
        tasks = {task.task_id: task for task in _load_level(level).tasks}
        for sample in log.samples or []:
            task = tasks.get(str(sample.id))
            if task is None or sample.input != task.prompt:
                raise InputError(
                    f"{path}: expected bundled tasks, found {printable(str(sample.id))} with "
                    "another text. Runs of one version and its own tasks can be compared."
                )
            if sample.error is None:
                attempts[task.task_id, sample.epoch] = _mark_again(sample, task, about)
    if not attempts:
        return None
    marked = list(attempts.values())
    by_task: dict[str, list[float]] = {}
    for attempt in marked:
        by_task.setdefault(attempt.task, []).append(attempt.completion)
    paths = [each.over_path for each in marked if each.over_path is not None]
    tokens = [each.output_tokens for each in marked]
    return Entry(
        model=log.eval.model,
        level=level,
        setting=f"{about.get('selection')}, {about.get('scheduling')}",
        attempts=len(marked),
        completion=clustered_mean(by_task),
        solved=statistics.fmean(each.solved for each in marked),
        harmful=statistics.fmean(each.harmful for each in marked),
        over_path=statistics.fmean(paths) if paths else None,
        output_tokens=(None if None in tokens else statistics.fmean(each or 0 for each in tokens)),
        changed=sum(each.changed for each in marked),
        version=str(about.get("version", "unknown")),
    )


def _load_level(level: str) -> TaskSet:
    known: dict[str, Level] = {each: each for each in LEVELS}
    if level not in known:
        raise InputError(f"expected a run on {' or '.join(known)} tasks, found {printable(level)}.")
    return load_bundled(known[level])


def _mark_again(sample: Any, task: CompoundTask, about: dict[str, Any]) -> _Attempt:
    record = sample.store.get("tps", {})
    try:
        calls = msgspec.convert(record.get("calls", []), list[ExecutedCall])
    except msgspec.ValidationError as error:
        raise InputError(
            f"{printable(str(sample.id))}: expected calls that say whether they ran, found "
            f"{error}. An earlier version made this log; run the benchmark again."
        ) from None
    seed, faults = about.get("world_seed", DEFAULT_SEED), about.get("faults", 0.0)
    marks = mark(task, calls, record.get("answers", []), seed, faults)
    recorded = next((score.value for score in (sample.scores or {}).values()), None)
    usage = list((sample.model_usage or {}).values())
    return _Attempt(
        task.task_id,
        marks.completion,
        marks.solved,
        bool(marks.harms),
        _wait_over_path(task, calls),
        sum(each.output_tokens for each in usage) if usage else None,
        not isinstance(recorded, int | float) or abs(recorded - marks.score) > SAME,
    )


def _wait_over_path(task: CompoundTask, calls: list[ExecutedCall]) -> float | None:
    slowest: dict[int, float] = {}
    for call in (each for each in calls if each.ran):
        slowest[call.turn] = max(slowest.get(call.turn, 0.0), call.latency_seconds)
    return sum(slowest.values()) / critical_seconds(graph_of(task)) if slowest else None


def describe(entries: list[Entry]) -> Topic:
    """The leaderboard as a topic, for every form of report."""
    heads = columns(
        "model", "level", "selection, scheduling", "attempts:count", "completion:share",
        "solved:share", "harmful:share", "waiting over critical path:ratio",
        "generated tokens:count", "version",
    )  # fmt: skip
    rows = [
        [
            entry.model, entry.level, entry.setting, entry.attempts, entry.completion, entry.solved,
            entry.harmful, entry.over_path, entry.output_tokens, entry.version,
        ]
        for entry in entries
    ]  # fmt: skip
    changed = sum(entry.changed for entry in entries)
    total = sum(entry.attempts for entry in entries)
    lead = f"{len(entries)} entries; all {total} attempts were marked again from their logs."
    if changed:
        lead += f" {changed} had another score recorded; the new one counts."
    table = TopicTable("Entries", heads, rows, folded=False)
    return Topic("leaderboard", "Planning leaderboard", lead, [], [], [table])
