"""The PTE paper's page counts in PTE, whatever is known of prices."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno_bench.pte.page import make_exhibits
from agentdyno_bench.pte.tir.loading import MINI
from tests.conftest import ROOT


def test_figure_5_counts_in_pte_where_the_models_have_prices(tmp_path: Path) -> None:
    week = ROOT / "examples" / "week"
    measure([week], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True))
    ledger = ReadableLedger(tmp_path / "ledger")
    assert ledger.read("trajectories")["usd"].null_count() == 0
    (whole,) = make_exhibits(ledger, MINI)["Figure 5"].rows
    name, first, *_ = whole
    assert name == "all models, all sets"
    assert isinstance(first, Estimate)
    turns = ledger.read("turns").filter(pl.col("turn") == 0)
    assert first.value == pytest.approx(turns["pte"].mean())
