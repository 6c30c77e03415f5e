"""The tables behind usefulness: a report of verdicts in, tables of typed cells out."""

from collections import Counter

from agentdyno.records import printable
from agentdyno.reports.numbers import CELLS, UNITS, label
from agentdyno.reports.topic import TopicTable, Value, columns, table_of
from agentdyno_bench.shared.records.verdicts import VerdictKind
from agentdyno_bench.shared.verdicts.results import JudgeSummary, VerdictSummary
from agentdyno_bench.utility.studies.results import SettingUtility, UtilityReport

MOST_STREAKS = 20

TITLES: dict[VerdictKind, str] = {
    "utility": "Did calls help, by judge",
    "failure": "How tools were used, by judge",
    "answer": "Is the answer right, by judge",
    "completion": "Which parts are done, by judge",
}


def utility_tables(report: UtilityReport) -> list[TopicTable]:
    """Settings, tools, advice, places, streaks, agreement; those with rows."""
    tables = [
        _settings(report),
        _tools(report),
        _advice(report),
        _thirds(report),
        _streaks(report),
        _agreement(report),
        _validation(report),
    ]
    return [table for table in tables if table.rows]


def _settings(report: UtilityReport) -> TopicTable:
    judged = [setting for setting in report.settings if setting.eta.calls or setting.eta.unjudged]
    return table_of(
        "Efficiency by setting",
        judged,
        {
            "setting": _name,
            "trajectories:count": "eta.trajectories",
            "without eta:count": "eta.undefined",
            "judged calls:count": "eta.calls",
            "useful:count": "eta.useful",
            "no label:count": "eta.unjudged",
            "eta, mean:share": "eta.mean",
            "eta, pooled:share": "eta.pooled",
        },
        folded=False,
    )


def _tools(report: UtilityReport) -> TopicTable:
    unit = UNITS[report.unit]
    return table_of(
        "By tool, all settings together",
        report.tools,
        {
            "tool": lambda tool: printable(tool.tool, 60),
            "calls:count": "calls",
            "useful:count": "useful",
            "not useful:count": "not_useful",
            "utility:count": "aggregate",
            "share useful:share": "share",
            f"{unit}:amount": "cost",
            f"wasted {unit}:amount": "wasted_cost",
            "cost:money": "usd",
            f"utility per 1,000 {unit}:ratio": "utility_per_1000_cost",
        },
        folded=False,
    )


def _advice(report: UtilityReport) -> TopicTable:
    unit = UNITS[report.unit]
    return table_of(
        "Advice, and what dropping the tool would save",
        report.advice,
        {
            "tool": lambda one: printable(one.tool, 60),
            "advice": "action",
            "because": lambda one: printable(one.reason, 300),
            "sure to:share": "confidence",
            f"{unit} saved:amount": lambda one: one.saving and one.saving.cost,
            f"of all {unit}:share": lambda one: one.saving and one.saving.share,
            "cost saved:money": lambda one: one.saving and one.saving.usd,
        },
        folded=False,
    )


def _thirds(report: UtilityReport) -> TopicTable:
    groups = [("all", report.thirds)]
    judged = [setting for setting in report.settings if setting.eta.calls]
    if len(judged) > 1:
        groups += [(_name(setting), setting.thirds) for setting in judged]
    rows: list[list[Value]] = [
        [name, third.third, third.calls, third.useful, third.share]
        for name, thirds in groups
        for third in thirds
        if third.calls
    ]
    heads = columns("setting", "third", "calls:count", "useful:count", "share useful:share")
    return TopicTable("By third of the trajectory", heads, rows)


def _streaks(report: UtilityReport) -> TopicTable:
    streaks = [(row, streak) for row in report.settings for streak in row.streaks.longest]
    streaks.sort(key=lambda pair: (-pair[1].length, pair[1].trajectory_id))
    rows: list[list[Value]] = [
        [printable(streak.trajectory_id, 80), _name(row), streak.length, streak.turn, streak.cost]
        for row, streak in streaks[:MOST_STREAKS]
    ]
    alarm = report.settings[0].streaks.alarm if report.settings else 0
    cost = f"{UNITS[report.unit]}:{CELLS[report.unit]}"
    heads = columns("trajectory", "setting", "calls in a row:count", "from turn:count", cost)
    return TopicTable(f"Longest streaks of calls that did not help, from {alarm} on", heads, rows)


def _agreement(report: UtilityReport) -> TopicTable:
    return table_of(
        "How far judges agree",
        [report.agreement] if report.agreement else [],
        {
            "judges": lambda found: ", ".join(printable(name, 60) for name in found.judges),
            "calls with two labels:count": "calls",
            "Krippendorff's alpha:ratio": "alpha",
            "evenly divided:count": "split",
        },
    )


def _validation(report: UtilityReport) -> TopicTable:
    return table_of(
        "Judges against rollouts",
        report.validation,
        {
            "judge": lambda one: printable(one.judge, 80),
            "settled calls:count": "calls",
            "the same:share": "agreement",
            "Cohen's kappa:ratio": "kappa",
            "useful calls missed:count": "missed",
            "invented:count": "invented",
        },
    )


def verdict_table(summary: VerdictSummary) -> TopicTable:
    """Table of the judges of another kind: labels by setting and judge, then reasons for none."""
    scored = any(entry.score for entry in summary.judges)
    rows: list[list[Value]] = []
    missing: Counter[str] = Counter()
    for entry in summary.judges:
        who = f"{printable(entry.judge, 40)} ({printable(entry.model, 60)})"
        rows += [
            [_name(entry), who, part.label, part.count, part.share, entry.score]
            for part in entry.labels
        ]
        missing.update(entry.problems)
    for why, count in missing.most_common():
        rows.append(["all", "all", f"no label: {printable(why, 100)}", count, None, None])
    heads = columns("setting", "judge", "label", "verdicts:count", "of those with a label:share",
                    "mean share of parts done:share")[: 6 if scored else 5]  # fmt: skip
    title = TITLES.get(summary.kind, f"{label(summary.kind).capitalize()}, by judge")
    return TopicTable(title, heads, [row[: len(heads)] for row in rows])


def _name(row: SettingUtility | JudgeSummary) -> str:
    return label(row.setting.model, row.setting.benchmark, row.setting.variant)
