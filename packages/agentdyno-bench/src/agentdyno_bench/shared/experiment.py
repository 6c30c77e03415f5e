"""Shared by every paper's experiment: models, run options, and a cost forecast.

The forecast is attempts times what one usually takes; once attempts are finished, what they cost.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.prices import money
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.papers import PaperRequest
from agentdyno.records import InputError, plural
from agentdyno.reports.paper import ExhibitResult, PaperRun
from agentdyno.reports.topic import Figure
from agentdyno_bench.shared.models.embedded import AGENT
from agentdyno_bench.shared.running.budget import FREE, SPENDING, sum_spending
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRun, model_spec

LEDGER_FOLDER, MANIFEST = "ledger", "manifest.json"
SLOW = "mini, this machine"
"""Models of this machine at mini size: an attempt takes them a minute or two."""
ANSWER_TOKENS, ATTEMPT_TOKENS = {SLOW: 256}, {SLOW: 512}
"""What one of these may write in an answer, and in an attempt before it ends: a small model often
does not stop, and writes ten tokens a second."""


class Usual(Struct, frozen=True):
    """Typical tokens of one attempt, for a forecast before the first one."""

    input_tokens: int
    """Of all its requests together."""
    output_tokens: int
    """Generated in all of them."""
    source: str


def list_models(request: PaperRequest) -> list[ModelSpec]:
    """The models that were named; without any, the embedded agent."""
    if not request.models:
        print(f"no --model given: the embedded agent ({AGENT}), offline", file=sys.stderr)
    names = request.models or (AGENT,)
    return [model_spec(name, request.base_url, list(request.model_arguments)) for name in names]


def judge_specs(request: PaperRequest) -> list[ModelSpec]:
    """The judges that were named."""
    return [
        model_spec(name, request.judge_base_url, list(request.judge_arguments))
        for name in request.judges
    ]


def open_source(request: PaperRequest) -> Path:
    """The ledger of `request.source`: itself, a run's, or one that is measured from logs now."""
    assert request.source is not None
    for folder in (request.source, request.source / LEDGER_FOLDER):
        if (folder / MANIFEST).is_file():
            return folder
    if not request.source.exists():
        raise InputError(
            f"--from {request.source}: expected logs, a ledger or a run's folder, found nothing."
        )
    logs = request.source / "logs" if (request.source / "logs").is_dir() else request.source
    options = structs.replace(measure_options(request), format=None)
    return measure([logs], request.out / LEDGER_FOLDER, options).ledger


def read_up(
    request: PaperRequest,
    ledger: Path,
    results: dict[str, ExhibitResult],
    notes: Sequence[str] = (),
) -> PaperRun:
    """The page of what is there."""
    rows = Ledger(ledger).read("trajectories").filter(pl.col("parent_id").is_null())
    if rows.is_empty():
        raise InputError(f"--from {request.source}: expected attempts, found none.")
    usd = rows["usd"].drop_nulls()
    scope = f"Read from {request.source}: {plural(len(rows), 'attempt')}; nothing was run."
    return PaperRun(
        results=results,
        figures=[
            Figure(rows["model"].n_unique(), "count", "models"),
            Figure(len(rows), "count", "attempts"),
            Figure(float(usd.sum()) if len(usd) else None, "money", "spent on the models"),
        ],
        scope=scope,
        notes=list(notes),
        attempts=len(rows),
    )


def size_of(request: PaperRequest) -> str:
    """The size; at mini models of this machine do less than those of a service."""
    names = request.models or (AGENT,)
    is_slow = request.size == "mini" and all(name.startswith(FREE) for name in names)
    return SLOW if is_slow else request.size


def count_tasks(request: PaperRequest, sizes: Mapping[str, int]) -> int:
    """Tasks of each benchmark: those of the size, unless there is a limit."""
    return request.limit or sizes[size_of(request)]


def describe_scope(request: PaperRequest, sizes: Mapping[str, int], task: str, where: str) -> str:
    """How much is run, and how much larger sizes have; `where` says how often a task is run."""
    many, size = count_tasks(request, sizes), size_of(request)
    sentence = (
        f"This run has {plural(many, task)} {where}; --size small has up to {sizes['small']:,}, "
        f"full up to {sizes['full']:,}."
    )
    if size == SLOW:
        sentence += (
            f" On this machine an answer ends at {ANSWER_TOKENS[size]} tokens at this size, and an "
            f"attempt is brought to its end once it has written {ATTEMPT_TOKENS[size]}."
        )
    return sentence


def measure_options(request: PaperRequest) -> MeasureOptions:
    """Of our own logs; patterns and schedules are left to who asks for them."""
    prices = str(request.prices) if request.prices else None
    return MeasureOptions(format="inspect_ai", prices=prices, costs_only=True)


def run_options(request: PaperRequest, tasks: int, **more: Any) -> RunOptions:
    """How so many tasks of each benchmark are run."""
    usual = RunOptions(
        out=request.out,
        concurrency=request.concurrency,
        limit=tasks,
        max_tokens=ANSWER_TOKENS.get(size_of(request)),
        epochs=request.epochs,
        max_usd=request.max_usd,
        prices=request.prices,
        retry_failed=request.retry_failed,
    )
    return structs.replace(usual, **more)


def announce_cost(
    request: PaperRequest, models: Sequence[ModelSpec], attempts: int, usual: Usual
) -> None:
    """Says on stderr what the run is going to cost, before anything is asked: `attempts` of each
    model, less what is finished."""
    for model in models:
        print(f"forecast: {_forecast(request, model, attempts, usual)}", file=sys.stderr)


def _forecast(request: PaperRequest, model: ModelSpec, attempts: int, usual: Usual) -> str:
    many = f"{plural(attempts, 'attempt')} by {model.name}"
    if model.name.startswith(FREE):
        return f"{many} on this machine, $0."
    price = price_of(model.name, request.prices)
    cost = money(price, usual.input_tokens, None, None, usual.output_tokens)
    if cost is None:
        return f"{many}, at an unknown price; give one with --prices FILE."
    spent = sum_spending(request.out / SPENDING)
    before = f", beside ${spent:,.4f} that is spent" if spent else ""
    ends = ""
    if request.max_usd is not None and spent + cost * attempts > request.max_usd:
        ends = f" --max-usd {request.max_usd:g} will end it earlier, with everything finished kept."
    return (
        f"{many}, about ${cost * attempts:,.4f}{before} ({usual.input_tokens:,} tokens in and "
        f"{usual.output_tokens:,} out each: {usual.source}).{ends}"
    )


def sum_up(
    request: PaperRequest,
    scope: str,
    runs: Sequence[TaskRun],
    ledger: Path,
    results: dict[str, ExhibitResult],
    beside: Sequence[TaskRun] = (),
) -> PaperRun:
    """The page of these runs; `beside` are runs of a check, whose failures are told too."""
    every = [*runs, *beside]
    return PaperRun(
        results=results,
        figures=_count(request, runs, ledger),
        scope=scope,
        notes=_describe_failed(every),
        stopped=next((run.stopped for run in every if run.stopped), None),
        attempts=sum(run.samples - len(run.failed) for run in runs),
    )


def _count(request: PaperRequest, runs: Sequence[TaskRun], ledger: Path) -> list[Figure]:
    """Figures of the run: models, attempts and money."""
    rows = Ledger(ledger).read("trajectories")
    usd = rows["usd"].drop_nulls()
    return [
        Figure(len({run.model for run in runs}), "count", "models"),
        Figure(sum(run.samples for run in runs), "count", "finished attempts"),
        Figure(sum(len(run.failed) for run in runs), "count", "of these failed"),
        Figure(float(usd.sum()) if len(usd) else None, "money", "spent on the models"),
        Figure(request.size, "text", "size"),
    ]


def _describe_failed(runs: Sequence[TaskRun]) -> list[str]:
    """Attempts that ended with an error, which are in no table."""
    return [
        f"{run.model} on {run.task}: {len(run.failed)} of {run.samples} attempts ended with an "
        f"error, the first with {run.failed[0].error}. They are in no table; --retry-failed runs "
        "them again."
        for run in runs
        if run.failed
    ]
