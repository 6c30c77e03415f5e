"""`bench toolfail`: tasks are checked without a model, and a whole run reports what it cost."""

import json
from pathlib import Path

import pytest

from agentdyno.cli.bench_toolfail import Turns, command
from agentdyno.pipelines.toolfail.tasks import refreshed_tasks
from agentdyno.records import InputError


def test_our_own_tasks_are_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(validate=True) == 0
    assert capsys.readouterr().out == "0 broken promises\n"


def test_unsound_tasks_are_named_and_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = refreshed_tasks(5, tmp_path)
    file = folder / "law" / "tasks.json"
    found = json.loads(file.read_text("utf-8"))
    found["tasks"][0]["user_message"] = "What is it?"
    file.write_text(json.dumps(found), "utf-8")
    assert command(tasks=folder, validate=True) == 1
    assert "question: REQ-LAW-001: does not name" in capsys.readouterr().out


def test_neither_model_nor_validate_says_what_to_do() -> None:
    with pytest.raises(InputError, match="expected --model NAME, or --validate"):
        command()


@pytest.mark.slow
def test_a_run_reports_labels_and_what_they_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra bench")
    script = "script=agentdyno.benchmarks.toolfail.scripts:medley"
    code = command(
        model=["agentdyno/scripted"],
        model_argument=[script],
        turns=Turns.multi,
        stride=30,
        out=tmp_path,
        report=False,
        json=True,
    )
    shown = json.loads(capsys.readouterr().out)
    assert code == 0
    assert shown["trajectories"] == 40
    priced = [cost for cost in shown["costs"] if cost["pte_mean"]]
    assert sum(cost["trajectories"] for cost in priced) == 40
    assert sum(cost["pte_share"] for cost in priced) == pytest.approx(1)
    assert "## What each outcome cost" in (tmp_path / "failures.md").read_text("utf-8")
    lines = (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()
    ids = {json.loads(line)["trajectory_id"] for line in lines}
    assert len(ids) == 40
