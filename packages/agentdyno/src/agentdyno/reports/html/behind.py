"""What the rows of tables sum up, packed inside a page, and drawn when a row is opened.

Takes topics, returns one element: JSON, deflated and written as base64, so that tens of thousands
of runs take about seven bytes each. Column by column, since equal columns pack best. Texts are
cleaned here and put into the page by `textContent` only.
"""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from agentdyno.records.escaped_json import encode_json
from agentdyno.reports.html.drilldown import Words
from agentdyno.reports.html.markup import Html, tag
from agentdyno.reports.topic import CellKind, RowsBehind, Topic, Value

LONGEST = 120
"""Characters of a text."""
DIGITS = 4
"""Of an amount that is no whole number."""


def pack_behind(topics: Sequence[Topic]) -> Html:
    """The element; nothing where no table has rows behind it."""
    tables = [table.behind for topic in topics for table in topic.tables if table.behind]
    if not tables:
        return Html("")
    words = Words()
    data = {table.name: _pack(table, words) for table in tables}
    text = encode_json({"words": words.all, "tables": data})
    return tag(
        "script",
        Html(b64encode(zlib.compress(text, 9)).decode()),
        type="application/json",
        id="behind-data",
    )


def _pack(table: RowsBehind, words: Words) -> dict[str, Any]:
    return {
        "what": words.place(table.what),
        "heads": [words.place(column.title) for column in table.columns],
        "kinds": [column.kind for column in table.columns],
        "rows": [
            [[_cell(value, column.kind, words) for value in values]
             for values, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
    }  # fmt: skip


def _cell(value: Value, kind: CellKind, words: Words) -> int | float | None:
    if isinstance(value, str):
        return words.place(value, LONGEST)
    if not isinstance(value, int | float):
        return None
    return value if kind == "count" else float(f"{value:.{DIGITS}g}")


def opener(label: Html, table: RowsBehind, index: int) -> Html:
    """A button that draws what is behind a row."""
    return tag(
        "button",
        label,
        type="button",
        class_="behind",
        aria_expanded="false",
        data_table=table.name,
        data_row=str(index),
        title=f"{len(table.rows[index][0]):,} {table.what}",
    )
