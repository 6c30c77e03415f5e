"""Topics as Markdown. Text from traces is escaped, so it can forge no structure."""

import re
from collections.abc import Iterable

from agentdyno.records import printable
from agentdyno.reports.cells import cell_text, chart_table
from agentdyno.reports.numbers import figure
from agentdyno.reports.topic import CellKind, Figure, Topic, TopicTable, Value

ROWS = 20
LONGEST = 800
"""Characters of a sentence, which may hold names from a trace."""

# Markup, and the marks of links that need no markup.
_SPECIAL = re.compile(r"([\\`*_\[\]#|<>~&@]|:(?=//)|(?<=[wW]{3})\.)")
# What makes a list or a rule where a line begins with it.
_BEGINNING = re.compile(r"^(\d{0,9})([-=+.)])(?=\s|$|[-=])")


def render_markdown(topics: Iterable[Topic], title: str = "", rows: int | None = ROWS) -> str:
    """Every topic, below a title where one is given; of each table so many rows, None for all."""
    head = [f"# {_line(title)}\n"] if title else []
    return "\n".join([*head, *(render_topic(topic, rows) for topic in topics)])


def render_topic(topic: Topic, rows: int | None = ROWS) -> str:
    """One topic: sentences, tables, and the marks of its charts as tables."""
    blocks = [f"## {_line(topic.title)}"]
    if topic.figures:
        blocks.append(_figures(topic.figures))
    if topic.lead:
        blocks.append(_line(topic.lead))
    if topic.terms:
        blocks.append("\n".join(f"- **{_line(t.name)}**: {_line(t.text)}" for t in topic.terms))
    blocks += [_line(note) for note in topic.notes]
    tables = [*topic.tables, *map(chart_table, topic.charts)]
    return "\n\n".join([*blocks, *(_table(table, rows) for table in tables)]) + "\n"


def escape(text: str) -> str:
    """Foreign text that renders as itself."""
    return _BEGINNING.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def _figures(figures: list[Figure]) -> str:
    lines = [
        f"**{escape(f.value) if isinstance(f.value, str) else figure(f.value, f.kind)}** {f.name}"
        for f in figures
        if f.value is not None
    ]
    return ", ".join(lines) + "."


def _table(table: TopicTable, most: int | None) -> str:
    kinds = [column.kind for column in table.columns]
    rule = ["---" if kind == "text" else "---:" for kind in kinds]
    rows = [[_cell(v, k) for v, k in zip(row, kinds, strict=True)] for row in table.rows[:most]]
    head = [_line(column.title) for column in table.columns]
    lines = ["| " + " | ".join(row) + " |" for row in [head, rule, *rows]]
    remaining = 0 if most is None else len(table.rows) - most
    notes = [table.note] if table.note else []
    notes += [f"{remaining:,} more rows in the report as JSON."] if remaining > 0 else []
    below = f"\n\n{_line('; '.join(notes))}" if notes else ""
    return f"### {_line(table.title)}\n\n" + "\n".join(lines) + below


def _cell(value: Value, kind: CellKind) -> str:
    displayed = cell_text(value, kind)
    return displayed if isinstance(value, int | float) else escape(displayed)


def _line(text: str) -> str:
    return escape(printable(" ".join(text.split()), LONGEST))
