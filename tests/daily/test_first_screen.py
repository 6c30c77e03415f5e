"""What has no price and which unit stands on top: said on the first screen."""

from pathlib import Path

from agentdyno.pipelines.report import build_report
from agentdyno.studies.views import View
from agentdyno_daily.first_screen import first_screen
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
