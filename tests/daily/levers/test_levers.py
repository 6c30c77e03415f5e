"""Levers, the three sentences, and what a ledger of real sample traces says."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import Report, build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.whatif import WhatIfOptions, whatif
from agentdyno.records.precision import load_measured
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.levers import find_levers
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.views import View, apply_view
from agentdyno.studies.whatif.results import WhatIf
from agentdyno_daily.levers.policies import best_policies, list_policies, reads_files
from agentdyno_daily.levers.settings import list_edits
from tests.pipelines.ledger_builder import LedgerRows


def _levers(folder: Path) -> dict[str, Lever]:
    return {lever.name: lever for lever in find_levers(ReportContext(ReadableLedger(folder)))}


def _sentences(report: Report) -> dict[str, str]:
    [glance] = [topic for topic in report.topics if topic.anchor == "glance"]
    return {term.name: term.text for term in glance.terms}


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
    assert told["What it costs"] == "1 trajectory cost 100 PTE."
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
    unused = by_name["unused_tools"]
    answer, _ = whatif(ledger, WhatIfOptions(drop_tools=tuple(unused.where)))
    assert unused.certainty == "predicted"
    assert unused.unit == answer.unit == "usd"
    assert unused.amount == pytest.approx(_saved(answer))


def test_every_policy_is_what_whatif_says(ledger: Path) -> None:
    context = ReportContext(apply_view(ReadableLedger(ledger), View(unit="usd")))
    found = [*best_policies(context)]
    options = {policy.command: policy.options for policy in list_policies(context)}
    assert {"task_list", "cap:search_help"} & {lever.name for lever in found}
    for lever in found:
        answer, _ = whatif(ledger, options[lever.command], View(unit="usd"))
        assert lever.amount == pytest.approx(_saved(answer), rel=1e-6)


def test_tools_that_read_files_are_never_capped() -> None:
    assert reads_files("Read")
    assert reads_files("read_file")
    assert not reads_files("Bash")
    assert not reads_files("mcp__linear__get_issue")


def test_exact_changes_are_named_for_every_agent() -> None:
    edits = list_edits("server off", "linear", ["claude_code", "codex", "pi"])
    assert [edit.describe() for edit in edits] == [
        'in ~/.claude/settings.json add ["linear"] to disabledMcpjsonServers',
        "in ~/.codex/config.toml set mcp_servers.linear.enabled to false",
    ]


def _saved(answer: WhatIf) -> float:
    [figure] = [each for each in answer.together.figures if each.name == answer.unit]
    return -(figure.difference or 0.0)


@pytest.mark.parametrize("cached", [0, None], ids=["reported as 0", "not reported"])
def test_a_cache_that_reports_say_is_unused_is_advised(
    tmp_path: Path, cached: int | None
) -> None:  # fmt: skip
    """As whatif says, and only there: where nobody reports a cache, it may be in use."""
    call = {"id": "1", "function": {"name": "look", "arguments": "{}"}}
    said: list[dict[str, Any]] = [
        {"role": "user", "content": "What is in it? " * 200},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "apples " * 50},
        {"role": "assistant", "content": "Apples."},
    ]
    details = {} if cached is None else {"prompt_tokens_details": {"cached_tokens": cached}}
    lines = [
        {
            "model": "qwen3-32b",
            "messages": said[:place],
            "response": {
                "choices": [{"message": said[place]}],
                "usage": {"prompt_tokens": tokens, "completion_tokens": 9, **details},
            },
        }
        for place, tokens in ((1, 800), (3, 870))
    ]
    traces = tmp_path / "a.jsonl"
    traces.write_text("\n".join(map(json.dumps, lines)))
    folder = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    levers = _levers(folder)
    if cached is None:
        assert "cache" not in levers
        return
    answer, _ = whatif(folder, WhatIfOptions(keep_cache_seconds=math.inf))
    assert (levers["cache"].certainty, levers["cache"].unit) == ("at most", answer.unit)
    assert levers["cache"].amount == pytest.approx(_saved(answer))
    assert levers["cache"].amount > 0


def test_kinds_of_every_sample_setting_sum_to_its_whole(samples: Report) -> None:
    totals: dict[object, float] = {}
    for row in samples.results["fuel"].kinds:
        totals[row.setting] = totals.get(row.setting, 0.0) + (row.share or 0.0)
    priced = [s for s in samples.results["glance"].summary.settings if s.usd_mean is not None]
    assert list(totals.values()) == [pytest.approx(1.0)] * len(priced)


def test_the_lean_tools_of_the_samples_are_advised(samples: Report) -> None:
    said = _sentences(samples)["What to change"]
    assert said.startswith("Use lean-tools instead of full-tools")


def test_patterns_are_looked_for_when_nobody_has(samples: Report) -> None:
    found = samples.results["patterns"].patterns
    names = {rate.pattern for rate in found.rates}
    assert names == {"lack_of_tool_priors"}
    assert found.unproven == {}
    assert found.unread == 0
    notes = next(t.notes for t in samples.topics if t.anchor == "patterns")
    read = load_measured()["lack_of_tool_priors"]
    name = "failed calls: wrong path or option, mismatched edit"
    said = f"{name}: {read.right} of {read.read} real findings were right"
    assert any(said in note for note in notes)
