"""Attempts with the labels of all raters, from the ledger's tables `failures` and `verdicts`.

The vote over prose is that of the published rule and all judges who knew the tasks' truth, whenever
they came. A submission is decided by the program. A model is called by its name; where the ledger
has several suites or variants, by these too, so that attempts at other tasks are not taken for
attempts at the same ones.
"""

from collections.abc import Container, Sequence
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.measures.failures import majority
from agentdyno.records.failures import CHECKS
from agentdyno.studies.cost.unit import PTE_ALONE, Costs
from agentdyno.studies.tables import Tables
from agentdyno_bench.toolfail.records import ENSEMBLE, LABELS, PAPER, SUBMITTED, Label, Labelled
from agentdyno_bench.toolfail.studies.current import current_failures
from agentdyno_bench.toolfail.studies.verdicts import failure_verdicts


class RatedTrajectory(Struct, frozen=True):
    """One attempt at one task, as every rater sees it."""

    trajectory_id: str
    model: str
    task_id: str
    domain: str
    kind: Any
    """`required` or `control`."""
    trap: str | None
    """What a task of several turns tests."""
    labels: dict[str, str | None]
    """By rater; None where one is silent."""
    phantom: bool
    """Whether a call was claimed and not executed."""
    broken: bool
    """Whether the answer is broken output."""
    cost: float | None
    """What it cost, in the unit of its ledger; None when unknown."""
    calls: int
    calls_cost: float | None
    """What these cost together; None when unknown or without any."""
    scores: dict[str, dict[str, int | None]]
    """By judge, what it scores from 0 to 3; None where it does not."""

    @property
    def is_submitted(self) -> bool:
        """True for attempts that are submitted; the others answer in prose."""
        return SUBMITTED in self.labels

    def row(self, rater: str) -> Labelled:
        """The label of one rater with what tables need."""
        return Labelled(
            task_id=self.task_id,
            domain=self.domain,
            kind=self.kind,
            label=_parse_label(self.labels.get(rater)),
            called=self.calls > 0,
            phantom=self.phantom,
            broken=self.broken,
            trap=self.trap,
        )


def _parse_label(label: str | None) -> Label | None:
    return next((candidate for candidate in LABELS if candidate == label), None)


def headline_of(rated: Sequence[RatedTrajectory]) -> str:
    """The rater behind leaderboards: the program for submissions; for prose the ensemble where
    judges saw every attempt, and the published rule otherwise."""
    if rated and all(attempt.is_submitted for attempt in rated):
        return SUBMITTED
    voted = bool(rated) and all(ENSEMBLE in attempt.labels for attempt in rated)
    return ENSEMBLE if voted else PAPER


def judges_among(raters: list[str]) -> list[str]:
    """Those that are neither a rule nor the vote."""
    return [rater for rater in raters if rater not in (SUBMITTED, PAPER, ENSEMBLE)]


def list_rated_trajectories(
    ledger: Tables, only: Container[str] | None = None, costs: Costs = PTE_ALONE
) -> list[RatedTrajectory]:
    """Every attempt that has labels; with `only`, of these trajectories."""
    rows = costs.on(current_failures(ledger)).filter(~pl.col("rule").is_in(CHECKS))
    if rows.is_empty():
        return []
    calls = _calls(rows)
    names = _names(ledger, rows)
    attempts: dict[str, RatedTrajectory] = {}
    for row in rows.filter(pl.col("call").is_null()).iter_rows(named=True):
        key = row["trajectory_id"]
        if key not in names or (only is not None and key not in only):
            continue
        if key not in attempts:
            attempts[key] = _rate(row, names[key], *calls.get(key, (0, None)))
        attempts[key].labels[row["rule"]] = row["label"]
    for verdict in failure_verdicts(ledger, attempts):
        attempt = attempts[verdict.trajectory_id]
        attempt.labels[verdict.judge], attempt.scores[verdict.judge] = verdict.label, verdict.scores
    for attempt in attempts.values():
        _vote(attempt)
    return list(attempts.values())


def _vote(attempt: RatedTrajectory) -> None:
    """The ensemble's label, from whoever has judged by now; a submission's stands beside the
    program's, which decides."""
    judges = {name: attempt.labels[name] for name in judges_among(list(attempt.labels))}
    rule = SUBMITTED if attempt.is_submitted else PAPER
    if judges and rule in attempt.labels:
        attempt.labels[ENSEMBLE] = majority(attempt.labels[rule], judges).label


def _calls(rows: pl.DataFrame) -> dict[str, tuple[int, float | None]]:
    """How many calls each trajectory executed, and what they cost together."""
    places = rows.filter(pl.col("call").is_not_null()).unique(["trajectory_id", "turn", "call"])
    summed = places.group_by("trajectory_id").agg(
        calls=pl.len(), known=pl.col("cost").count(), cost=pl.col("cost").sum()
    )
    return {
        trajectory_id: (calls, cost if priced_calls == calls else None)
        for trajectory_id, calls, priced_calls, cost in summed.iter_rows()
    }


class _Name(Struct, frozen=True):
    model: str
    tasks: str


def _names(ledger: Tables, rows: pl.DataFrame) -> dict[str, _Name]:
    """Model and task set of every trajectory with rows; told apart only where they differ."""
    about = ledger.read("trajectories").select("trajectory_id", "model", "benchmark", "variant")
    about = about.filter(pl.col("trajectory_id").is_in(rows["trajectory_id"].unique().implode()))
    several = about.select("benchmark", "variant").n_unique() > 1
    names = {}
    for trajectory_id, model, *suite in about.iter_rows():
        tasks = ", ".join(part for part in suite if part) if several else ""
        full = ", ".join(filter(None, (model or "unknown", tasks)))
        names[trajectory_id] = _Name(full, tasks)
    return names


def _rate(
    row: dict[str, Any], name: _Name, calls: int, calls_cost: float | None
) -> RatedTrajectory:
    task = str(row["task_id"])
    return RatedTrajectory(
        trajectory_id=row["trajectory_id"],
        model=name.model,
        task_id=f"{name.tasks}/{task}" if name.tasks else task,
        domain=str(row["domain"]),
        kind=row["kind"],
        trap=row["trap"],
        labels={},
        phantom=bool(row["phantom"]),
        broken=bool(row["broken"]),
        cost=row["cost"],
        calls=calls,
        calls_cost=calls_cost,
        scores={},
    )
