"""A topic as Markdown: its sentences and its tables. Text from traces is escaped."""

from agentdyno.estimates.values import Estimate
from agentdyno.reports.markdown import escape
from agentdyno.reports.numbers import UNKNOWN, figure, label
from agentdyno.reports.topic import CellKind, Topic, TopicTable, Value

ROWS = 20


def render_topic(topic: Topic) -> str:
    """The whole topic."""
    told = [escape(label(text, limit=600)) for text in (topic.lead, *topic.notes)]
    blocks = [f"## {escape(topic.title)}", *told, *(_table(each) for each in topic.tables)]
    return "\n\n".join(blocks) + "\n"


def _table(found: TopicTable) -> str:
    kinds = [column.kind for column in found.columns]
    rule = ["---" if kind == "text" else "---:" for kind in kinds]
    rows = [[_cell(v, k) for v, k in zip(row, kinds, strict=True)] for row in found.rows[:ROWS]]
    head = [escape(column.title) for column in found.columns]
    lines = ["| " + " | ".join(row) + " |" for row in [head, rule, *rows]]
    left = len(found.rows) - ROWS
    more = f"\n\n{left:,} more rows in `--format json`." if left > 0 else ""
    return f"### {escape(found.title)}\n\n" + "\n".join(lines) + more


def _cell(value: Value, kind: CellKind) -> str:
    if isinstance(value, Estimate):
        return _reading(value, kind)
    if value is None:
        return UNKNOWN
    return escape(label(value, limit=160)) if isinstance(value, str) else figure(value, kind)


def _reading(found: Estimate, kind: CellKind) -> str:
    if found.value is None:
        return escape(found.reason or UNKNOWN)
    shown = figure(found.value, kind)
    if found.low is None or found.high is None:
        return shown
    return f"{shown} ({figure(found.low, kind)} to {figure(found.high, kind)})"
