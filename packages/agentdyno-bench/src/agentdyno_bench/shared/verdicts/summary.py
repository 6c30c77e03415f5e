"""Summarizes the verdicts of one kind: a ledger in, counts by setting and judge out."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.proportions import wilson
from agentdyno.records.settings import SettingName
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.estimates.krippendorff import krippendorff_alpha
from agentdyno_bench.shared.records.verdicts import VerdictKind
from agentdyno_bench.shared.verdicts.current import verdicts_of
from agentdyno_bench.shared.verdicts.results import (
    JudgesAgree,
    JudgeSummary,
    LabelCount,
    VerdictSummary,
)

Row = dict[str, Any]
MARKED = {"right": True, "wrong": False}


def summarise_verdicts(ledger: Tables, kind: VerdictKind) -> VerdictSummary | None:
    """Counts, agreement, and how far traces' own marks confirm them; None without verdicts."""
    rows = verdicts_of(ledger, kind).to_dicts()
    if not rows:
        return None
    columns = ["trajectory_id", "model", "benchmark", "variant", "task_id", "correct"]
    facts = {row[0]: row[1:] for row in ledger.read("trajectories").select(columns).iter_rows()}
    dated = [row | {"facts": facts[row["trajectory_id"]]} for row in rows
             if row["trajectory_id"] in facts]  # fmt: skip
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in dated:
        groups[(*row["facts"][:3], row["judge"], row["model"])].append(row)
    ordered = sorted(groups, key=lambda name: tuple(word or "" for word in name))
    return VerdictSummary(
        kind=kind,
        judges=[_judge(name, groups[name]) for name in ordered],
        agreement=_agreement(dated),
        as_recorded=_as_recorded(dated) if kind == "answer" else None,
    )


def _judge(name: tuple[Any, ...], rows: Sequence[Row]) -> JudgeSummary:
    labelled = [row for row in rows if row["label"] is not None]
    counts = Counter(row["label"] for row in labelled)
    scored = [row for row in labelled if row["score"] is not None]
    problems = Counter(row["problem"] or "" for row in rows if row["label"] is None)
    return JudgeSummary(
        setting=SettingName(*name[:3]),
        judge=name[3],
        model=name[4],
        verdicts=len(rows),
        labelled=len(labelled),
        repaired=sum(row["attempts"] == 2 for row in labelled),
        labels=[
            LabelCount(label, count, _mean(labelled, [row["label"] == label for row in labelled]))
            for label, count in counts.most_common()
        ],
        score=_mean(scored, [row["score"] for row in scored]) if scored else None,
        problems=dict(problems.most_common()),
    )


def _mean(rows: Sequence[Row], values: Sequence[float]) -> Estimate:
    """Clustered by task; the trajectory stands for a task that has no name."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        by_task[row["facts"][3] or row["trajectory_id"]].append(float(value))
    return as_share(clustered_mean(by_task))


def _agreement(rows: Sequence[Row]) -> JudgesAgree | None:
    labels: dict[str, dict[str, str | None]] = defaultdict(dict)
    for row in rows:
        labels[row["trajectory_id"]][f"{row['judge']} ({row['model']})"] = row["label"]
    judges = sorted({judge for by_judge in labels.values() for judge in by_judge})
    if len(judges) < 2:
        return None
    units = [[by_judge.get(judge) for judge in judges] for by_judge in labels.values()]
    return JudgesAgree(
        judges=judges,
        units=sum(sum(label is not None for label in unit) > 1 for unit in units),
        alpha=krippendorff_alpha(units),
    )


def _as_recorded(rows: Sequence[Row]) -> Estimate | None:
    pairs = [
        (MARKED[row["label"]], row["facts"][4])
        for row in rows
        if row["label"] in MARKED and row["facts"][4] is not None
    ]
    same = sum(first == second for first, second in pairs)
    return as_share(wilson(same, len(pairs))) if pairs else None
