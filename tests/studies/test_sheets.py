"""Agents beside each other."""

import msgspec
import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno_train.reports.sheet import render_sheet
from agentdyno_train.studies.sheets import (
    LABELS,
    MEASURES,
    SHARES,
    Sheet,
    SheetCell,
    SheetCost,
    SheetRow,
)


def sheet(second: str = "small") -> Sheet:
    change = Estimate(0.25, 0.05, 0.45, n=20, p=0.01)
    cells = [SheetCell("base", Estimate(0.5, 0.4, 0.6, n=20), None),
             SheetCell("taught", Estimate(0.75, 0.6, 0.9, n=20), change)]  # fmt: skip
    costs = [SheetCost("easy", "base", 20, 0, None, None, None),
             SheetCost("easy", "taught", 20, 5, 4000.0, 0.2, 0.001)]  # fmt: skip
    shapes = {"base": "small", "taught": second}
    return Sheet(["base", "taught"], "h200", shapes, [SheetRow("easy", "completion", cells)], costs)


def test_a_sheet_says_the_change_with_its_interval() -> None:
    _, topic = render_sheet(sheet())
    assert topic.lead == (
        "base: 50.0% of the goals met. taught: 75.0% of the goals met (+25.0%, +5.0% to +45.0%)."
    )
    means, changes, costs = topic.tables
    assert means.rows[0] == ["completion", "50.0% [40.0%, 60.0%]", "75.0% [60.0%, 90.0%]", 20]
    assert changes.rows == [["completion", "taught", "25.0%", "5.0%", "45.0%", 0.01, 20]]
    assert [row[3] for row in costs.rows] == [None, 4000.0]


@pytest.mark.parametrize(("second", "notes"), [("small", 2), ("large", 3)])
def test_pte_of_two_architectures_is_said_to_be_two_units(second: str, notes: int) -> None:
    _, topic = render_sheet(sheet(second))
    assert len(topic.notes) == notes


def test_a_sheet_survives_its_file_and_shares_are_measures() -> None:
    found = sheet()
    assert msgspec.json.decode(msgspec.json.encode(found), type=Sheet) == found
    assert {*MEASURES, *LABELS} >= SHARES
