"""The picture of the bill: its days, with the year where it begins and where it changes."""

from agentdyno.reports.topics.cost.bill import draw_bill
from agentdyno.studies.cost.highlights import Bill, BillBar


def test_the_axis_of_days_has_the_year_where_it_changes() -> None:
    days = ("2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02")
    bars = [BillBar(name=day, title=None, usd=1.0, parts={"read": 1.0}) for day in days]
    chart = draw_bill(Bill("day", bars, 0, 4.0, {"read": 4.0}))
    assert [bar.name for bar in chart.bars] == ["Dec 30 2025", "Dec 31", "Jan 1 2026", "Jan 2"]
