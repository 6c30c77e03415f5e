"""How far off estimated counts may be, and that every verb that rests on them says so."""

import math
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.reports.topics.comparison import render_comparison
from agentdyno.reports.topics.whatif import render_whatif
from agentdyno.studies.comparison import study_comparison
from agentdyno.studies.cost.estimated import study_estimates
from agentdyno.studies.whatif import WhatIfOptions, study_whatif
from tests.ledger.traces import write_jsonl
from tests.pipelines.ledger_builder import LedgerRows


def _turns(rows: LedgerRows, many: int, model: str = "m") -> LedgerRows:
    for turn in range(many):
        rows.turn(
            model, turn, 400.0, model=model, decode_tokens=200, context_tokens=1000, gamma=0.001,
            decode_spread=0.1, decode_bias=0.02,
        )  # fmt: skip
    return rows.trajectory(model, model=model)


def test_spreads_average_out_and_a_models_bias_does_not(tmp_path: Path) -> None:
    found = study_estimates(Ledger(_turns(LedgerRows(), 100).write(tmp_path)).read("turns"))
    assert found is not None
    assert (found.turns, found.tokens) == (100, 20_000)
    # sqrt(100 * 20^2 + 400^2) = 447.2; 1.96 of that is 876.5 of 20,000.
    assert found.tokens_error == pytest.approx(1.96 * math.sqrt(200_000) / 20_000)
    # A decoded token costs gamma * 1,000 = 1 PTE here, of 40,000 in all.
    assert found.pte_error == pytest.approx(1.96 * math.sqrt(200_000) / 40_000)


def test_the_biases_of_two_models_are_not_one(tmp_path: Path) -> None:
    rows = _turns(_turns(LedgerRows(), 50, "m"), 50, "n")
    found = study_estimates(Ledger(rows.write(tmp_path)).read("turns"))
    assert found is not None
    # 100 * 20^2 + 2 * 200^2 = 120,000.
    assert found.tokens_error == pytest.approx(1.96 * math.sqrt(120_000) / 20_000)


def test_where_everything_was_reported_nothing_is_said(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a").turn("a", 0)
    assert study_estimates(Ledger(rows.write(tmp_path)).read("turns")) is None


def test_compare_and_whatif_say_how_far_their_estimates_may_be_off(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "traces.jsonl", range(3), usage=False)
    measure(
        [tmp_path / "traces.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True)
    )
    ledger = Ledger(tmp_path / "ledger")
    compared = study_comparison(ledger, ledger)
    predicted, _ = study_whatif(ledger, WhatIfOptions(cap_results=10))
    assert compared.a.estimated == compared.b.estimated == predicted.estimated
    for topic in (render_comparison(compared), render_whatif(predicted)):
        assert any("are estimates" in note and "(95 %)" in note for note in topic.notes)
