"""Wasteful habits, told: how often, how dear, with the evidence."""

from agentdyno.records import plural
from agentdyno.records.precision import how_often_right
from agentdyno.reports.numbers import cost_column, label, name_setting, percent
from agentdyno.reports.topic import (
    ChartRow,
    Place,
    RowsChart,
    Topic,
    TopicChart,
    TopicTable,
    columns,
)
from agentdyno.studies.cost.results import Patterns, Waste

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
    pooled = [r for r in patterns.rates if r.setting is None]
    often = max(pooled, key=lambda r: r.frequency.value or 0.0)
    names = len({r.pattern for r in patterns.rates})
    many = f"{plural(patterns.found, 'detection')} of {plural(names, 'pattern')}"
    return (
        f"{many}. The most common, {_words(often.pattern)}, shows in "
        f"{percent(often.frequency.value)} of the trajectories."
    )


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
    heads = columns(
        "pattern",
        "setting",
        "found:count",
        "frequency:share",
        cost_column(patterns.unit),
        "share:share",
    )
    rows = [[_words(r.pattern), name_setting(r.setting), r.found, r.frequency, r.cost,
             r.share] for r in patterns.rates]  # fmt: skip
    return TopicTable("Frequency and cost", heads, rows)


def _kinds(patterns: Patterns) -> TopicTable:
    """The whole cost: the call while it was in context, and the turn that was spent on it."""
    cost = cost_column(patterns.unit)
    turns = f"of the turns:{cost.partition(':')[2]}"
    heads = columns("what", "found:count", "turns:count", cost, turns)
    rows = [[_words(k.pattern) if k.kind == k.pattern else f"failed call: {k.kind}", k.found,
             k.turns, k.cost, k.turn_cost] for k in patterns.kinds]  # fmt: skip
    return TopicTable("With the turns that were spent on them", heads, rows)


def _evidence(patterns: Patterns) -> list[TopicTable]:
    """The most expensive detections of each pattern, quoted."""
    heads = columns("what is wrong", "quoted", cost_column(patterns.unit), "where")
    names = dict.fromkeys(case.pattern for case in patterns.cases)
    return [
        TopicTable(
            f"Evidence of {_words(name)}",
            heads,
            [[c.detail, c.evidence, c.cost, Place(c.trajectory_id, c.turn)]
             for c in patterns.cases if c.pattern == name],
        )
        for name in names
    ]  # fmt: skip


def _words(pattern: str) -> str:
    return NAMES.get(pattern) or label(pattern.replace("_", " "))
