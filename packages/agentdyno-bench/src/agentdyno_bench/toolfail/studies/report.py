"""Labels of all models and raters -> everything a report of failures shows, as one value."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate, as_share
from agentdyno.estimates.means import clustered_mean
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.verdicts import SCORES
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.shared.judges.forms import MOST
from agentdyno_bench.toolfail.findings.agreement import Agreement, FamilyGap, Rated, rater_agreement
from agentdyno_bench.toolfail.findings.agreement import same_family_bias as family_gap
from agentdyno_bench.toolfail.findings.leaderboard import Leaderboard, build_leaderboard
from agentdyno_bench.toolfail.findings.rates import FailureRates, failure_rates
from agentdyno_bench.toolfail.records import PAPER, SUBMITTED, Answers
from agentdyno_bench.toolfail.studies.costs import LabelCost, cost_by_label
from agentdyno_bench.toolfail.studies.current import TABLE, count_removed, current_failures
from agentdyno_bench.toolfail.studies.doubts import CheckFound, checks_found
from agentdyno_bench.toolfail.studies.rated_attempts import (
    RatedTrajectory,
    headline_of,
    judges_among,
    list_rated_trajectories,
)


class ModelRates(Struct, frozen=True):
    """One model by one rater."""

    model: str
    rater: str
    """`submitted`, `paper`, a judge, or `ensemble`."""
    rates: FailureRates


class JudgeScores(Struct, frozen=True):
    """How one judge scores one model."""

    model: str
    judge: str
    means: dict[str, Estimate]
    """Means from 0 to 3, over the attempts that have a score of that name."""


class FailureReport(Struct, frozen=True):
    """Report on attempts that were answered in one way."""

    suite: str
    answers: Answers
    """How the models answered; the two are never ranked together."""
    headline: str
    """The rater behind leaderboard and profiles: `submitted`; for prose `ensemble` where judges saw
    all, else `paper`."""
    trajectories: int
    leaderboard: Leaderboard
    rates: list[ModelRates]
    by_trap: dict[str, dict[str, FailureRates]]
    """Per model and kind of trap, for tasks of several turns; empty without them."""
    agreement: Agreement | None
    """The rule and judges; None without judges."""
    scores: list[JudgeScores]
    """Per model and judge; empty without judges."""
    family: dict[str, FamilyGap]
    """Per judge whose family is among the models: is it kinder to its own?"""
    costs: list[LabelCost]
    """What each failure mode cost."""
    unit: CostUnit = "pte"


class Failures(Struct, frozen=True):
    """Labels and doubts of a ledger."""

    reports: list[FailureReport]
    """By labels, where the truth is known: submissions first, prose apart; empty without any."""
    doubts: list[CheckFound]
    """By checks that need no truth."""
    removed: dict[str, int] = {}
    """Trajectories with rows of raters that this version no longer has, which count for nothing."""
    unit: CostUnit = "pte"


def study_failures(context: ReportContext) -> Failures | None:
    """None where nobody looked for failures."""
    tables = context.tables
    if not tables.has(TABLE):
        return None
    costs = context.frames.costs
    rated = list_rated_trajectories(tables, costs=costs)
    rows = costs.on(current_failures(tables))
    doubts = checks_found(rows, context.unproven)
    by_answers = [[r for r in rated if r.is_submitted], [r for r in rated if not r.is_submitted]]
    reports = [report_failures("", some, costs.unit) for some in by_answers if some]
    removed = count_removed(tables)
    return Failures(reports, doubts, removed, costs.unit) if reports or doubts or removed else None


def report_failures(
    suite: str, rated: Sequence[RatedTrajectory], unit: CostUnit = "pte"
) -> FailureReport:
    """The report over attempts that were answered in one way, whose costs are in the unit."""
    raters = list(dict.fromkeys(rater for attempt in rated for rater in attempt.labels))
    headline, judges = headline_of(rated), judges_among(raters)
    by_model: dict[str, list[RatedTrajectory]] = {}
    for attempt in rated:
        by_model.setdefault(attempt.model, []).append(attempt)
    single = {
        m: [attempt.row(headline) for attempt in rows if attempt.trap is None]
        or [attempt.row(headline) for attempt in rows]
        for m, rows in by_model.items()
    }
    board = build_leaderboard(single)
    ranked = [standing.model for standing in board.standings if standing.rank is not None]
    return FailureReport(
        suite=suite,
        answers="submit" if rated and rated[0].is_submitted else "prose",
        headline=headline,
        trajectories=len(rated),
        leaderboard=board,
        rates=[
            ModelRates(m, rater, failure_rates([attempt.row(rater) for attempt in rows]))
            for m, rows in by_model.items()
            for rater in raters
        ],
        by_trap={m: _by_trap(rows, headline) for m, rows in by_model.items()},
        agreement=_agreement(rated, _rule_of(headline), judges, ranked) if judges else None,
        scores=[
            JudgeScores(m, judge, {name: _mean_score(rows, judge, name) for name in SCORES})
            for m, rows in by_model.items()
            for judge in judges
        ],
        family=_family(by_model, judges),
        costs=cost_by_label(rated, headline),
        unit=unit,
    )


def _by_trap(rows: Sequence[RatedTrajectory], rater: str) -> dict[str, FailureRates]:
    traps = sorted({attempt.trap for attempt in rows if attempt.trap})
    return {
        trap: failure_rates([attempt.row(rater) for attempt in rows if attempt.trap == trap])
        for trap in traps
    }


def _rule_of(headline: str) -> str:
    """The rule that judges are held against."""
    return SUBMITTED if headline == SUBMITTED else PAPER


def _agreement(
    rated: Sequence[RatedTrajectory], rule: str, judges: list[str], ranked: Sequence[str]
) -> Agreement:
    units = [
        Rated(
            attempt.domain,
            attempt.model,
            {rater: attempt.row(rater).label for rater in (rule, *judges)},
        )
        for attempt in rated
    ]
    return rater_agreement(units, rule, ranked)


def _mean_score(rows: Sequence[RatedTrajectory], judge: str, name: str) -> Estimate:
    by_task: dict[str, list[float]] = {}
    for attempt in rows:
        if (score := attempt.scores.get(judge, {}).get(name)) is not None:
            by_task.setdefault(attempt.task_id, []).append(score)
    return as_share(clustered_mean(by_task), MOST)


def _family(by_model: dict[str, list[RatedTrajectory]], judges: list[str]) -> dict[str, FamilyGap]:
    """Each judge against the mean of the others, where it has relatives among the models."""
    gaps = {}
    for judge in judges:
        peers = [other for other in judges if other != judge]
        family = family_of(judge.partition(":")[2])
        is_kin = _kin(family)
        if not peers or not any(is_kin(model) for model in by_model):
            continue
        ctur = {m: (_ctur(rows, [judge]), _ctur(rows, peers)) for m, rows in by_model.items()}
        complete = {m: (a, b) for m, (a, b) in ctur.items() if a is not None and b is not None}
        gaps[judge] = family_gap(complete, is_kin)
    return gaps


def _kin(family: str) -> Callable[[str], bool]:
    return lambda model: family_of(model) == family


def _ctur(rows: Sequence[RatedTrajectory], raters: list[str]) -> float | None:
    rates = [
        failure_rates([item.row(rater) for item in rows]).rates["CTUR"].value for rater in raters
    ]
    values = [rate for rate in rates if rate is not None]
    return sum(values) / len(values) if values else None


def family_of(model: str) -> str:
    """The family in a model's name: the letters its last part begins with (qwen, llama, gpt)."""
    last = model.rpartition("/")[2].lower()
    letters = ""
    for letter in last:
        if not letter.isalpha():
            break
        letters += letter
    return letters
