"""A ledger at a glance and what was spent: what is unknown is left unknown, what is estimated is
said."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_overview, build_report
from agentdyno.reports.topics.comparison import render_comparison
from agentdyno.studies.comparison import study_comparison
from agentdyno.studies.cost.estimated import study_estimates
from agentdyno.studies.cost.summary import summarise
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.spending import Spending
from tests.ledger.traces import chat, write_jsonl
from tests.pipelines.ledger_builder import LedgerRows


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
    got = (full.accuracy_low, full.accuracy_high)
    assert got == (pytest.approx(0.0968, abs=1e-4), pytest.approx(0.7000, abs=1e-4))
    assert (full.turns_mean, full.calls_mean, lean.turns_mean, lean.calls_mean) == (2, 1, 4, 3)
    assert full.pte_total == pytest.approx(6 * full.pte_mean)  # type: ignore[operator]
    dearest_first = [row.pte_total for row in found.settings]
    assert dearest_first == sorted(dearest_first, reverse=True)  # type: ignore[type-var]


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
    assert (found.cost, found.pte_growth, found.usd) == (None, None, None)
    assert (found.unmeasured, found.unpriced) == (3, 3)
    assert (setting.pte_mean, setting.pte_total, setting.usd_mean) == (None, None, None)
    assert {row.cost for row in found.tools} == {None}
    assert {row.share for row in found.tools} == {None}
    assert {row.cost for row in found.kinds} == {None}
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


MODEL = "claude-opus-4-5-20251101"


def session(calls: list[tuple[str, dict[str, Any], str]]) -> str:
    """A Claude Code session with one call a turn, each answered with a text."""
    lines: list[dict[str, Any]] = [line("user", {"role": "user", "content": "Go."}, 0)]
    for at, (tool, arguments, result) in enumerate(calls, 1):
        block = {"type": "tool_use", "id": f"toolu_{at}", "name": tool, "input": arguments}
        usage = {"input_tokens": 1000 * at, "output_tokens": 50}
        answer = {"id": f"msg_{at}", "model": MODEL, "role": "assistant", "content": [block],
                  "usage": usage, "stop_reason": "tool_use"}  # fmt: skip
        lines.append(line("assistant", answer, 2 * at - 1))
        back = {"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": result}
        lines.append(line("user", {"role": "user", "content": [back]}, 2 * at))
    return "".join(json.dumps(each) + "\n" for each in lines)


def line(kind: str, message: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        "type": kind, "uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None,
        "sessionId": "5e550000-0000-4000-8000-000000000001", "version": "2.1.0",
        "timestamp": f"2026-02-01T10:00:{number:02d}.000Z", "message": message, "cwd": "/app",
    }  # fmt: skip


@pytest.fixture
def found(tmp_path: Path) -> Spending:
    text = "word " * 400
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("Read", {"file_path": "/app/cli/strategy.go"}, text),
        ("Read", {"file_path": "/app/cli/strategy.go"}, text),
        ("Bash", {"command": "cd x && go test ./..."}, "ok"),
        ("Read", {"file_path": "/app/README.md"}, "short"),
    ]
    (tmp_path / "s.jsonl").write_text(session(calls))
    measure([tmp_path / "s.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1))
    result: Spending = build_report(tmp_path / "ledger").results["spending"]
    return result


@pytest.mark.daily
def test_calls_about_one_file_are_added_up_and_the_dearest_comes_first(found: Spending) -> None:
    files = found.kinds["file"]
    assert [each.name for each in files] == ["/app/cli/strategy.go", "/app/README.md"]
    assert (files[0].calls, files[0].failed, files[0].sessions) == (2, 0, 1)
    # The first result is in context for turns 1 to 3, the second for turns 2 and 3.
    assert files[0].turns_in_context == pytest.approx((3 + 2) / 2)
    assert [each.name for each in found.kinds["command"]] == ["go test"]


@pytest.mark.daily
def test_a_shared_report_names_no_file(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [("Read", {"file_path": "/app/hidden.go"}, "x")]
    (tmp_path / "s.jsonl").write_text(session(calls))
    measure([tmp_path / "s.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1))
    shared: Spending = build_report(tmp_path / "ledger", share=True).results["spending"]
    assert [each.name for each in shared.kinds["file"]] == ["subject 1"]
    assert "spending" in build_overview(tmp_path / "ledger").results


def _turns(rows: LedgerRows, many: int, model: str = "m") -> LedgerRows:
    for turn in range(many):
        rows.turn(
            model, turn, 400.0, model=model, decode_tokens=200, context_tokens=1000, gamma=0.001,
            decode_spread=0.1, decode_bias=0.02,
        )  # fmt: skip
    return rows.trajectory(model, model=model)


def test_spreads_average_out_and_a_models_bias_does_not(tmp_path: Path) -> None:
    found = study_estimates(Ledger(_turns(LedgerRows(), 100).write(tmp_path)).read("turns"))
    assert (found.turns, found.tokens) == (100, 20_000)
    # sqrt(100 * 20^2 + 400^2) = 447.2; 1.96 of that is 876.5 of 20,000.
    assert found.tokens_error == pytest.approx(1.96 * math.sqrt(200_000) / 20_000)
    # A decoded token costs gamma * 1,000 = 1 PTE here, of 40,000 in all.
    assert found.cost_error == pytest.approx(1.96 * math.sqrt(200_000) / 40_000)


def test_the_biases_of_two_models_are_not_one(tmp_path: Path) -> None:
    rows = _turns(_turns(LedgerRows(), 50, "m"), 50, "n")
    found = study_estimates(Ledger(rows.write(tmp_path)).read("turns"))
    # 100 * 20^2 + 2 * 200^2 = 120,000.
    assert found.tokens_error == pytest.approx(1.96 * math.sqrt(120_000) / 20_000)


def test_where_everything_was_reported_nothing_is_said(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a").turn("a", 0)
    assert study_estimates(Ledger(rows.write(tmp_path)).read("turns")) is None


def test_compare_says_how_far_its_estimates_may_be_off(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "traces.jsonl", range(3), usage=False)
    measure(
        [tmp_path / "traces.jsonl"], tmp_path / "ledger", MeasureOptions(workers=1, costs_only=True)
    )
    ledger = Ledger(tmp_path / "ledger")
    compared = study_comparison(ledger, ledger)
    assert compared.a.estimated == compared.b.estimated
    notes = render_comparison(compared).notes
    assert any("are estimates" in note and "(95 %)" in note for note in notes)
