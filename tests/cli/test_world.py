"""`agentdyno world`: what a user sees."""

import json
from pathlib import Path

import pytest

from agentdyno.cli.app import run_guarded
from agentdyno_bench.app.cli.world import app
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.world import World
from tests.bench.shared.judges.served import completion, serve


def world(*words: object) -> int:
    return run_guarded(lambda **how: app([str(word) for word in words], **how))


def test_list_names_fifteen_servers_and_at_least_141_tools(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert world("list", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["server_count"] == len(told["servers"]) == 15
    assert told["tool_count"] == sum(len(s["tools"]) for s in told["servers"]) >= 141
    assert world("list") == 0
    assert "15 servers" in capsys.readouterr().out


def test_a_wrong_server_is_told_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert world("serve", "wether") == 2
    assert "expected one of the servers weather" in capsys.readouterr().err


def test_made_tasks_are_validated_and_damaged_ones_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.json"
    assert world("tasks", "--out", file, "--count", 3, "--seed", 5) == 0
    assert world("validate", file, "--json") == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert json.loads(told)["tasks"] == 3
    content = json.loads(file.read_text())
    goal = content["tasks"][0]["goals"][0]
    goal["slot"], goal["state"] = {"kind": "entity", "value": "Atlantis"}, None
    file.write_text(json.dumps(content))
    assert world("validate", file) == 1
    assert "2 of 3 tasks solved" in capsys.readouterr().out
    file.write_text("{}")
    assert world("validate", file) == 2


def test_transcripts_of_any_agent_are_marked_and_bad_lines_cost_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    easy = load_bundled("easy")
    task = easy.tasks[0]
    run = run_plan(task, World(easy.world_seed), by_levels=True)
    calls = [
        {"function": {"name": c.tool, "arguments": json.dumps(c.arguments)}, "ran": True}
        for c in run.calls
    ]
    fields = json.loads(run.answers[0])
    good = {"task_id": task.task_id, "calls": calls, "answer": fields}
    lines = [good, {**good, "answer": "Done."}, {"task_id": "nobody-001", "calls": []}]
    file = tmp_path / "runs.jsonl"
    file.write_text("\n".join([*map(json.dumps, lines), "{broken"]))
    assert world("mark", "--runs", file, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [run["solved"] for run in told["runs"]] == [True, False]
    assert [bad["line"] for bad in told["unread"]] == [3, 4]
    assert (told["solved"], told["harmful"]) == (1, 0)
    assert world("mark", "--runs", tmp_path / "none.jsonl") == 2


def test_a_call_of_a_transcript_counts_when_it_says_that_it_ran_or_has_a_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    easy = load_bundled("easy")
    task = easy.tasks[0]
    run = run_plan(task, World(easy.world_seed), by_levels=True)
    fields = json.loads(run.answers[0])

    def line(*, submits: bool = False, **more: object) -> str:
        calls = [{"tool": c.tool, "arguments": c.arguments, **more} for c in run.calls]
        if submits:
            calls.append({"tool": "submit", "arguments": fields, **more})
            return json.dumps({"task_id": task.task_id, "calls": calls})
        return json.dumps({"task_id": task.task_id, "calls": calls, "answers": [fields]})

    lines = [
        line(ran=True), line(result="{}"), line(ran=True, submits=True),
        line(), line(ran=False, result="{}"), line(result=None), line(submits=True),
    ]  # fmt: skip
    file = tmp_path / "runs.jsonl"
    file.write_text("\n".join(lines))
    assert world("mark", "--runs", file, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [run["solved"] for run in told["runs"]] == [True] * 3 + [False] * 4


def test_the_schemas_of_a_task_are_printed_one_for_each_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert world("submit", "purpose-001") == 0
    first, second = json.loads(capsys.readouterr().out)
    assert list(first["properties"]) == ["hotel", "converted_amount", "name"]
    assert list(second["properties"]) == ["converted_amount"]
    assert world("submit", "easy-999") == 2
    assert "expected the id of a task of bundled, found easy-999" in capsys.readouterr().err


def test_a_judge_reads_transcripts_in_prose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    easy = load_bundled("easy")
    task = easy.tasks[0]
    run = run_plan(task, World(easy.world_seed), by_levels=True)
    calls = [{"tool": call.tool, "arguments": call.arguments, "ran": True} for call in run.calls]
    stated = [f"{w.asks.partition(': say')[0]}: {w.slot.value}" for w in task.goals if w.slot]
    file = tmp_path / "runs.jsonl"
    line = {"task_id": task.task_id, "calls": calls, "answer": "\n".join(stated)}
    file.write_text(json.dumps(line))
    prose = ("mark", "--runs", file, "--answers", "prose", "--json")
    assert world(*prose) == 0
    alone = json.loads(capsys.readouterr().out)
    verdict = {"label": "yes", "confidence": 0.8, "rationale": "it says so"}
    with serve() as service:
        service.reply = lambda asked: (200, completion(json.dumps(verdict)))
        where = ("--judge", "openai-api/lab/m", "--judge-base-url", service.address)
        assert world(*prose, *where, "-J", "api_key=none") == 0
    judged = json.loads(capsys.readouterr().out)
    assert alone["unclear"] > 0
    assert (judged["unclear"], judged["completion"]) == (0, pytest.approx(alone["completion_high"]))
