"""A topic of a report: what a study found, as sentences, figures, charts and tables.

Every section of every report is a `Topic`, and each form (terminal, Markdown, HTML) has one
renderer that shows any topic. Texts are shown as text wherever they came from.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Literal

from msgspec import Struct, convert

from agentdyno.estimates.estimate import Estimate
from agentdyno.studies.cost.drilldown import Drilldown
from agentdyno.studies.scheduling.lanes import Lane

CellKind = Literal[
    "text", "count", "mean", "amount", "share", "ratio", "correlation", "gamma", "money",
    "seconds", "p", "passage",
]  # fmt: skip
"""How a column is written: words, a whole number, 1.2, PTE or tokens, 12.3 %, 1.23, 0.123, 0.00123,
$0.12, 1.5 s, p, a text that a page shows whole."""


class Place(Struct, frozen=True):
    """A place in a trajectory; a page opens it."""

    trajectory_id: str
    turn: int | None = None
    """The turn, from 0; None for the whole trajectory."""
    text: str | None = None
    """What a link to it says: a session's title, a file; None for the name of the place."""


Value = str | int | float | Estimate | Place | None
"""One cell; None is unknown."""


class Figure(Struct, frozen=True):
    """One large number at the head of a topic."""

    value: float | str | None
    """The number, or words that stand for it."""
    kind: CellKind
    name: str


class Term(Struct, frozen=True):
    """A word or a question, and what is to be said of it."""

    name: str
    """The word or the question."""
    text: str


class TopicColumn(Struct, frozen=True):
    """One column of a table."""

    title: str
    kind: CellKind = "text"
    """How its cells are written."""
    bar: bool = False
    """Whether its shares are also drawn, where a form can."""


def columns(*heads: str) -> list[TopicColumn]:
    """Columns as `title` or `title:kind`: `columns("setting", "n:count", "solved:share")`."""
    parts = (head.rpartition(":") if ":" in head else (head, "", "text") for head in heads)
    return [TopicColumn(title, convert(kind, CellKind)) for title, _, kind in parts]


class RowsBehind(Struct, frozen=True):
    """What the rows of a table sum up: a page draws it when a row is opened, other forms leave it
    out."""

    name: str
    """Unique in the report."""
    what: str
    """What they are: `runs`."""
    columns: list[TopicColumn]
    """Texts, shares, money and counts; no intervals."""
    rows: Sequence[Sequence[Sequence[Value]]]
    """For each row of the table the values of every column."""


class TopicTable(Struct, frozen=True):
    """Numbers behind a topic."""

    title: str
    columns: list[TopicColumn]
    """The first is the head of each row."""
    rows: Sequence[Sequence[Value]]
    """As many values in each as there are columns."""
    folded: bool = True
    """Whether a page shows it only when opened."""
    note: str = ""
    """What to know about its numbers."""
    whole: bool = False
    """Whether all rows are displayed at once; a long table is cut, or scrolls, otherwise."""
    behind: RowsBehind | None = None
    """What its rows sum up, where a page is to show that."""


Cell = str | Callable[[Any], Value]
"""Where a column's values come from: an attribute of the row's item, or a function of it."""


def table_of(
    title: str,
    items: Iterable[object],
    cells: Mapping[str, Cell],
    folded: bool = True,
    **more: Any,
) -> TopicTable:
    """A row for each item: `table_of("By tool", tools, {"tool": "name", "n:count": "calls"})`."""
    read = [attrgetter(cell) if isinstance(cell, str) else cell for cell in cells.values()]
    rows = [[get(item) for get in read] for item in items]
    return TopicTable(title, columns(*cells), rows, folded, **more)


class ChartRow(Struct, frozen=True):
    """One row of a chart of rows."""

    name: str
    reading: Estimate
    note: str = ""
    """What stands at its right end."""
    strong: bool = False
    """Whether it stands out."""


class RowsChart(Struct, frozen=True, tag="rows"):
    """A mark with its interval for each name."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    axis: str
    """What is measured along it."""
    rows: list[ChartRow]
    kind: CellKind = "ratio"
    """How its axis is written."""
    style: Literal["points", "bars"] = "bars"
    """Points on a line, or bars from zero."""
    middle: float = 0.0
    """Where nothing differs; drawn for points."""
    half: bool = False
    """Whether two of its kind fit side by side."""


class PlanePoint(Struct, frozen=True):
    name: str
    x: Estimate
    y: Estimate
    group: str = ""
    """Points of a group share a colour, and a line where lines are drawn."""
    strong: bool = False
    """Whether it stands out; counts where there are no groups."""


class PlaneChart(Struct, frozen=True, tag="plane"):
    """Points over two measures, with intervals, and joined by lines where asked."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    across: str
    """What is measured from left to right."""
    up: str
    points: list[PlanePoint]
    """In the order in which a line joins them."""
    across_kind: CellKind = "amount"
    """How the lower axis is written."""
    up_kind: CellKind = "share"
    """How the left axis is written."""
    lines: bool = False
    """Whether the points of a group are joined."""
    front: bool = False
    """Whether the strong points are joined as a front."""
    small: bool = False
    """Whether points are small, for many of them."""
    named: bool = True
    """Whether names stand beside the points; otherwise groups stand in a legend."""
    half: bool = False
    """Whether two of its kind fit side by side."""
    drawn: bool = False
    """Whether a terminal draws it too."""


class LanesChart(Struct, frozen=True, tag="lanes"):
    """A schedule: calls over time in as few lanes as ran at the same time."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    bars: list[Lane]
    turns: list[float]
    """Moments at which the agent made its next calls."""
    axis: str = "seconds"
    """What is measured along it; not seconds where a trace has no times."""


class HeatChart(Struct, frozen=True, tag="heat"):
    """A heat map of thought: layers by tokens, dark where a prediction is still unsettled."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    tokens: list[str]
    """The tokens' texts, from left to right."""
    distances: list[list[float]]
    """For each token, each layer's distance from the last one's prediction, 0 to 1."""
    g: float | None = None
    """Distance at which a layer has settled, where the settling layers are to be marked."""
    cut: int | None = None
    """The first deep layer, counted from 1, where it is to be marked."""


class Share(Struct, frozen=True):
    """One piece of a whole."""

    kind: str
    """The kind of part, which has a colour of its own."""
    share: float
    """Of the whole, 0 to 1."""
    inside: list[tuple[str, float]] = []
    """What makes it up, each with its share of the whole; empty when nobody knows."""


class SharesBar(Struct, frozen=True):
    """A whole cut into pieces."""

    name: str
    pieces: list[Share]
    """From left to right."""
    note: str = ""
    """What stands at its right end."""


class SharesChart(Struct, frozen=True, tag="shares"):
    """Wholes cut by kind of part; a single one also shows what is inside its pieces."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    bars: list[SharesBar]


class StackBar(Struct, frozen=True):
    """One bar of a chart of amounts."""

    name: str
    pieces: dict[str, float]
    """Amounts by kind, added up from the bottom or the left."""


class StackChart(Struct, frozen=True, tag="stack"):
    """Amounts cut by kind: columns in order of time, or rows with names."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    bars: list[StackBar]
    """From left to right, or from top to bottom."""
    kinds: dict[str, str]
    """Kind -> the words of its legend, in the order in which they are stacked."""
    kind: CellKind = "money"
    upright: bool = True


TopicChart = RowsChart | PlaneChart | LanesChart | HeatChart | SharesChart | StackChart


class Topic(Struct, frozen=True):
    """One section of a report."""

    anchor: str
    """Its address in the page."""
    title: str
    lead: str
    """What the numbers say, in a sentence or two."""
    notes: list[str]
    """What to know about the numbers."""
    charts: Sequence[TopicChart]
    tables: Sequence[TopicTable]
    figures: list[Figure] = []
    """Large numbers at its head."""
    terms: list[Term] = []
    """Questions with their answers, or words with their meaning."""
    drilldown: Drilldown | None = None
    """Single trajectories that a page opens turn by turn; other forms list them in a table."""
