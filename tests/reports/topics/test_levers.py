"""Levers, the three sentences, and what a ledger of real sample traces says."""

import math
from pathlib import Path

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.whatif import WhatIfOptions, whatif
from agentdyno.records.precision import measured
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers import find_levers
from agentdyno.studies.levers.joins import joined_turns
from agentdyno.studies.whatif.results import WhatIf
from tests.pipelines.ledger_builder import LedgerRows


def _levers(folder: Path) -> dict[str, Lever]:
    return {lever.name: lever for lever in find_levers(Inquiry(ReadableLedger(folder)))}


def _sentences(report: Report) -> dict[str, str]:
    return {term.name: term.text for term in report.topics[0].terms}


def test_the_cache_saves_at_most_the_difference_to_the_ideal_one(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0, pte_kept=25.0, pte_evicted=100.0)
    found = _levers(rows.write(tmp_path / "l"))["cache"]
    assert (found.amount, found.share) == (pytest.approx(75.0), pytest.approx(0.75))
    assert (found.certainty, found.unit) == ("at most", "pte")


def test_what_the_providers_cache_saved_is_already_taken_and_not_offered(tmp_path: Path) -> None:
    costs = {"pte_kept": 25.0, "pte_evicted": 100.0, "pte_reported": 40.0}
    found = _levers(LedgerRows().trajectory("a", 100.0, **costs).write(tmp_path / "l"))
    assert found["cache_taken"].certainty == "already taken"
    assert found["cache_taken"].amount == pytest.approx(60.0)
    assert found["cache"].amount == pytest.approx(15.0)
    assert list(found)[-1] == "cache_taken"


def test_failed_attempts_are_at_most_what_they_cost(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 70.0, correct=True).trajectory("b", 30.0, correct=False)
    found = _levers(rows.write(tmp_path / "l"))["failed_attempts"]
    assert (found.share, found.certainty) == (pytest.approx(0.3), "at most")


def test_another_variant_is_advised_only_when_surely_cheaper(tmp_path: Path) -> None:
    sure, unsure = LedgerRows(), LedgerRows()
    for task in range(12):
        fields = {"benchmark": "b", "task_id": str(task), "correct": task < 6}
        for rows, factor in ((sure, 0.5 + 0.01 * task), (unsure, 0.2 + 0.15 * task)):
            rows.trajectory(f"f{task}", 100.0 + task, variant="full", **fields)
            rows.trajectory(f"l{task}", factor * (100.0 + task), variant="lean", **fields)
    found = _levers(sure.write(tmp_path / "sure"))["setting"]
    assert (found.what, found.where) == ("use lean instead of full", ["m", "b"])
    assert found.certainty == "proved"
    assert "setting" not in _levers(unsure.write(tmp_path / "unsure"))


def test_another_model_is_never_advised_by_pte(tmp_path: Path) -> None:
    rows = LedgerRows()
    for task in range(12):
        fields = {"benchmark": "b", "task_id": str(task), "correct": True}
        rows.trajectory(f"f{task}", 100.0 + task, model="large", **fields)
        rows.trajectory(f"l{task}", 10.0 + task, model="small", **fields)
    assert "setting" not in _levers(rows.write(tmp_path / "l"))


def test_the_sentences_say_what_the_data_cannot(tmp_path: Path) -> None:
    told = _sentences(build_report(LedgerRows().trajectory("a", None).write(tmp_path / "l")))
    cost = "The cost of 1 trajectory is unknown under the evicted cache assumption."
    assert told["What it costs"] == cost
    assert "cannot be said" in told["Where it goes"]
    assert "cannot be said" in told["What to change"]


def test_ungraded_trajectories_have_no_cost_per_solved_task(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", 100.0).part("a", "user", 100.0)
    told = _sentences(build_report(rows.write(tmp_path / "l")))
    assert "nothing is graded" in told["What it costs"]
    assert told["Where it goes"] == "100 % went to user messages; there are no tools."
    assert told["What to change"].startswith("The data show no single change")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return folder


@pytest.fixture(scope="module")
def samples(ledger: Path) -> Report:
    return build_report(ledger)


def test_predicted_levers_are_what_whatif_says(samples: Report, ledger: Path) -> None:
    by_name = {lever.name: lever for lever in samples.results["levers"]}
    for name, options in (
        ("long_results", WhatIfOptions(cap_results=1000)),
        ("unused_tools", WhatIfOptions(drop_tools=tuple(by_name["unused_tools"].where))),
    ):
        answer, _ = whatif(ledger, options)
        assert by_name[name].certainty == "predicted"
        # Two architectures are in the samples: what is saved is in GPU-seconds.
        assert by_name[name].unit == answer.unit == "gpu_seconds"
        assert by_name[name].amount == pytest.approx(_saved(answer))


def _saved(answer: WhatIf) -> float:
    [figure] = [each for each in answer.together.figures if each.name == answer.unit]
    return -(figure.difference or 0.0)


def test_a_kept_cache_is_what_whatif_says(samples: Report, ledger: Path) -> None:
    by_name = {lever.name: lever for lever in samples.results["levers"]}
    answer, _ = whatif(ledger, WhatIfOptions(keep_cache_seconds=math.inf))
    assert by_name["cache"].amount == pytest.approx(_saved(answer))


def test_joined_turns_are_what_whatif_says_in_pte(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([sample_traces()], ledger, MeasureOptions(workers=1, arch="qwen3-32b"))
    levers = {lever.name: lever for lever in build_report(ledger).results["levers"]}
    answer, _ = whatif(ledger, WhatIfOptions(batch_independent=True))
    assert levers["joined_turns"].unit == answer.unit == "pte"
    assert levers["joined_turns"].amount == pytest.approx(_saved(answer), rel=1e-6)


def test_joined_turns_are_what_whatif_says_in_gpu_seconds(samples: Report, ledger: Path) -> None:
    answer, _ = whatif(ledger, WhatIfOptions(batch_independent=True))
    [lever] = joined_turns(Inquiry(ReadableLedger(ledger)))
    assert lever.unit == answer.unit == "gpu_seconds"
    assert lever.amount == pytest.approx(_saved(answer), rel=1e-6)


def test_kinds_of_every_sample_setting_sum_to_its_whole(samples: Report) -> None:
    totals: dict[object, float] = {}
    for row in samples.results["fuel"].kinds:
        totals[row.setting] = totals.get(row.setting, 0.0) + (row.share or 0.0)
    settings = samples.results["glance"].summary.settings
    assert list(totals.values()) == [pytest.approx(1.0)] * len(settings)


def test_the_lean_tools_of_the_samples_are_advised(samples: Report) -> None:
    said = _sentences(samples)["What to change"]
    assert said.startswith("Use lean-tools instead of full-tools")


def test_patterns_are_looked_for_when_nobody_has(samples: Report) -> None:
    found = samples.results["patterns"].patterns
    names = {rate.pattern for rate in found.rates}
    assert names == {"lack_of_tool_priors"}
    assert {"loop", "repeated_call", "oversized_result"} <= found.unproven.keys()
    assert found.unread == 0
    notes = next(t.notes for t in samples.topics if t.anchor == "patterns")
    read = measured()["lack_of_tool_priors"]
    said = f"lack of tool priors: {read.right} of {read.read} real findings were right"
    assert any(said in note for note in notes)


def test_patterns_that_real_traces_did_not_prove_are_shown_only_when_asked_for(
    samples: Report,
) -> None:
    def names(report: Report) -> set[str]:
        return {rate.pattern for rate in report.results["patterns"].patterns.rates}

    unproven = {"confirmatory", "unread_result", "published_confirmatory"}
    assert not unproven & names(samples)
    asked = build_report(Path(samples.ledger), ("patterns",), unproven=True)
    assert unproven <= names(asked)
    cases = asked.results["patterns"].patterns.cases
    shares = {case.pattern: case.confidence for case in cases}
    assert (shares["confirmatory"], shares["unread_result"]) == (None, None)


def test_scaled_costs_equal_costs_measured_on_that_hardware(
    samples: Report, tmp_path: Path
) -> None:
    measure([sample_traces()], tmp_path / "l", MeasureOptions(workers=1, hardware="v100"))
    there = build_report(tmp_path / "l").results["glance"].summary.pte
    scaled = {row.hardware: row.pte for row in samples.results["hardware"].rows}
    assert scaled["v100"] == pytest.approx(there)
