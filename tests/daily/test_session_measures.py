"""The line of measures under the first screen, against sums over the ledger's rows."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.studies.report_context import ReportContext
from agentdyno_daily.session_measures import SessionMeasures, describe_measures, study_measures

WEEK = Path(__file__).parents[2] / "examples" / "week"


def test_measures_are_sums_over_the_rows(tmp_path: Path) -> None:
    ledger = Ledger(measure([WEEK], tmp_path / "l", MeasureOptions(workers=1)).ledger)
    measures = study_measures(ReportContext(ledger))
    turns, calls = ledger.read("turns"), ledger.read("calls")
    assert measures.pte_a_turn == pytest.approx(turns["pte"].mean())
    calling = calls.select("trajectory_id", "turn").n_unique()
    assert measures.calls_at_once == pytest.approx(len(calls) / calling)
    failed = calls.group_by("trajectory_id", "turn").agg(pl.col("error").is_not_null().all())
    assert measures.failed_turns == failed["error"].sum()
    assert describe_measures(measures).startswith("Measures: PTE a turn ")


def test_what_is_unknown_is_left_out() -> None:
    unknown = SessionMeasures("PTE", None, None, 2, None)
    assert describe_measures(unknown) == "Measures: 2 turns of failed calls."
    assert describe_measures(SessionMeasures("PTE", None, None, 0, None)) == ""
    known = SessionMeasures("PTE (width)", 35_600.0, 1.25, 2, 0.031)
    assert describe_measures(known) == (
        "Measures: PTE (width) a turn 35.6k, calls at once 1.25, 2 turns of failed calls ($0.031)."
    )
