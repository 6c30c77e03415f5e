"""The numbers behind the topic on failures: a `FailureReport` in, tables for any renderer out."""

from agentdyno.findings.failures.agreement import Agreement, Stratum
from agentdyno.findings.failures.rates import RATE_NAMES, FailureRates
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import TopicColumn, TopicTable, Value
from agentdyno.studies.failures.doubts import CheckFound
from agentdyno.studies.failures.report import FailureReport

LABEL_WORDS = {
    "correct": "clean",
    "tool_skip": "tool skipped",
    "result_ignore": "return ignored",
    "output_fabrication": "output fabricated",
    "unnecessary_tool_use": "needless call",
    "wrong_answer": "wrong answer",
    "unlabelled": "no label",
}
"""An outcome as people say it."""
CHECK_WORDS = {
    "unsupported_claim": "claim that nothing supports",
    "phantom_call": "call that was not executed",
    "unused_call": "return that nobody used",
}
"""A doubt as people say it."""
_RATES = [TopicColumn(name, "share") for name in RATE_NAMES]


def failure_tables(report: FailureReport) -> list[TopicTable]:
    """Every table that has rows, the leaderboard open and the others folded."""
    found = [
        _leaderboard(report),
        _controls(report),
        _counts(report),
        _unclear(report),
        _tests(report),
        _domains(report),
        _traps(report),
        _costs(report),
        _raters(report),
        *([_agreement(report.agreement)] if report.agreement else []),
        _family(report),
    ]
    return [table for table in found if table.rows]


def _leaderboard(report: FailureReport) -> TopicTable:
    names = ("CTUR", "TSR", "RIR", "OFR")
    columns = [TopicColumn("model"), TopicColumn("place")]
    columns += [TopicColumn(name, "share") for name in names]
    rows: list[list[Value]] = [
        [
            s.model,
            str(s.rank) if s.rank else "apart",
            *(s.rates.rates[name] for name in names),
        ]
        for s in report.leaderboard.standings
    ]
    return TopicTable("Models by clean tool use, over required tasks", columns, rows, folded=False)


def _controls(report: FailureReport) -> TopicTable:
    names = ("UTR", "CTRL-Acc")
    columns = [TopicColumn("model"), *(TopicColumn(name, "share") for name in names)]
    columns += [TopicColumn("profile"), TopicColumn("because")]
    rows: list[list[Value]] = [
        [
            s.model,
            *(s.rates.rates[name] for name in names),
            s.profile.name,
            s.profile.reason,
        ]
        for s in report.leaderboard.standings
    ]
    return TopicTable("The same models over controls, and their profiles", columns, rows, False)


def _counts(report: FailureReport) -> TopicTable:
    names = ("required", "controls", "broken output", "phantom calls", "without a label",
             "unclear to our rule")  # fmt: skip
    columns = [TopicColumn("model"), *(TopicColumn(name, "count") for name in names)]
    rows: list[list[Value]] = []
    for s in report.leaderboard.standings:
        r = s.rates
        rows.append([s.model, r.required, r.control, r.broken, r.phantom, r.unlabelled,
                     report.unclear.by_model.get(s.model, 0)])  # fmt: skip
    return TopicTable("Answers behind the rates", columns, rows)


def _unclear(report: FailureReport) -> TopicTable:
    columns = [TopicColumn("why"), TopicColumn("answers", "count")]
    rows: list[list[Value]] = [[why, count] for why, count in report.unclear.reasons.items()]
    return TopicTable("Answers that our rule does not decide", columns, rows)


def _shares(rates: FailureRates) -> list[Value]:
    return [rates.rates[name] for name in RATE_NAMES]


def _tests(report: FailureReport) -> TopicTable:
    columns = [
        TopicColumn("model"),
        TopicColumn("other model"),
        TopicColumn("CTUR difference", "share"),
        TopicColumn("z", "ratio"),
        TopicColumn("p of z, Holm", "p"),
        TopicColumn("p of McNemar, Holm", "p"),
    ]
    rows: list[list[Value]] = [
        [t.first, t.second, t.difference, t.z, t.z_p_holm, t.mcnemar_p_holm]
        for t in report.leaderboard.tests
    ]
    return TopicTable("Every pair of models tested", columns, rows)


def _domains(report: FailureReport) -> TopicTable:
    columns = [TopicColumn("model"), TopicColumn("domain"), *_RATES]
    rows: list[list[Value]] = [
        [s.model, domain, *_shares(rates)]
        for s in report.leaderboard.standings
        for domain, rates in s.by_domain.items()
    ]
    return TopicTable("By domain", columns, rows)


def _traps(report: FailureReport) -> TopicTable:
    names = ("CTUR", "TSR", "RIR", "OFR")
    columns = [TopicColumn("model"), TopicColumn("trap"), *(TopicColumn(n, "share") for n in names)]
    rows: list[list[Value]] = [
        [model, trap, *(rates.rates[name] for name in names)]
        for model, traps in report.by_trap.items()
        for trap, rates in traps.items()
    ]
    return TopicTable("Tasks of several turns", columns, rows)


def _costs(report: FailureReport) -> TopicTable:
    unit = UNITS[report.unit]
    columns = [
        TopicColumn("model"),
        TopicColumn("tasks"),
        TopicColumn("outcome"),
        TopicColumn("trajectories", "count"),
        TopicColumn(f"mean {unit}", "amount"),
        TopicColumn(f"share of {unit}", "share"),
        TopicColumn("calls", "count"),
        TopicColumn(f"{unit} of the calls", "amount"),
        TopicColumn("without a cost", "count"),
    ]
    rows: list[list[Value]] = [
        [
            c.model,
            c.kind,
            LABEL_WORDS.get(c.label, c.label),
            c.trajectories,
            c.pte_mean,
            c.pte_share,
            c.calls,
            c.calls_pte,
            c.unpriced,
        ]
        for c in report.costs
    ]
    return TopicTable("What each outcome cost", columns, rows)


def _raters(report: FailureReport) -> TopicTable:
    columns = [TopicColumn("model"), TopicColumn("rater"), *_RATES, TopicColumn("silent", "count")]
    rows: list[list[Value]] = [
        [each.model, each.rater, *_shares(each.rates), each.rates.unlabelled]
        for each in report.rates
    ]
    return TopicTable(
        "By rater: our rule, the published rule, judges, and their vote", columns, rows
    )


def _agreement(found: Agreement) -> TopicTable:
    columns = [
        TopicColumn("of"),
        TopicColumn("measure"),
        TopicColumn("kappa", "ratio"),
        TopicColumn("all say the same", "share"),
    ]
    rows: list[list[Value]] = [
        [pair, "Cohen's kappa", kappa, None] for pair, kappa in found.pairs.items()
    ]
    strata = [found.overall, *found.by_domain, *found.by_model, *found.by_mode]
    rows += [_stratum(each) for each in strata]
    return TopicTable("How far the raters agree", columns, rows)


def _stratum(found: Stratum) -> list[Value]:
    return [
        LABEL_WORDS.get(found.name, found.name),
        "Fleiss' kappa",
        found.fleiss,
        found.raw,
    ]


def _family(report: FailureReport) -> TopicTable:
    columns = [
        TopicColumn("judge"),
        TopicColumn("CTUR against the others, own family", "share"),
        TopicColumn("on other models", "share"),
        TopicColumn("bias", "share"),
    ]
    rows: list[list[Value]] = [
        [judge, gap.own_gap, gap.other_gap, gap.bias] for judge, gap in report.family.items()
    ]
    return TopicTable("Is a judge kinder to its own family?", columns, rows)


def doubt_table(found: list[CheckFound], cost_unit: CostUnit) -> TopicTable:
    """What the checks that need no truth found."""
    unit = UNITS[cost_unit]
    columns = [
        TopicColumn("doubt"),
        TopicColumn("trajectories", "share"),
        TopicColumn("looked at", "count"),
        TopicColumn("nothing to look at", "count"),
        TopicColumn("calls", "count"),
        TopicColumn(f"{unit} of the calls", "amount"),
    ]
    rows: list[list[Value]] = [
        [
            CHECK_WORDS[c.check],
            c.share,
            c.share.n,
            c.passed_over,
            c.calls if c.check == "unused_call" else None,
            c.calls_pte,
        ]
        for c in found
    ]
    return TopicTable("Doubts, by checks that need no truth", columns, rows, folded=False)
