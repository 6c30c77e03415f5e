"""The tables behind usefulness: a report of verdicts in, tables of typed cells out."""

from collections import Counter

from agentdyno.records import printable
from agentdyno.records.settings import SettingName
from agentdyno.records.verdicts import VerdictKind
from agentdyno.reports.numbers import CELLS, UNITS, label
from agentdyno.reports.topic import CellKind, TopicColumn, TopicTable, Value
from agentdyno.studies.utility.results import UtilityReport
from agentdyno.studies.verdicts.results import VerdictSummary

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
    rows: list[list[Value]] = [
        [
            _name(one.setting),
            one.eta.trajectories,
            one.eta.undefined,
            one.eta.calls,
            one.eta.useful,
            one.eta.unjudged,
            one.eta.mean,
            one.eta.pooled,
        ]
        for one in report.settings
        if one.eta.calls or one.eta.unjudged
    ]
    return _table(
        "Efficiency by setting",
        rows,
        ("setting", "text"),
        ("trajectories", "count"),
        ("without eta", "count"),
        ("judged calls", "count"),
        ("useful", "count"),
        ("no label", "count"),
        ("eta, mean", "share"),
        ("eta, pooled", "share"),
        folded=False,
    )


def _tools(report: UtilityReport) -> TopicTable:
    unit = UNITS[report.unit]
    rows: list[list[Value]] = [
        [
            printable(tool.tool, 60),
            tool.calls,
            tool.useful,
            tool.not_useful,
            tool.aggregate,
            tool.share,
            tool.pte,
            tool.wasted_pte,
            tool.usd,
            tool.utility_per_1000_pte,
        ]
        for tool in report.tools
    ]
    return _table(
        "By tool, all settings together",
        rows,
        ("tool", "text"),
        ("calls", "count"),
        ("useful", "count"),
        ("not useful", "count"),
        ("utility", "count"),
        ("share useful", "share"),
        (unit, "amount"),
        (f"wasted {unit}", "amount"),
        ("money", "money"),
        (f"utility per 1,000 {unit}", "ratio"),
        folded=False,
    )


def _advice(report: UtilityReport) -> TopicTable:
    unit = UNITS[report.unit]
    rows: list[list[Value]] = [
        [
            printable(one.tool, 60),
            one.action,
            printable(one.reason, 300),
            one.confidence,
            one.saving.pte if one.saving else None,
            one.saving.pte_share if one.saving else None,
            one.saving.usd if one.saving else None,
        ]
        for one in report.advice
    ]
    return _table(
        "Advice, and what dropping the tool would save",
        rows,
        ("tool", "text"),
        ("advice", "text"),
        ("because", "text"),
        ("sure to", "share"),
        (f"{unit} saved", "amount"),
        (f"of all {unit}", "share"),
        ("money saved", "money"),
        folded=False,
    )


def _thirds(report: UtilityReport) -> TopicTable:
    groups = [("all", report.thirds)]
    judged = [one for one in report.settings if one.eta.calls]
    if len(judged) > 1:
        groups += [(_name(one.setting), one.thirds) for one in judged]
    rows: list[list[Value]] = [
        [name, third.third, third.calls, third.useful, third.share]
        for name, thirds in groups
        for third in thirds
        if third.calls
    ]
    return _table(
        "By third of the trajectory",
        rows,
        ("setting", "text"),
        ("third", "text"),
        ("calls", "count"),
        ("useful", "count"),
        ("share useful", "share"),
    )


def _streaks(report: UtilityReport) -> TopicTable:
    found = [(one.setting, each) for one in report.settings for each in one.streaks.longest]
    found.sort(key=lambda pair: (-pair[1].length, pair[1].trajectory_id))
    rows: list[list[Value]] = [
        [printable(each.trajectory_id, 80), _name(name), each.length, each.turn, each.pte]
        for name, each in found[:MOST_STREAKS]
    ]
    alarm = report.settings[0].streaks.alarm if report.settings else 0
    return _table(
        f"Longest streaks of calls that did not help, from {alarm} on",
        rows,
        ("trajectory", "text"),
        ("setting", "text"),
        ("calls in a row", "count"),
        ("from turn", "count"),
        (UNITS[report.unit], CELLS[report.unit]),
    )


def _agreement(report: UtilityReport) -> TopicTable:
    found = report.agreement
    rows: list[list[Value]] = []
    if found:
        judges = ", ".join(printable(name, 60) for name in found.judges)
        rows.append([judges, found.calls, found.alpha, found.split])
    return _table(
        "How far judges agree",
        rows,
        ("judges", "text"),
        ("calls with two labels", "count"),
        ("Krippendorff's alpha", "ratio"),
        ("evenly divided", "count"),
    )


def _validation(report: UtilityReport) -> TopicTable:
    rows: list[list[Value]] = [
        [printable(one.judge, 80), one.calls, one.agreement, one.kappa, one.missed, one.invented]
        for one in report.validation
    ]
    return _table(
        "Judges against rollouts",
        rows,
        ("judge", "text"),
        ("settled calls", "count"),
        ("the same", "share"),
        ("Cohen's kappa", "ratio"),
        ("useful calls missed", "count"),
        ("invented", "count"),
    )


def verdict_table(summary: VerdictSummary) -> TopicTable:
    """What the judges of another kind say: labels by setting and judge, then reasons for none."""
    scored = any(one.score for one in summary.judges)
    rows: list[list[Value]] = []
    missing: Counter[str] = Counter()
    for one in summary.judges:
        who = f"{printable(one.judge, 40)} ({printable(one.model, 60)})"
        rows += [
            [_name(one.setting), who, each.label, each.count, each.share, one.score]
            for each in one.labels
        ]
        missing.update(one.problems)
    for why, count in missing.most_common():
        rows.append(["all", "all", f"no label: {printable(why, 100)}", count, None, None])
    columns: list[tuple[str, CellKind]] = [
        ("setting", "text"),
        ("judge", "text"),
        ("label", "text"),
        ("verdicts", "count"),
        ("of those with a label", "share"),
        ("mean share of parts done", "share"),
    ]
    width = len(columns) if scored else len(columns) - 1
    title = TITLES.get(summary.kind, f"{label(summary.kind).capitalize()}, by judge")
    return _table(title, [row[:width] for row in rows], *columns[:width])


def _name(setting: SettingName) -> str:
    return label(setting.model, setting.benchmark, setting.variant)


def _table(
    title: str,
    rows: list[list[Value]],
    *columns: tuple[str, CellKind],
    folded: bool = True,
) -> TopicTable:
    heads = [TopicColumn(name, kind) for name, kind in columns]
    return TopicTable(title, heads, rows, folded)
