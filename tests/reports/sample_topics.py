"""A topic with every sort of chart and cell, its texts as given."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.reports.topic import (
    ChartRow,
    Figure,
    HeatChart,
    LanesChart,
    Place,
    PlaneChart,
    PlanePoint,
    RowsChart,
    Share,
    SharesBar,
    SharesChart,
    Term,
    Topic,
    TopicColumn,
    TopicTable,
)
from agentdyno.studies.scheduling.lanes import Lane

KNOWN = Estimate(0.25, 0.1, 0.4, 12)
UNKNOWN = Estimate(None, None, None, 0, reason="too few tasks")


def full_topic(text: str = "weather") -> Topic:
    """One of everything, with `text` wherever a trace could have written."""
    rows = [ChartRow(text, KNOWN, strong=True), ChartRow("other", UNKNOWN)]
    dots = [
        PlanePoint(text, Estimate(9000.0, None, None, 3), KNOWN, text),
        PlanePoint("b", Estimate(100.0, 80.0, 130.0, 3), Estimate(0.9, None, None, 3), "b"),
    ]
    lanes = [Lane(text, 0.0, 2.0, critical=True), Lane("hotel", 0.0, 1.0, failed=True)]
    heat = [[0.9, 0.5, 0.0], [0.2, 0.1, 0.0]]
    return Topic(
        anchor="topic",
        title="A topic",
        lead=f"The tool {text} helped in a quarter of its calls.",
        notes=[f"Judged by {text}."],
        charts=[
            RowsChart("bars", "Bars", "share", rows, "share"),
            RowsChart("dots", "Dots", "ratio", rows, "ratio", "points", 1.0, half=True),
            PlaneChart("plane", "Plane", "PTE", "solved", dots),
            PlaneChart("lines", "Lines", "g", "DTR", dots, lines=True, named=False, half=True),
            LanesChart("lanes", "Schedule", lanes, [0.0, 1.0]),
            HeatChart("heat", "Thought", [text, "b"], heat),
            SharesChart("whole", "A whole", [_bar(text)]),
            SharesChart("wholes", "Wholes", [_bar(text), _bar("b")]),
        ],
        tables=[
            TopicTable(
                "Numbers",
                [
                    TopicColumn("tool"),
                    TopicColumn("calls", "count"),
                    TopicColumn("PTE", "amount"),
                    TopicColumn("useful", "share"),
                    TopicColumn("multiple", "ratio"),
                    TopicColumn("money", "money"),
                    TopicColumn("time", "seconds"),
                    TopicColumn("p", "p"),
                    TopicColumn("where"),
                ],
                [
                    [text, 1234, 45_600.0, KNOWN, 1.5, 0.25, 2.5, 0.0001, Place(text, 2)],
                    ["other", None, None, UNKNOWN, None, None, None, 0.25, None],
                ],
                folded=False,
                note=f"from {text}",
            )
        ],
        figures=[Figure(1234, "count", "calls"), Figure(text, "text", "named")],
        terms=[Term("What", f"It is {text}.")],
    )


def _bar(name: str) -> SharesBar:
    return SharesBar(name, [Share("schema", 0.6, [(name, 0.5)]), Share("result", 0.4)], "9 PTE")
