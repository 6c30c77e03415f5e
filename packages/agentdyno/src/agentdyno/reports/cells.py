"""A topic's cells and charts as plain text, for forms without pictures: nothing is left out."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import printable, shortened
from agentdyno.reports.numbers import estimate, figure, label
from agentdyno.reports.topic import (
    CellKind,
    HeatChart,
    LanesChart,
    Place,
    PlaneChart,
    RowsChart,
    SharesChart,
    StackChart,
    TopicChart,
    TopicColumn,
    TopicTable,
    Value,
)

LONGEST = 160
"""Characters of a text in a cell."""


def cell_text(value: Value, kind: CellKind) -> str:
    """One cell; texts of traces are cleaned and shortened."""
    if isinstance(value, Estimate):
        return estimate(value, kind)
    if isinstance(value, Place):
        return place_text(value)
    return (
        label(" ".join(value.split()), limit=LONGEST)
        if isinstance(value, str)
        else figure(value, kind)
    )


def place_text(location: Place, limit: int = 48) -> str:
    """Where to look: the end of the trajectory's name says most."""
    if location.text is not None:
        return label(" ".join(location.text.split()), limit=LONGEST)
    where = "" if location.turn is None else f", turn {location.turn + 1}"
    return f"{shortened(location.trajectory_id, limit)}{where}"


def chart_table(chart: TopicChart) -> TopicTable:
    """The marks of a chart as a table."""
    if isinstance(chart, RowsChart):
        heads = [TopicColumn("name"), TopicColumn(chart.axis, chart.kind), TopicColumn("note")]
        rows: list[list[Value]] = [[row.name, row.reading, row.note or None] for row in chart.rows]
    elif isinstance(chart, PlaneChart):
        heads = [TopicColumn("point"), TopicColumn(chart.across, chart.across_kind),
                 TopicColumn(chart.up, chart.up_kind)]  # fmt: skip
        rows = [[" · ".join(filter(None, (p.group, p.name))), p.x, p.y] for p in chart.points]
    elif isinstance(chart, LanesChart):
        heads = [TopicColumn("call"), TopicColumn("from", "ratio"), TopicColumn("to", "ratio"),
                 TopicColumn("mark")]  # fmt: skip
        rows = [[b.label, b.start, b.end, _marks(b.critical, b.failed)] for b in chart.bars]
    elif isinstance(chart, StackChart):
        used = [kind for kind in chart.kinds if any(kind in bar.pieces for bar in chart.bars)]
        heads = [TopicColumn("name"), *(TopicColumn(chart.kinds[k], chart.kind) for k in used)]
        rows = [[bar.name, *(bar.pieces.get(kind, 0.0) for kind in used)] for bar in chart.bars]
    elif isinstance(chart, SharesChart):
        heads = [TopicColumn("of"), TopicColumn("kind"), TopicColumn("share", "share")]
        rows = [[bar.name, piece.kind, piece.share] for bar in chart.bars for piece in bar.pieces]
    else:
        heads, rows = _list_heat(chart)
    return TopicTable(printable(chart.title, 200), heads, rows)


def _list_heat(chart: HeatChart) -> tuple[list[TopicColumn], list[list[Value]]]:
    heads = [TopicColumn("token"), TopicColumn("largest distance", "ratio"),
             TopicColumn("mean distance", "ratio")]  # fmt: skip
    rows: list[list[Value]] = [
        [token, max(distance, default=None), sum(distance) / len(distance) if distance else None]
        for token, distance in zip(chart.tokens, chart.distances, strict=True)
    ]
    return heads, rows


def _marks(critical: bool, failed: bool) -> str | None:
    words = [word for word, holds in (("critical", critical), ("failed", failed)) if holds]
    return ", ".join(words) or None
