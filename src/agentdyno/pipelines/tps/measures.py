"""Measures of each sample: schedule against the best known, selection against what serves, cost.

    precision of a selection = chosen tools that can serve something / chosen tools
    recall                   = subtasks that a chosen tool can serve / subtasks

Tokens, money, PTE and model time come from the ledger, selection included: all trajectories of the
sample are added up.
"""

from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.scheduling import measure_schedule
from agentdyno.pipelines.tps.marks import MarkedSample, read_marks
from agentdyno.records.scheduling import ScheduleMeasures


class SampleMeasures(Struct, frozen=True):
    """One sample."""

    benchmark: str
    """The task set."""
    model: str
    """The agent's model."""
    variant: str | None
    """Selection and scheduling."""
    task_id: str
    """The task."""
    completion: float
    """By program."""
    subtasks: int
    """How many the task has."""
    schedule: ScheduleMeasures
    """Against the best schedule known."""
    selection_precision: float | None
    """Chosen tools that can serve something; None when none was chosen."""
    selection_recall: float
    """Subtasks that a chosen tool can serve."""
    judged_completion: float | None
    """By judge."""
    judged_subtasks: int | None
    """By judge."""
    judged_selection: float | None
    """By judge, out of 100."""
    wall_seconds: float | None
    """Real time."""
    input_tokens: float | None
    """Context tokens of all model calls."""
    output_tokens: float | None
    """Generated tokens of all model calls."""
    model_seconds: float | None
    """Generation time of all model calls."""
    usd: float | None
    """Money; None for a model without a price."""
    pte: float | None
    """Cost in prefill-token equivalents."""


def measure_samples(out: Path) -> list[SampleMeasures]:
    """Every sample of a run's folder (`logs` and `ledger`)."""
    costs = _costs(out / "ledger")
    return [_measured(sample, costs) for sample in read_marks(out / "logs")]


_COST = {
    "input_tokens": "prefill_tokens",
    "output_tokens": "decode_tokens",
    "model_seconds": "latency_seconds",
    "usd": "usd",
    "pte": "pte_evicted",
}
_KEYS = ["benchmark", "variant", "task_id"]
Costs = dict[tuple[Any, ...], dict[str, Any]]


def _costs(ledger: Path) -> Costs:
    frame = Ledger(ledger).read("trajectories")
    total = frame.group_by([*_KEYS, "model"]).agg(
        # A sum with an unknown in it is unknown.
        pl.when(pl.col(column).is_null().any()).then(None).otherwise(pl.col(column).sum()).alias(n)
        for n, column in _COST.items()
    )
    return {(*(r[k] for k in _KEYS), _bare(r["model"])): r for r in total.to_dicts()}


def _bare(model: str | None) -> str:
    """Traces may name a model with or without its provider."""
    return (model or "").rpartition("/")[2]


def _measured(sample: MarkedSample, costs: Costs) -> SampleMeasures:
    marks = sample.marks
    key = (sample.benchmark, sample.variant, sample.task_id, _bare(sample.model))
    cost = costs.get(key, {})
    chosen = set(marks.selected or ())
    serving = chosen & set(marks.serving_tools)
    covered = sum(bool(chosen & set(tools)) for tools in marks.needed_tools)
    return SampleMeasures(
        benchmark=sample.benchmark,
        model=sample.model,
        variant=sample.variant,
        task_id=sample.task_id,
        completion=sample.completion,
        subtasks=marks.subtasks,
        schedule=measure_schedule(marks.graph, marks.placed, marks.scheduling == "sequential"),
        selection_precision=len(serving) / len(chosen) if chosen else None,
        selection_recall=covered / marks.subtasks,
        judged_completion=marks.judged_completion,
        judged_subtasks=marks.judged_subtasks,
        judged_selection=marks.judged_selection,
        wall_seconds=marks.wall_seconds,
        **{name: cost.get(name) for name in _COST},
    )
