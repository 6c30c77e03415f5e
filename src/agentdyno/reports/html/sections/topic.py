"""Any topic as a section: what the numbers say, its pictures, its tables."""

from agentdyno.estimates.values import Estimate
from agentdyno.records import counted, printable
from agentdyno.reports.html.markup import (
    Cell,
    Column,
    Html,
    details,
    foreign,
    interval,
    join,
    plain,
    table,
    tag,
)
from agentdyno.reports.html.sections.frame import section
from agentdyno.reports.numbers import UNKNOWN, figure
from agentdyno.reports.topic import CellKind, Topic, TopicTable, Value

ROWS = 200
"""Of a table; the ledger has them all."""
LEAD = 600
"""Characters of a sentence, which may hold names from a trace."""


def topic_section(topic: Topic, pictures: Html) -> Html:
    """The whole section."""
    return section(
        topic.anchor,
        topic.title,
        tag("p", foreign(topic.lead, LEAD), class_="lead"),
        *(tag("p", foreign(text, LEAD), class_="note") for text in topic.notes),
        pictures,
        *(_table(each) for each in topic.tables),
    )


def _table(found: TopicTable) -> Html:
    heads = [Column(column.title, number=column.kind != "text") for column in found.columns]
    kinds = [column.kind for column in found.columns]
    rows = [[_cell(v, k) for v, k in zip(row, kinds, strict=True)] for row in found.rows[:ROWS]]
    shown = table(found.title, heads, rows, sortable=len(rows) > 1)
    left = len(found.rows) - ROWS
    if left > 0:
        more = f"{counted(left, 'more row')} in the report as JSON."
        shown = join(shown, tag("p", plain(more), class_="note"))
    return details(found.title, shown) if found.folded else shown


def _cell(value: Value, kind: CellKind) -> Cell:
    if isinstance(value, Estimate):
        return interval(value, lambda number: figure(number, kind))
    if value is None:
        return Cell(plain(UNKNOWN))
    if isinstance(value, str):
        return Cell(foreign(value, 160), printable(value, 160))
    return Cell(plain(figure(value, kind)), float(value))
