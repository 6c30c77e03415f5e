"""Topics on a terminal: sentences, figures and tables that fit its width.

A table that is too wide folds its texts, then drops its last columns and says which; a number is
never cut. Text from traces is shown, never interpreted.
"""

import sys
from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.records import printable
from agentdyno.reports.cells import cell_text, chart_table
from agentdyno.reports.numbers import figure
from agentdyno.reports.topic import Figure, PlaneChart, Topic, TopicColumn, TopicTable, Value

ROWS = 12
"""Of a table; other forms and the ledger have more."""
EVERY = sys.maxsize
"""Rows where nothing is to be cut."""
NARROWEST_TEXT = 18
"""Characters to which a column of texts is folded before columns are dropped."""
WIDEST_TEXT = 44
BAR_WIDTH = 20
DRAWN_WIDTH = 40
GAP = 2
LONGEST = 800
"""Characters of a sentence, which may hold names from a trace."""


def print_topics(
    console: Console, topics: Iterable[Topic], rows: int = ROWS, *, charts: bool = True
) -> None:
    """Every topic, one after the other."""
    for topic in topics:
        print_topic(console, topic, rows, charts=charts)


def print_topic(console: Console, topic: Topic, rows: int = ROWS, *, charts: bool = True) -> None:
    """Title, figures, sentences, tables, and what its charts show as tables unless that is all in
    the others."""
    console.print(Text(printable(topic.title, LONGEST), style="bold"))
    if topic.figures:
        print_figures(console, topic.figures)
    print_words(console, topic)
    for chart in topic.charts:
        if isinstance(chart, PlaneChart) and chart.drawn:
            draw_line(console, chart)
    for table in topic.tables:
        print_table(console, table, EVERY if table.whole else rows)
    for chart in topic.charts if charts else ():
        print_table(console, chart_table(chart), rows)


def draw_line(console: Console, chart: PlaneChart) -> None:
    """A line's points one below the other, each as a bar from zero; names stand behind theirs."""
    console.print(Text(printable(chart.title, LONGEST), style="italic"))
    heights = [point.y.value or 0.0 for point in chart.points]
    across = [figure(point.x.value, chart.across_kind) for point in chart.points]
    most, wide = max(heights, default=0.0) or 1.0, max(map(len, across), default=0)
    for point, x, height in zip(chart.points, across, heights, strict=True):
        bar = "█" * max(round(DRAWN_WIDTH * height / most), 1)
        name = f"  {printable(point.name, 40)}" if point.strong else ""
        value = figure(height, chart.up_kind)
        style = "bold yellow" if point.strong else "cyan"
        console.print(Text.assemble(f" {x:>{wide}} ", (bar, style), f" {value}{name}"))
    console.print()


def print_figures(console: Console, figures: Sequence[Figure]) -> None:
    """The figures on one line."""
    stated = [
        f"{f.value if isinstance(f.value, str) else figure(f.value, f.kind)} {f.name}"
        for f in figures
        if f.value is not None
    ]
    console.print(Text(", ".join(stated), style="bold"))


def print_words(console: Console, topic: Topic) -> None:
    """The lead, terms and notes."""
    if topic.lead:
        console.print(_text(topic.lead))
    for term in topic.terms:
        console.print(
            Text.assemble((f"{printable(term.name, LONGEST)}: ", "bold"), _text(term.text))
        )
    for note in topic.notes:
        console.print(_text(note, "dim"))


def print_table(console: Console, table: TopicTable, rows: int = ROWS) -> None:
    """One table at the console's width."""
    fitted = fit(table, console.width, rows)
    justify = {"title_justify": "left", "caption_justify": "left"}
    produced = Table(title=Text(fitted.title), title_style="italic", box=box.SIMPLE_HEAD,
                 pad_edge=False, padding=(0, 1, 0, 0), **justify)  # type: ignore[arg-type]  # fmt: skip
    for column, width in zip(fitted.columns, fitted.widths, strict=True):
        if column.kind == "text":
            produced.add_column(column.title, width=width, overflow="fold")
        else:
            produced.add_column(column.title, justify="right", no_wrap=True, min_width=width)
        if column.bar:
            produced.add_column("", width=BAR_WIDTH, no_wrap=True)
    for cells in fitted.rows:
        produced.add_row(*cells)
    produced.caption = Text(fitted.caption) if fitted.caption else None
    console.print(produced)


class Fitted(Struct, frozen=True):
    """A table cut to a width."""

    title: str
    columns: list[TopicColumn]
    widths: list[int]
    rows: list[list[Text]]
    """As many as are shown."""
    caption: str
    """What to know, and what was left out."""


def fit(table: TopicTable, width: int, rows: int = ROWS) -> Fitted:
    """Folds texts, then drops the last columns, until the table fits."""
    displayed = table.rows[:rows]
    columns = list(table.columns)
    texts = [[cell_text(v, c.kind) for v, c in zip(row, columns, strict=True)] for row in displayed]
    while True:
        widths = _widths(columns, texts, width)
        if _total(columns, widths) <= width or len(columns) == 1:
            break
        columns = columns[:-1]
    bars = [_bar_at(columns, row) for row in displayed]
    cells = [_cells(columns, line, bar) for line, bar in zip(texts, bars, strict=True)]
    return Fitted(table.title, columns, widths, cells, _caption(table, columns, len(displayed)))


def _widths(columns: Sequence[TopicColumn], texts: list[list[str]], width: int) -> list[int]:
    """As wide as the contents, texts folded as far as they must be and may be."""
    wide = [max([len(c.title), *(len(row[i]) for row in texts)]) for i, c in enumerate(columns)]
    wide = [
        min(w, WIDEST_TEXT) if c.kind == "text" else w for w, c in zip(wide, columns, strict=True)
    ]
    words = [i for i, c in enumerate(columns) if c.kind == "text"]
    while _total(columns, wide) > width:
        longest = max(words, key=lambda i: wide[i], default=None)
        if longest is None or wide[longest] <= NARROWEST_TEXT:
            break
        wide[longest] -= 1
    return wide


def _total(columns: Sequence[TopicColumn], widths: list[int]) -> int:
    bars = sum(BAR_WIDTH + GAP for column in columns if column.bar)
    return sum(widths) + GAP * (len(widths) - 1) + bars + 2


def _bar_at(columns: Sequence[TopicColumn], row: Sequence[Value]) -> float:
    shares = [v for v, c in zip(row, columns, strict=False) if c.bar and isinstance(v, float)]
    return shares[0] if shares else 0.0


def _cells(columns: Sequence[TopicColumn], texts: list[str], share: float) -> list[Text]:
    cells: list[Text] = []
    for column, text in zip(columns, texts, strict=False):
        cells.append(Text(text))
        if column.bar:
            cells.append(Text("█" * round(BAR_WIDTH * share), style="cyan"))
    return cells


def _caption(table: TopicTable, visible: Sequence[TopicColumn], displayed: int) -> str:
    notes = [table.note] if table.note else []
    if remaining := len(table.rows) - displayed:
        notes.append(f"{remaining:,} more {'row' if remaining == 1 else 'rows'}: --all")
    dropped = [column.title for column in table.columns[len(visible) :]]
    if dropped:
        notes.append(f"no room for: {', '.join(dropped)}")
    return "; ".join(notes)


def _text(text: str, style: str = "") -> Text:
    return Text(printable(" ".join(text.split()), LONGEST), style=style)
