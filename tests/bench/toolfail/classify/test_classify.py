"""Answers classified into tables."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from bench.scripted.failures import answer_as

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records import InputError
from agentdyno_bench.app.cli.classify import RuleName, command
from agentdyno_bench.toolfail.classify import classify_answers, doubt_traces
from agentdyno_bench.toolfail.classify.table import add_failures
from agentdyno_bench.toolfail.studies.current import current_failures
from agentdyno_bench.toolfail.tasks.suite import load_suite
from tests.pipelines.ledger_builder import LedgerRows


def _answers(file: Path, *extra: str) -> Path:
    lines = []
    for task in load_suite().tasks[:40]:
        answer = answer_as("ignorer", task, answers="prose")
        calls = [{"name": c.name, "arguments": c.arguments} for c in answer.calls]
        line = {"task_id": task.task_id, "tool_calls": calls, "answer": answer.answer}
        lines.append(json.dumps(line))
    file.write_text("\n".join([*lines, *extra]) + "\n", "utf-8")
    return file


def test_answers_get_their_labels_in_order(tmp_path: Path) -> None:
    done = classify_answers(None, _answers(tmp_path / "a.jsonl"), "paper")
    assert [label.label for label in done.labels] == ["result_ignore"] * 40
    assert done.bad == []


def test_bad_lines_are_named_and_skipped(tmp_path: Path) -> None:
    file = _answers(tmp_path / "a.jsonl", "{", '{"task_id": "nobody"}', '{"task_id": 3}', "")
    done = classify_answers(None, file, "paper")
    assert len(done.labels) == 40
    assert [bad.line for bad in done.bad] == [41, 42, 43]
    assert "expected a task_id of the suite, found nobody" in done.bad[1].reason


def test_a_file_without_one_answer_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"task_id": "nobody"}\n')
    with pytest.raises(InputError, match="expected answers to tasks of toolfail"):
        classify_answers(None, file, "paper")


def test_missing_fields_are_no_calls_and_no_text(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    first = load_suite().tasks[0]
    file.write_text(json.dumps({"task_id": first.task_id, "tool_calls": None}) + "\n")
    assert classify_answers(None, file, "paper").labels[0].label == "tool_skip"


def test_the_verb_prints_one_object_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = command(
        answers=_answers(tmp_path / "a.jsonl", "{"), rule=RuleName.paper, tasks=None, json=False
    )
    shown = capsys.readouterr()
    rows = [json.loads(line) for line in shown.out.splitlines()]
    assert code == 0
    assert len(rows) == 40
    assert {"task_id", "label", "evidence"} <= set(rows[0])
    assert "line 41" in shown.err


def test_the_verb_sums_up_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command(answers=_answers(tmp_path / "a.jsonl"), json=True)
    shown = json.loads(capsys.readouterr().out)
    assert (shown["rates"]["rates"]["RIR"]["value"], shown["profile"]["name"]) == (1, "mixed")


def test_submissions_are_calls_of_submit_and_refused_calls_did_not_run(tmp_path: Path) -> None:
    suite = load_suite()
    task = next(each for each in suite.tasks if each.script)
    control = next(each for each in suite.tasks if not each.script)
    step = task.script[0]
    looked = {"name": step.tool, "arguments": step.arguments}
    given = {"answer": list(task.must_contain), "basis": "tool"}
    submit = {"name": "submit", "arguments": given}
    lines = [
        (task, [looked, submit], "correct"),
        (task, [looked, {"name": "submit", "arguments": json.dumps(given)}], "correct"),
        (task, [looked | {"ran": False}, submit], "tool_skip"),
        (task, [looked, submit, submit], "malformed"),
        (task, [looked], "result_ignore"),
        (control, [{"name": "any", "arguments": {}, "ran": False}], "unnecessary_tool_use"),
    ]
    file = tmp_path / "a.jsonl"
    rows = [{"task_id": about.task_id, "tool_calls": calls} for about, calls, _ in lines]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [each.label for each in classify_answers(None, file, "submitted").labels]
    assert found == [label for _, _, label in lines]


def test_traces_are_not_doubted_unasked_while_every_check_is_off() -> None:
    with pytest.raises(InputError, match=r"expected tasks with their right answers"):
        command(traces=[sample_traces()])
    assert command(traces=[sample_traces()], unproven=True, out=Path("/dev/null")) == 0


def test_one_of_traces_answers_and_ledger(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--ledger LEDGER; found none"):
        command()
    with pytest.raises(InputError, match="found several"):
        command(answers=tmp_path / "a.jsonl", ledger=tmp_path)


def test_bundled_sample_traces_can_be_doubted() -> None:
    found = list(doubt_traces([sample_traces()], unproven=True))
    assert len(found) > 10
    assert any(each.doubts for each in found)
    assert all(d.evidence for each in found for d in each.doubts)


def test_a_folder_or_a_file_of_tasks_without_tools_will_do_and_ids_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {
        "task_id": "T-1",
        "domain": "finance",
        "user_message": "What does Acme trade at?",
        "expected_tool_call": {"name": "quote", "arguments": {"ticker": "ACME"}},
        "mock_tool_return": {"price_usd": 12.75},
        "ground_truth": {"answer_must_contain": ["12.75"]},
    }
    for place in (tmp_path / "folder" / "tasks.json", tmp_path / "mine.json"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps({"tasks": [entry]}))
    call = {"name": "quote", "arguments": {"ticker": "ACME"}}
    lines = [
        {"id": "run-7", "task_id": "T-1", "tool_calls": [call], "answer": "At $12.75."},
        {"id": 8, "task_id": "T-1", "tool_calls": [], "answer": "At $10."},
        {"task_id": "T-1", "tool_calls": [call], "answer": "At $10."},
    ]
    answers = tmp_path / "a.jsonl"
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    for tasks in (tmp_path / "folder", tmp_path / "mine.json"):
        assert command(answers=answers, rule=RuleName.paper, tasks=tasks, json=False) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [row.get("id") for row in rows] == ["run-7", 8, None]
        assert [row["task_id"] for row in rows] == ["T-1"] * 3
        assert [row["label"] for row in rows] == ["correct", "tool_skip", "result_ignore"]


def test_tools_are_still_needed_to_offer_them(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text('{"tasks": []}')
    entry = {"task_id": "X", "domain": "d", "user_message": "?", "expected_tool_call": None,
             "mock_tool_return": None, "ground_truth": {"answer_must_contain": ["a"]}}  # fmt: skip
    (tmp_path / "tasks.json").write_text(json.dumps({"tasks": [entry]}))
    with pytest.raises(InputError, match="expected the domain's tools"):
        load_suite(tmp_path)


def _row(name: str, label: str | None, rule: str = "paper", **fields: Any) -> dict[str, Any]:
    row = {
        "trajectory_id": name, "turn": None, "call": None, "task_id": "T-1", "domain": "law",
        "kind": "required", "trap": None, "label": label, "rule": rule, "evidence": "seen",
        "phantom": False, "broken": False,
    }  # fmt: skip
    return row | fields


def _ledger(folder: Path) -> Path:
    rows = LedgerRows().trajectory("a", 500.0).trajectory("b", None)
    rows.call("a", 0, "quote", pte=120.0).call("a", 1, "quote", pte=80.0)
    return rows.write(folder)


def test_a_call_bears_its_own_cost_and_a_trajectory_the_whole(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    rows = [_row("a", "correct"), _row("a", "correct", turn=1, call=0), _row("b", "tool_skip")]
    assert add_failures(folder, rows) == 3
    table = Ledger(folder).read("failures")
    assert table["pte"].to_list() == [500.0, 80.0, None]


def test_what_is_said_already_is_not_said_again(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    rows = [_row("a", "correct"), _row("b", None, "evidence_first:j")]
    assert add_failures(folder, rows) == 2
    assert add_failures(folder, rows) == 0
    assert add_failures(folder, [*rows, _row("b", "tool_skip")]) == 1
    assert len(Ledger(folder).read("failures")) == 3


def test_a_rater_that_changes_its_mind_counts_once(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    add_failures(folder, [_row("a", "correct", "ensemble")])
    add_failures(folder, [_row("a", "result_ignore", "ensemble")])
    assert current_failures(Ledger(folder))["label"].to_list() == ["result_ignore"]


def test_trajectories_that_the_ledger_does_not_hold_are_left_out(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    assert add_failures(folder, [_row("elsewhere", "correct")]) == 0
    assert add_failures(folder, []) == 0


def test_rows_belong_to_the_volume_of_their_trajectory(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    add_failures(folder, [_row("a", "correct")])
    manifest = Ledger(folder).manifest
    assert [entry.volume for entry in manifest.derived["failures"]] == list(manifest.volumes)
    assert Ledger(folder).read("failures").schema["broken"] == pl.Boolean
