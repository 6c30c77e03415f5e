"""The first screen: what has no price, the unit on top, and blocks that add up."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.views import View
from agentdyno_daily.first_screen import WIDTH, first_screen
from tests.conftest import ROOT
from tests.reports.topics.test_headline import mixed


def test_money_is_the_unit_and_what_has_no_price_is_named(tmp_path: Path) -> None:
    found = build_report(mixed(tmp_path / "ledger"), ("glance",)).results["glance"]
    screen = first_screen(found, None, None, None, 24)
    assert screen.headline[0].startswith("$0.500: ")
    assert screen.notes[0] == "No price, so not in it: 2 of 3 turns (orchard-9)."


def test_the_unit_that_was_asked_for_is_the_headline(tmp_path: Path) -> None:
    seen = build_report(mixed(tmp_path / "ledger"), ("glance",), View(unit="pte"))
    screen = first_screen(seen.results["glance"], None, None, None, 24)
    assert screen.headline[0].startswith("700 PTE: ")


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("week")
    measure([ROOT / "examples" / "week"], folder / "l", MeasureOptions(workers=1))
    return build_report(folder / "l", ("glance", "cache", "spending", "sessions", "origins"))


@pytest.mark.parametrize("room", [12, 16, 20, 24])
@pytest.mark.parametrize("with_origins", [True, False])
def test_shares_add_up_to_the_whole_bill_however_little_room_there_is(
    week: Report, room: int, with_origins: bool
) -> None:
    found = week.results
    origins = found["origins"] if with_origins else None
    screen = first_screen(
        found["glance"], found["cache"], found["spending"], found["sessions"], room, None, origins
    )
    head = "Where it went, in all" if with_origins else "On what, in all"
    lines = screen.change[screen.change.index(head) + 1 :]
    rows = [line for line in lines[: _end(lines)] if "among it" not in line]
    assert sum(float(re.findall(r"([\d.]+) %", row)[0]) for row in rows) == pytest.approx(
        100, abs=3
    )
    money = [float(re.findall(r"\$([\d.]+)", row)[0]) for row in rows]
    assert sum(money) == pytest.approx(found["glance"].summary.cost, rel=0.01)


def _end(lines: list[str]) -> int:
    return next(n for n, line in enumerate([*lines, "end"]) if not line.startswith("  "))


def test_it_says_how_many_more_changes_there_are(week: Report) -> None:
    found = week.results
    lever = Lever(
        name="cache_lifetime", what="write the cache for as long as a working day lasts", where=[],
        amount=0.1, share=0.1, unit="usd", certainty="counted", assumption="",
    )  # fmt: skip
    glance = structs.replace(found["glance"], levers=[lever] * 8)
    screen = first_screen(glance, None, None, found["sessions"], 24, None, found["origins"])
    assert screen.change[-1] == "  5 more: agentdyno apply"
    assert max(map(len, screen.change)) <= WIDTH


def test_what_has_no_price_is_said_once(tmp_path: Path) -> None:
    found = build_report(mixed(tmp_path / "ledger"), ("glance",)).results["glance"]
    assert first_screen(found, None, None, None, 24, says_unpriced=True).notes == []
