"""What today, this week and this month cost, and what is new: sums of the days, by hand."""

import shutil
from datetime import datetime
from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.today import Today, study_today
from agentdyno_daily.first_screen import HEIGHT, WIDTH, describe_days, first_screen
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("today")
    shutil.copytree(ROOT / "examples" / "week", folder / "traces")
    measure([folder / "traces"], folder / "l", MeasureOptions(workers=1, costs_only=True))
    return folder / "l"


def look(ledger: Path, now: str, seen: str | None = None) -> Today:
    times = [None if each is None else datetime.fromisoformat(each).timestamp()
             for each in (now, seen)]  # fmt: skip
    found = study_today(ReportContext(ReadableLedger(ledger)), *times)
    assert found is not None
    return found


def test_weeks_begin_on_monday_and_are_compared_with_the_same_days(ledger: Path) -> None:
    """2026-03-02 is a Monday; the days cost $0.128, $0.351, $0.250 and $0.138."""
    wednesday = look(ledger, "2026-03-04T23:00")
    assert wednesday.today == pytest.approx(0.250147)
    assert wednesday.week == pytest.approx(0.1283605 + 0.351393 + 0.250147)
    assert wednesday.month == wednesday.week
    assert wednesday.week_before == 0
    later = look(ledger, "2026-03-10T12:00")  # Tuesday of the week after.
    assert (later.today, later.week) == (0, 0)
    assert later.week_before == pytest.approx(0.1283605 + 0.351393)
    assert later.is_recent
    assert later.is_month
    much_later = look(ledger, "2026-06-10T12:00")
    assert not much_later.is_recent
    assert not much_later.is_month


def test_what_is_new_is_what_came_since_the_last_look(ledger: Path) -> None:
    found = look(ledger, "2026-03-05T23:00", "2026-03-04T00:00").new
    assert found is not None
    assert found.sessions == 2
    assert found.usd == pytest.approx(0.250147 + 0.138378)
    assert found.title == "Why is the nightly import slow?"
    assert look(ledger, "2026-03-08T23:00", "2026-03-07T00:00").new is None


def test_the_words_of_the_first_line(ledger: Path) -> None:
    assert describe_days(look(ledger, "2026-03-10T12:00")) == (
        "Today $0, this week $0 (100 % less than the same days last week, $0.480), March $0.868."
    )


def test_the_screen_fits_and_begins_with_today(ledger: Path) -> None:
    results = build_report(ledger, ("glance", "cache", "spending", "sessions", "origins")).results
    today = look(ledger, "2026-03-05T23:00", "2026-03-04T00:00")
    found = first_screen(
        results["glance"], results["cache"], results["spending"], results["sessions"],
        HEIGHT - 3, today, results["origins"],
    )  # fmt: skip
    lines = [*found.headline, *found.body, *found.change, *found.notes]
    assert len(lines) <= HEIGHT - 3
    assert max(map(len, lines)) <= WIDTH
    assert lines[0].startswith("Today $0.138, this week $0.868")
    assert any(line.startswith("New since 4 March: 2 sessions, $0.389") for line in lines)
    assert found.change[0] == "Where it went, in all"
    # On a second day the most expensive sessions are there too, and what to change.
    assert "Most expensive sessions, in all" in found.change
    assert found.change[-1] == "No single change would surely save 1 % or more."
