"""A ledger at a glance: counts, means and shares, with what is unknown left unknown."""

import json
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.studies.cost.summary import summarise
from agentdyno.studies.cost.summary_results import Summary
from tests.ledger.traces import chat, tables, write_jsonl


def _summary(tmp_path: Path, **options: str) -> Summary:
    choice = MeasureOptions(workers=1, costs_only=True, **options)  # type: ignore[arg-type]
    return summarise(Ledger(measure([tmp_path / "t"], tmp_path / "ledger", choice).ledger))


def test_settings_are_model_by_benchmark_by_variant(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl", range(6), benchmark="gaia", variant="full")
    write_jsonl(tmp_path / "t" / "b.jsonl", range(6, 9), calls=3, benchmark="gaia", variant="lean")
    found = _summary(tmp_path)
    by_variant = {row.variant: row for row in found.settings}
    full, lean = by_variant["full"], by_variant["lean"]
    assert (full.trajectories, full.graded, lean.trajectories) == (6, 6, 3)
    # Tasks 0 and 3 of 0 to 5 are solved; Wilson's interval for 2 of 6.
    assert full.accuracy == pytest.approx(1 / 3)
    assert (full.accuracy_low, full.accuracy_high) == (
        pytest.approx(0.0968, abs=1e-4),
        pytest.approx(0.7000, abs=1e-4),
    )
    assert (full.turns_mean, full.calls_mean, lean.turns_mean, lean.calls_mean) == (2, 1, 4, 3)
    assert full.pte_total == pytest.approx(6 * full.pte_mean)  # type: ignore[operator]
    dearest_first = [row.pte_total for row in found.settings]
    assert dearest_first == sorted(dearest_first, reverse=True)  # type: ignore[type-var]


def test_kinds_and_totals_agree_with_the_tables(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl", range(10), calls=2)
    found, whole = _summary(tmp_path), tables(tmp_path / "ledger")
    assert found.pte == pytest.approx(whole["trajectories"]["pte"].sum())
    assert sum(row.pte for row in found.kinds) == pytest.approx(found.pte)
    assert sum(row.pte_share or 0 for row in found.kinds) == pytest.approx(1)
    search = next(row for row in found.tools if row.tool == "search")
    assert search.pte == pytest.approx(search.schema_pte + search.request_pte + search.result_pte)
    calls = whole["calls"]
    assert search.request_pte + search.result_pte == pytest.approx(calls["pte"].sum())
    assert (search.calls, search.offered) == (20, 10)


def test_failed_calls_are_counted_by_tool(tmp_path: Path) -> None:
    failed = chat(1, calls=2)
    failed["messages"][3]["content"] = "Error: no such page"
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "a.jsonl").write_text(json.dumps(failed) + "\n" + json.dumps(chat(2)))
    search = next(row for row in _summary(tmp_path).tools if row.tool == "search")
    assert (search.calls, search.errors) == (3, 1)


def test_costs_that_are_unknown_are_none_and_not_zero(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl", range(3), usage=False, model="nobody-knows-1")
    found = _summary(tmp_path, cache="reported")
    (setting,) = found.settings
    assert (found.pte, found.pte_growth, found.usd) == (None, None, None)
    assert (found.unmeasured, found.unpriced) == (3, 3)
    assert (setting.pte_mean, setting.pte_total, setting.usd_mean) == (None, None, None)
    assert {row.pte for row in found.tools} == {None}
    assert {row.pte_share for row in found.tools} == {None}
    assert {row.pte for row in found.kinds} == {None}
    assert found.by_token_source == {"estimated": 6}


def test_ungraded_trajectories_have_no_accuracy(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl", range(3), correct=None)
    (setting,) = _summary(tmp_path).settings
    assert (setting.graded, setting.accuracy, setting.accuracy_low) == (0, None, None)


def test_bad_records_are_counted_and_the_first_are_listed(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    lines = [json.dumps(chat(1)), json.dumps(chat(2)), *["{"] * 30]
    (tmp_path / "t" / "a.jsonl").write_text("\n".join(lines))
    found = _summary(tmp_path)
    assert (found.trajectories, found.bad_records, len(found.bad)) == (2, 30, 20)
    assert found.bad[0]["place"] == "line 3"
