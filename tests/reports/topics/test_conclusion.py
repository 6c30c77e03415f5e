"""Levers, the three sentences, and what a ledger of real sample traces says."""

from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.reports.topics.levers import levers
from agentdyno.studies.cost.conclusions import Lever
from agentdyno.studies.cost.patterns import patterns
from agentdyno.studies.cost.tradeoff import standings
from tests.pipelines.ledger_builder import LedgerRows


def _levers(rows: LedgerRows, folder: Path) -> dict[str, Lever]:
    frames = rows.frames(folder)
    return {lever.name: lever for lever in levers(frames, standings(frames)[0], patterns(frames))}


def test_schemas_count_as_unused_where_the_setting_never_calls_them(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0).trajectory("b", 100.0, model="other")
    rows.part("a", "schema", 30.0, name="t").part("b", "schema", 10.0, name="t")
    rows.call("b", 0, "t")
    found = _levers(rows, tmp_path / "l")["unused_schemas"]
    assert found.pte_share == pytest.approx(30 / 200)


def test_only_tokens_beyond_the_limit_count_as_long(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 1000.0)
    rows.part("a", "result", 800.0, name="read", tokens=4000.0)
    rows.part("a", "result", 100.0, name="read", tokens=900.0)
    found = _levers(rows, tmp_path / "l")["long_results"]
    assert found.pte_share == pytest.approx(0.6)
    assert "1 result," in found.sentence


def test_the_cache_saves_at_most_the_difference_to_the_ideal_one(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0, pte_ideal=25.0)
    assert _levers(rows, tmp_path / "l")["cache"].pte_share == pytest.approx(0.75)


def test_another_variant_is_advised_only_when_surely_cheaper(tmp_path: Path) -> None:
    sure, unsure = LedgerRows(), LedgerRows()
    for task in range(12):
        fields = {"benchmark": "b", "task_id": str(task), "correct": task < 6}
        for rows, factor in ((sure, 0.5 + 0.01 * task), (unsure, 0.2 + 0.15 * task)):
            rows.trajectory(f"f{task}", 100.0 + task, variant="full", **fields)
            rows.trajectory(f"l{task}", factor * (100.0 + task), variant="lean", **fields)
    found = _levers(sure, tmp_path / "sure")["setting"]
    assert found.sentence.startswith("Use lean instead of full with m on b: it costs 56 %")
    assert "setting" not in _levers(unsure, tmp_path / "unsure")


def test_another_model_is_never_advised_by_pte(tmp_path: Path) -> None:
    rows = LedgerRows()
    for task in range(12):
        fields = {"benchmark": "b", "task_id": str(task), "correct": True}
        rows.trajectory(f"f{task}", 100.0 + task, model="large", **fields)
        rows.trajectory(f"l{task}", 10.0 + task, model="small", **fields)
    assert "setting" not in _levers(rows, tmp_path / "l")


def test_the_sentences_say_what_the_data_cannot(tmp_path: Path) -> None:
    told = build_report(
        LedgerRows().trajectory("a", None).write(tmp_path / "l")
    ).analyses.conclusion
    assert told.cost == "The cost of 1 trajectory is unknown under the evicted cache assumption."
    assert "cannot be said" in told.place
    assert "cannot be said" in told.change


def test_ungraded_trajectories_have_no_cost_per_solved_task(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0).part("a", "user", 100.0)
    told = build_report(rows.write(tmp_path / "l")).analyses.conclusion
    assert "nothing is graded" in told.cost
    assert told.place == "100 % went to user messages; there are no tools."
    assert told.change.startswith("The data show no single change")


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return build_report(folder)


def test_kinds_of_every_sample_setting_sum_to_its_whole(samples: Report) -> None:
    totals: dict[object, float] = {}
    for row in samples.analyses.kinds:
        totals[row.setting] = totals.get(row.setting, 0.0) + (row.share or 0.0)
    assert list(totals.values()) == [pytest.approx(1.0)] * len(samples.analyses.standings)


def test_the_lean_tools_of_the_samples_are_advised(samples: Report) -> None:
    assert samples.analyses.conclusion.change.startswith("Use lean-tools instead of full-tools")


def test_patterns_are_looked_for_when_nobody_has(samples: Report) -> None:
    names = {rate.pattern for rate in samples.analyses.patterns.rates}
    assert {"confirmatory", "loop", "repeated_call", "oversized_result"} <= names
    assert samples.analyses.patterns.unread == 0


def test_scaled_costs_equal_costs_measured_on_that_hardware(
    samples: Report, tmp_path: Path
) -> None:
    measure([sample_traces()], tmp_path / "l", MeasureOptions(workers=1, hardware="v100"))
    there = build_report(tmp_path / "l").summary.pte
    scaled = {row.hardware: row.pte for row in samples.analyses.hardware.rows}
    assert scaled["v100"] == pytest.approx(there)
