"""The dyno sheet: which rows it has, and that they are what the rows of the ledger come to."""

from pathlib import Path

import polars as pl
import pytest

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
    assert {gap.command for gap in sheet.missing} == {text[1] for text in SUPPLIED_BY.values()}


def test_calls_at_once_come_with_the_schedules(tmp_path: Path) -> None:
    sheet_of(tmp_path)
    sheet: Sheet = build_report(tmp_path / "l", ("sheet",)).results["sheet"]
    schedules = Ledger(tmp_path / "l").read("scheduling").filter(pl.col("call_turns") > 0)
    (row,) = (row for row in sheet.rows if row.measure == "calls at once")
    assert row.values[0].value == pytest.approx(schedules["calls_per_turn"].mean())


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
