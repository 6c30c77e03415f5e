"""The dyno sheet: which rows it has, and that they are what the rows of the ledger come to."""

from importlib import import_module
from pathlib import Path
from statistics import fmean

import polars as pl
import pytest

from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.findings.patterns.reading import Reading
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.measure_options import MeasureOptions
from agentdyno.pipelines.report import build_overview, build_report
from agentdyno.studies.sheet import SUPPLIED_BY, Sheet
from tests.cli.run import Agentdyno
from tests.ledger.traces import write_jsonl


def sheet_of(folder: Path) -> Sheet:
    measure([write_jsonl(folder / "a.jsonl", range(6))], folder / "l", MeasureOptions(workers=1))
    found: Sheet = build_overview(folder / "l", only=("sheet",)).results["sheet"]
    return found


def test_every_row_is_what_the_ledger_comes_to(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path)
    rows = Ledger(tmp_path / "l").read("trajectories")
    values = {row.measure: row.values[0].value for row in sheet.rows}
    assert sheet.attempts == [6]
    assert values["solved"] == pytest.approx(2 / 6)  # Tasks 0 and 3 of 0 to 5 were solved.
    assert values["PTE an attempt"] == pytest.approx(rows["pte_evicted"].mean())
    assert values["PTE a solved task"] == pytest.approx(rows["pte_evicted"].sum() / 2)
    assert values["tokens read"] == pytest.approx(rows["prefill_tokens"].mean())
    assert values["turns"] == 2
    assert "dollars an attempt" not in values  # No price is known, so there is no row of zeros.


def test_what_nothing_recorded_names_the_command_that_does(tmp_path: Path) -> None:
    sheet = sheet_of(tmp_path)
    unanswered = SUPPLIED_BY.keys() - {"patterns"}
    assert {gap.command for gap in sheet.missing} == {SUPPLIED_BY[part][1] for part in unanswered}


def test_patterns_that_nobody_looked_for_are_missing_and_not_zero(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    measure([traces], tmp_path / "l", MeasureOptions(workers=1, costs_only=True))
    sheet: Sheet = build_overview(tmp_path / "l", only=("sheet",)).results["sheet"]
    assert SUPPLIED_BY["patterns"][0] in {gap.measure for gap in sheet.missing}
    assert not any(row.measure.startswith("pattern") for row in sheet.rows)


def test_the_sheet_has_the_demos_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same logs and the same named architecture: the PTE and the four patterns of the demo,
    which counts from the traces with `measures` alone."""
    examples = Path(__file__).parents[2] / "examples"
    monkeypatch.syspath_prepend(str(examples))
    five_papers, read_log = import_module("five_papers"), import_module("five_records").read_log
    folder = examples / "five"
    options = MeasureOptions(workers=1, arch=five_papers.ARCHITECTURE)
    measure([folder / "mathematics"], tmp_path / "l", options)
    sheet: Sheet = build_overview(tmp_path / "l", only=("sheet",)).results["sheet"]
    assert [each.architecture for each in sheet.gammas] == [five_papers.ARCHITECTURE]
    rows = {row.measure: row.values for row in sheet.rows}
    for place, setting in enumerate(sheet.settings):
        agent = str(setting.model).rpartition("/")[2]
        attempts = [a.trajectory for a in read_log(folder / "mathematics", agent)]
        costs = [five_papers.find_pte(attempt) for attempt in attempts]
        assert rows["PTE an attempt"][place].value == pytest.approx(fmean(costs))
        for detector in PUBLISHED:
            having = fmean(bool(detector.detect(Reading(attempt))) for attempt in attempts)
            shown = rows[f"pattern {detector.name.replace('_', ' ')}"][place]
            assert shown.value == pytest.approx(having)


def test_calls_at_once_come_with_the_schedules(tmp_path: Path) -> None:
    sheet_of(tmp_path)
    sheet: Sheet = build_report(tmp_path / "l", ("sheet",)).results["sheet"]
    schedules = Ledger(tmp_path / "l").read("scheduling").filter(pl.col("call_turns") > 0)
    (row,) = (row for row in sheet.rows if row.measure == "calls at once")
    assert row.values[0].value == pytest.approx(schedules["calls_per_turn"].mean())


@pytest.mark.daily
def test_measure_prints_the_sheet_of_attempts_and_the_bill_of_sessions(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    assert agentdyno.measure(write_jsonl(tmp_path / "a.jsonl", range(6))) == 0
    assert "Dyno sheet" in agentdyno.out
    assert "PTE a solved task" in agentdyno.out
    week = Path(__file__).parents[2] / "examples" / "week"
    assert agentdyno.run("measure", week, "--out", tmp_path / "week") == 0
    assert "Dyno sheet" not in agentdyno.out
    assert "Where it went" in agentdyno.out
