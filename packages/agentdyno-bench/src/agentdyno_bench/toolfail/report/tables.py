"""The numbers behind the topic on failures: a `FailureReport` in, tables for any renderer out."""

from collections.abc import Iterable

from msgspec import structs

from agentdyno.estimates.estimate import if_known
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.verdicts import SCORES
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import Cell, TopicTable, Value, columns, table_of
from agentdyno_bench.toolfail.findings.agreement import Agreement
from agentdyno_bench.toolfail.findings.rates import OF_ANSWERED, RATE_NAMES, FailureRates
from agentdyno_bench.toolfail.studies.doubts import CheckFound
from agentdyno_bench.toolfail.studies.report import FailureReport

LABEL_WORDS = {
    "correct": "clean",
    "tool_skip": "tool skipped",
    "result_ignore": "return ignored",
    "output_fabrication": "output fabricated",
    "unnecessary_tool_use": "needless call",
    "wrong_answer": "wrong answer",
    "refused": "refused",
    "malformed": "cannot be read",
    "unlabelled": "no label",
}
"""An outcome as people say it."""
CHECK_WORDS = {
    "phantom_call": "call that was not executed",
    "unused_call": "return that nobody used",
}
"""A doubt as people say it."""
_REQUIRED = ("CTUR", "TSR", "RIR", "OFR", "Refused", "Malformed")
"""Rates over required tasks."""
_WITHOUT_CLEAN = tuple(name for name in RATE_NAMES if name != "Clean")
"""`Clean` stands in the leaderboard, where models are ranked by it."""


def failure_tables(report: FailureReport) -> list[TopicTable]:
    """Every table that has rows, the leaderboard open and the others folded."""
    tables = [
        _leaderboard(report),
        _controls(report),
        _counts(report),
        _tests(report),
        _domains(report),
        _traps(report),
        _costs(report),
        _raters(report),
        *([_agreement(report.agreement)] if report.agreement else []),
        _family(report),
        _scores(report),
    ]
    how = ", answered in prose" if report.answers == "prose" else ""
    return [structs.replace(t, title=f"{t.title}{how}") for t in tables if t.rows]


def _leaderboard(report: FailureReport) -> TopicTable:
    standings = report.leaderboard.standings
    # Without refusals and malformed answers `Clean` is CTUR.
    beside = any(s.rates.refused or s.rates.malformed for s in standings)
    names = ("Clean", *_REQUIRED) if beside else OF_ANSWERED
    bounds: dict[str, Cell] = {
        "Clean, at least:share": lambda s: s.rates.bounds.get("Clean", (None, None))[0],
        "Clean, at most:share": lambda s: s.rates.bounds.get("Clean", (None, None))[1],
    }
    return table_of(
        "Models by clean tool use, over required tasks",
        standings,
        {
            "model": "model",
            "rank": lambda s: _rank(s.rank),
            **(bounds if any(s.rates.undecided for s in standings) else {}),
            **_rate_cells(names),
        },
        folded=False,
    )


def _rank(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return "apart"
    best, worst = rank
    return str(best) if best == worst else f"{best}–{worst}"


def _controls(report: FailureReport) -> TopicTable:
    return table_of(
        "The same models over controls, and their profiles",
        report.leaderboard.standings,
        {
            "model": "model",
            **_rate_cells(("UTR", "CTRL-Acc")),
            "profile": "profile.name",
            "because": "profile.reason",
        },
        folded=False,
    )


def _counts(report: FailureReport) -> TopicTable:
    return table_of(
        "Answers behind the rates",
        report.leaderboard.standings,
        {
            "model": "model",
            "required:count": "rates.required",
            "refused:count": "rates.refused",
            "malformed:count": "rates.malformed",
            "controls:count": "rates.control",
            "undecided:count": "rates.undecided",
            "broken output:count": "rates.broken",
            "phantom calls:count": "rates.phantom",
        },
    )


def _rate_cells(names: Iterable[str]) -> dict[str, Cell]:
    return {f"{name}:share": _rate(name) for name in names}


def _rate(name: str) -> Cell:
    return lambda one: one.rates.rates[name]


def _shares(rates: FailureRates, names: Iterable[str] = _WITHOUT_CLEAN) -> list[Value]:
    return [rates.rates[name] for name in names]


def _rate_heads(names: Iterable[str] = _WITHOUT_CLEAN) -> list[str]:
    return [f"{name}:share" for name in names]


def _tests(report: FailureReport) -> TopicTable:
    return table_of(
        "Every pair of models tested",
        report.leaderboard.tests,
        {
            "model": "first",
            "other model": "second",
            "Clean, difference at least:share": "difference",
            "z:ratio": "z",
            "p of z, Holm:p": "z_p_holm",
            "p of McNemar, Holm:p": "mcnemar_p_holm",
        },
    )


def _domains(report: FailureReport) -> TopicTable:
    rows: list[list[Value]] = [
        [s.model, domain, *_shares(rates)]
        for s in report.leaderboard.standings
        for domain, rates in s.by_domain.items()
    ]
    return TopicTable("By domain", columns("model", "domain", *_rate_heads()), rows)


def _traps(report: FailureReport) -> TopicTable:
    rows: list[list[Value]] = [
        [model, trap, *_shares(rates, _REQUIRED)]
        for model, traps in report.by_trap.items()
        for trap, rates in traps.items()
    ]
    heads = columns("model", "trap", *_rate_heads(_REQUIRED))
    return TopicTable("Tasks of several turns", heads, rows)


def _costs(report: FailureReport) -> TopicTable:
    unit = UNITS[report.unit]
    return table_of(
        "What each outcome cost",
        report.costs,
        {
            "model": "model",
            "tasks": "kind",
            "outcome": lambda c: LABEL_WORDS.get(c.label, c.label),
            "trajectories:count": "trajectories",
            f"mean {unit}:amount": "cost_mean",
            f"share of {unit}:share": "share",
            "calls:count": "calls",
            f"{unit} of the calls:amount": "calls_cost",
            "without a cost:count": "unpriced",
        },
    )


def _raters(report: FailureReport) -> TopicTable:
    return table_of(
        "By rater: the rule, judges, and their vote",
        report.rates,
        {
            "model": "model",
            "rater": "rater",
            **_rate_cells(_WITHOUT_CLEAN),
            "undecided:count": "rates.undecided",
        },
    )


def _agreement(result: Agreement) -> TopicTable:
    rows: list[list[Value]] = [
        [pair, "Cohen's kappa", kappa, None] for pair, kappa in result.pairs.items()
    ]
    rows += [
        [LABEL_WORDS.get(group.name, group.name), "Fleiss' kappa", group.fleiss, group.raw]
        for group in (result.overall, *result.by_domain, *result.by_model, *result.by_mode)
    ]
    heads = columns("of", "measure", "kappa:ratio", "all say the same:share")
    return TopicTable("How far the raters agree", heads, rows)


def _family(report: FailureReport) -> TopicTable:
    rows: list[list[Value]] = [
        [judge, gap.own_gap, gap.other_gap, gap.bias] for judge, gap in report.family.items()
    ]
    heads = columns("judge", "CTUR against the others, own family:share", "on other models:share",
                    "bias:share")  # fmt: skip
    return TopicTable("Is a judge kinder to its own family?", heads, rows)


def _scores(report: FailureReport) -> TopicTable:
    rows: list[list[Value]] = [
        [score.model, score.judge, *map(if_known, score.means.values())] for score in report.scores
    ]
    heads = (f"{name.replace('_', ' ')}:ratio" for name in SCORES)
    return TopicTable("What judges score, from 0 to 3", columns("model", "judge", *heads), rows)


def doubt_table(results: list[CheckFound], cost_unit: CostUnit) -> TopicTable:
    """Table of the checks that need no right answer."""
    return table_of(
        "Doubts, by checks that need no truth",
        results,
        {
            "doubt": lambda c: CHECK_WORDS[c.check],
            "trajectories:share": "share",
            "looked at:count": "share.n",
            "nothing to look at:count": "passed_over",
            "calls:count": lambda c: c.calls if c.check == "unused_call" else None,
            f"{UNITS[cost_unit]} of the calls:amount": "calls_cost",
        },
        folded=False,
    )
