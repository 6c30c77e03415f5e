"""How far judges agree with each other, and with rollouts."""

from collections import defaultdict

import polars as pl

from agentdyno.estimates.kappas import cohen_kappa
from agentdyno.estimates.proportions import wilson
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.estimates.krippendorff import krippendorff_alpha
from agentdyno_bench.utility.studies.judged_calls import ROLLOUT, Place
from agentdyno_bench.utility.studies.latest_rollouts import latest_rollouts
from agentdyno_bench.utility.studies.results import Agreement, JudgeValidation

Labels = dict[Place, dict[str, str | None]]


def judge_names(verdicts: pl.DataFrame) -> list[str]:
    """Who judged."""
    return sorted({_name(j, m) for j, m in verdicts.select("judge", "model").iter_rows()})


def agreement(verdicts: pl.DataFrame) -> Agreement | None:
    """Between judges; rollouts are no judge. None with fewer than two."""
    labels = _by_call(verdicts.filter(pl.col("judge") != ROLLOUT))
    judges = sorted({judge for statement in labels.values() for judge in statement})
    if len(judges) < 2:
        return None
    units = [[statement.get(judge) for judge in judges] for statement in labels.values()]
    return Agreement(
        judges=judges,
        calls=sum(sum(label is not None for label in unit) > 1 for unit in units),
        alpha=krippendorff_alpha(units),
        split=sum(_is_split(unit) for unit in units),
    )


def validation(ledger: Tables, verdicts: pl.DataFrame) -> list[JudgeValidation]:
    """Every judge against the calls that rollouts settled."""
    rows = latest_rollouts(ledger).filter(pl.col("settled"))
    truth: dict[Place, str] = {
        (trajectory, turn, call): label
        for trajectory, turn, call, label in rows.select(
            "trajectory_id", "turn", "call", "label"
        ).iter_rows()
    }
    if not truth:
        return []
    labels = _by_call(verdicts.filter(pl.col("judge") != ROLLOUT))
    judges = sorted({judge for statement in labels.values() for judge in statement})
    return [_validate(judge, labels, truth) for judge in judges]


def _validate(judge: str, labels: Labels, truth: dict[Place, str]) -> JudgeValidation:
    pairs = [
        (truth[location], label)
        for location, statement in labels.items()
        if location in truth and (label := statement.get(judge)) is not None
    ]
    same = sum(first == second for first, second in pairs)
    return JudgeValidation(
        judge=judge,
        calls=len(pairs),
        agreement=wilson(same, len(pairs)),
        kappa=cohen_kappa([a for a, _ in pairs], [b for _, b in pairs]),
        missed=sum(pair == ("positive", "non_positive") for pair in pairs),
        invented=sum(pair == ("non_positive", "positive") for pair in pairs),
    )


def _by_call(verdicts: pl.DataFrame) -> Labels:
    labels: Labels = defaultdict(dict)
    columns = ["trajectory_id", "turn", "call", "judge", "model", "label"]
    for trajectory, turn, call, judge, model, label in verdicts.select(columns).iter_rows():
        labels[trajectory, turn, call][_name(judge, model)] = label
    return labels


def _name(judge: str, model: str) -> str:
    return f"{judge} ({model})"


def _is_split(unit: list[str | None]) -> bool:
    votes = [label for label in unit if label is not None]
    return bool(votes) and 2 * votes.count("positive") == len(votes)
