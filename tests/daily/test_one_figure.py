"""One name, one figure: the same money under the same name on every surface of one ledger."""

from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.records.origins import NOT_ITEMISED, OUTPUT, REWRITTEN
from agentdyno.reports.json import report_fields
from agentdyno.reports.numbers import dollars
from agentdyno.reports.topics.cost.bill import WORDS
from agentdyno.studies.origins import sum_by_origin
from agentdyno.view.first_page import list_origins
from agentdyno.view.session import describe_session
from agentdyno.view.session_list import roots
from agentdyno.view.snapshot import Snapshot
from agentdyno_daily.first_screen import first_screen
from tests.cli.run import Agentdyno
from tests.conftest import ROOT

NAMES = {"lost": REWRITTEN, "output": OUTPUT, "other": NOT_ITEMISED}
"""Parts of a bill that are origins too."""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A week with losses and pauses, and sessions with sub-agents."""
    folder = tmp_path_factory.mktemp("surfaces")
    traces = [ROOT / "examples" / "week", ROOT / "tests" / "data" / "claude_code"]
    measure(traces, folder / "l", MeasureOptions(workers=1))
    return folder / "l"


@pytest.fixture(scope="module")
def report(ledger: Path) -> Report:
    return build_report(ledger)


def test_origins_and_the_bill_say_the_same_under_the_same_name(report: Report) -> None:
    cache, origins = report.results["cache"], report.results["origins"]
    bill = report.results["glance"].highlights.bill
    by_name = {origin.origin: origin.usd for origin in sum_by_origin(origins)}
    for part, name in NAMES.items():
        assert WORDS[part] == name
        assert by_name.get(name, 0.0) == pytest.approx(cache.charged.get(part, 0.0))
        assert bill.parts.get(part, 0.0) == pytest.approx(cache.charged.get(part, 0.0))
    assert by_name[REWRITTEN] == pytest.approx(cache.rewritten.usd)
    assert cache.charged["output"] == pytest.approx(cache.usd_output)
    # Every dollar of the ledger is in either.
    assert sum(by_name.values()) == pytest.approx(report.results["glance"].summary.usd)
    assert sum(cache.charged.values()) == pytest.approx(report.results["glance"].summary.usd)


def test_first_screen_page_and_json_print_the_figures_of_the_studies(
    report: Report, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found, origins = report.results, report.results["origins"]
    expected = {each.origin: dollars(each.usd) for each in sum_by_origin(origins)}
    screen = first_screen(
        found["glance"], found["cache"], found["spending"], found["sessions"], 40, None, origins
    )
    page = {row["origin"]: dollars(row["usd"]) for row in list_origins(Snapshot(ledger))["rows"]}
    told = report_fields(report.ledger, found)["results"]["origins"]["rows"]
    for name in (REWRITTEN, OUTPUT):
        [row] = [line for line in screen.change if line.startswith(f"  {name}")]
        assert expected[name] in row
        assert page[name] == expected[name]
        assert dollars(sum(row["usd"] for row in told if row["origin"] == name)) == expected[name]


def test_report_by_origin_and_cache_print_them_too(
    report: Report, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agentdyno, lost = Agentdyno(capsys, ledger), report.results["cache"].rewritten
    assert agentdyno.run("report", ledger, "--by", "origin") == 0
    assert f"{REWRITTEN} | logged | {dollars(lost.usd)}" in agentdyno.out
    assert agentdyno.run("cache", ledger) == 0
    assert f"{REWRITTEN} " in agentdyno.out.replace("\n", " ")
    assert dollars(lost.usd) in agentdyno.out


def test_as_many_turns_paid_again_on_the_pages_of_sessions(report: Report, ledger: Path) -> None:
    snapshot = Snapshot(ledger)
    turns = [turn for name in roots(snapshot) for turn in describe_session(snapshot, name)["turns"]]
    losses = [turn for turn in turns if turn["cause"] not in (None, "first turn")]
    expected = report.results["cache"].rewritten
    assert len(losses) == expected.losses
    assert sum(turn["lost_usd"] or 0.0 for turn in losses) == pytest.approx(expected.usd)
