"""Wasteful habits, told: how often, how dear, with the evidence."""

from agentdyno.records import plural
from agentdyno.records.precision import how_often_right
from agentdyno.reports.numbers import cost, cost_column, label, name_setting, percent
from agentdyno.reports.topic import (
    ChartRow,
    Place,
    RowsChart,
    Topic,
    TopicChart,
    TopicTable,
    table_of,
)
from agentdyno.studies.cost.results import PatternKind, Patterns, Waste

ROWS = 14
NAMES = {
    "lack_of_tool_priors": "failed calls: wrong path or option, mismatched edit",
    "reread_lines": "repeated reads of lines still in context and unchanged",
}
"""What readers call a pattern that papers name otherwise."""


def render_waste(waste: Waste) -> Topic:
    patterns = waste.patterns
    return Topic(
        anchor="patterns",
        title="Wasteful habits",
        lead=_lead(patterns),
        notes=_notes(patterns),
        charts=_charts(patterns),
        tables=[_kinds(patterns), _rates(patterns), *_evidence(patterns)] if patterns.rates else [],
    )


def _lead(patterns: Patterns) -> str:
    if not patterns.rates:
        return f"No wasteful pattern is known here: {patterns.reason}."
    first = patterns.kinds[0] if patterns.kinds else None
    many = f"{plural(patterns.found, 'place')} where work was wasted"
    if first is None:
        return f"{many}."
    spent = _spent(first)
    worth = f", {cost(spent, patterns.unit)} with the turns spent on them" if spent else ""
    return f"{many}. The most expensive kind: {_kind(first)}, {plural(first.found, 'time')}{worth}."


def _spent(kind: PatternKind) -> float:
    return (kind.cost or 0.0) + (kind.turn_cost or 0.0)


def _kind(kind: PatternKind) -> str:
    return _words(kind.pattern) if kind.kind == kind.pattern else f"failed call: {kind.kind}"


def _notes(patterns: Patterns) -> list[str]:
    notes = []
    if patterns.unread:
        many = plural(patterns.unread, "trajectory", "trajectories")
        notes.append(f"{many} could not be looked at: the files are gone or changed.")
    if patterns.rates:
        notes.append("Detections are rules of thumb; the quoted span says what was seen.")
        names = dict.fromkeys(rate.pattern for rate in patterns.rates)
        sentence = "; ".join(f"{_words(name)}: {how_often_right(name)}" for name in names)
        notes.append(f"How far to trust them. {sentence}.")
    if patterns.unproven:
        unproven = ", ".join(
            f"{_words(name)} ({many:,})" for name, many in patterns.unproven.items()
        )
        notes.append(
            f"Left out, because too few were read to know how often they are right, or too many "
            f"were wrong: {unproven}. Option --unproven shows them."
        )
    return notes


def _charts(patterns: Patterns) -> list[TopicChart]:
    rates = [r for r in patterns.rates if r.setting is None][:ROWS]
    often = [ChartRow(_words(r.pattern), r.frequency, percent(r.frequency.value)) for r in rates]
    charts: list[TopicChart] = []
    if often:
        title = "Share of trajectories that show a pattern"
        axis = "share of trajectories"
        charts.append(RowsChart("pattern-frequency", title, axis, often, kind="share", half=True))
    return charts


def _rates(patterns: Patterns) -> TopicTable:
    return table_of(
        "Frequency and cost",
        patterns.rates,
        {
            "pattern": lambda rate: _words(rate.pattern),
            "setting": lambda rate: name_setting(rate.setting),
            "found:count": "found",
            "frequency:share": "frequency",
            cost_column(patterns.unit): "cost",
            "share:share": "share",
        },
    )


def _kinds(patterns: Patterns) -> TopicTable:
    """The whole cost: the call while it was in context, and the turn that was spent on it."""
    head = cost_column(patterns.unit)
    return table_of(
        "With the turns that were spent on them",
        patterns.kinds,
        {
            "what": _kind,
            "found:count": "found",
            "turns:count": "turns",
            head: "cost",
            f"of the turns:{head.partition(':')[2]}": "turn_cost",
        },
    )


def _evidence(patterns: Patterns) -> list[TopicTable]:
    """The most expensive detections of each pattern, quoted."""
    return [
        table_of(
            f"Evidence of {_words(name)}",
            [case for case in patterns.cases if case.pattern == name],
            {
                "what is wrong": "detail",
                "quoted": "evidence",
                cost_column(patterns.unit): "cost",
                "where": lambda case: Place(case.trajectory_id, case.turn),
            },
        )
        for name in dict.fromkeys(case.pattern for case in patterns.cases)
    ]


def _words(pattern: str) -> str:
    return NAMES.get(pattern) or label(pattern.replace("_", " "))
