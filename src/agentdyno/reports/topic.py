"""A topic of a report: what a later table of the ledger says, as sentences, charts and tables.

Failures, usefulness, schedules and depth come into a ledger when somebody asks for them; each fills
a `Topic`, and the renderers show any topic alike. Texts are shown as text wherever they came from.
"""

from typing import Literal

from msgspec import Struct

from agentdyno.estimates.values import Estimate
from agentdyno.studies.scheduling.lanes import Lane

CellKind = Literal["text", "count", "amount", "share", "ratio", "money", "seconds", "p"]
"""How a column is written: words, a whole number, PTE or tokens, 12.3 %, 1.23, $0.12, 1.5 s, p."""

Value = str | int | float | Estimate | None
"""One cell; None is unknown."""


class TopicColumn(Struct, frozen=True):
    """One column of a table."""

    title: str
    """Its head."""
    kind: CellKind = "text"
    """How its cells are written."""


class TopicTable(Struct, frozen=True):
    """Numbers behind a topic."""

    title: str
    """What it lists."""
    columns: list[TopicColumn]
    """The first is the head of each row."""
    rows: list[list[Value]]
    """As many values in each as there are columns."""
    folded: bool = True
    """Whether a page shows it only when opened."""


class ChartRow(Struct, frozen=True):
    """One row of a chart of rows."""

    name: str
    """What it stands for."""
    reading: Estimate
    """Where its mark is."""
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
    """From top to bottom."""
    kind: CellKind = "ratio"
    """How its axis is written."""
    style: Literal["points", "bars"] = "bars"
    """Points on a line, or bars from zero."""
    middle: float = 0.0
    """Where nothing differs; drawn for points."""
    half: bool = False
    """Whether two of its kind fit side by side."""


class PlanePoint(Struct, frozen=True):
    """One point of a plane."""

    name: str
    """What it stands for."""
    x: Estimate
    """Across."""
    y: Estimate
    """Up."""
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
    """What is measured upwards."""
    points: list[PlanePoint]
    """In the order in which a line joins them."""
    across_kind: CellKind = "amount"
    """How the lower axis is written."""
    up_kind: CellKind = "share"
    """How the left axis is written."""
    lines: bool = False
    """Whether the points of a group are joined."""
    named: bool = True
    """Whether names stand beside the points; otherwise groups stand in a legend."""
    half: bool = False
    """Whether two of its kind fit side by side."""


class LanesChart(Struct, frozen=True, tag="lanes"):
    """A schedule: calls over time in as few lanes as ran at the same time."""

    name: str
    """Unique in the report; the stem of its file."""
    title: str
    """What it shows, in a line."""
    bars: list[Lane]
    """The calls."""
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


TopicChart = RowsChart | PlaneChart | LanesChart | HeatChart


class Topic(Struct, frozen=True):
    """One section of a report."""

    anchor: str
    """Its address in the page."""
    title: str
    """Its heading."""
    lead: str
    """What the numbers say, in a sentence or two."""
    notes: list[str]
    """What to know about the numbers."""
    charts: list[TopicChart]
    """Its pictures."""
    tables: list[TopicTable]
    """Its numbers."""
