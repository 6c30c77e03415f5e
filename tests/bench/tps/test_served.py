"""Any agent over MCP: a task served by a real process, and marked from what the server noted."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from agentdyno.records import InputError
from agentdyno_bench.tps.graded_runs import MarkedRun, mark_runs
from agentdyno_bench.tps.outcomes.submission import NOT_ALONE, SUBMIT, right_fields
from agentdyno_bench.tps.served import OVER, ServedTask
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World

EASY, SEED = load_bundled("easy").tasks[0], load_bundled("easy").world_seed


AGENTDYNO = "from agentdyno.cli import main; main()"


def command(task: CompoundTask, log: Path, *more: str) -> list[str]:
    served = ["serve", "--task", task.task_id, "--record", str(log)]
    return ["-c", AGENTDYNO, "world", *served, *more]


def over_stdio(task: CompoundTask, log: Path) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=command(task, log))


@contextmanager
def over_http(task: CompoundTask, log: Path) -> Any:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, *command(task, log, "--http", str(port))])
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(20)


async def do_plan(server: Any, task: CompoundTask, seed: int) -> list[str]:
    """What a good agent does: reads the task, makes the calls of the plan, submits each answer."""
    said = []
    async with Client(server) as client:
        prompt = await client.get_prompt("task")
        said.append(prompt.messages[0].content.text)
        run = run_plan(task, World(seed, timed=False), by_levels=True)
        stages = {step.subtask_id: step.stage for step in task.subtasks}
        for call in run.calls:
            await client.call_tool(call.tool, call.arguments)
        for stage in range(max(stages.values()) + 1):
            result = await client.call_tool(SUBMIT, right_fields(task, stage))
            said.append(result.content[0].text)
    return said


def marked(log: Path) -> list[MarkedRun]:
    found = mark_runs("bundled", log)
    assert not found.unread
    return found.runs


def test_a_scripted_client_over_stdio_solves_a_task(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    said = asyncio.run(do_plan(over_stdio(EASY, log), EASY, SEED))
    assert EASY.prompt in said[0]
    assert said[-1] == "Submitted. The task is over."
    assert [(run.solved, run.completion) for run in marked(log)] == [(True, 1.0)]


def test_a_scripted_client_over_http_solves_a_task(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with over_http(EASY, log) as url:
        asyncio.run(do_plan(url, EASY, SEED))
    assert [run.solved for run in marked(log)] == [True]


def drive(task: CompoundTask, log: Path, *turns: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Looks at the tools, then makes the calls of each turn at once, in this process."""

    async def go() -> list[Any]:
        async with Client(ServedTask(task, SEED, log).server()) as client:
            assert SUBMIT in {tool.name for tool in (await client.list_tools()).tools}
            found = []
            for turn in turns:
                calls = (client.call_tool(name, given) for name, given in turn)
                found += await asyncio.gather(*calls)
            return found

    return asyncio.run(go())


def plan_of(task: CompoundTask) -> list[tuple[str, dict[str, Any]]]:
    calls = run_plan(task, World(SEED, timed=False), by_levels=True).calls
    return [(call.tool, call.arguments) for call in calls]


def test_the_user_answers_back_and_what_submit_takes_changes(tmp_path: Path) -> None:
    found = load_bundled("purpose")
    task = next(task for task in found.tasks if task.follow_ups)
    said = asyncio.run(do_plan(over_stdio(task, tmp_path / "log"), task, found.world_seed))
    assert task.follow_ups[0] in said[1]
    assert [run.solved for run in marked(tmp_path / "log")] == [True]


def test_what_was_not_run_brings_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    refused = [(f"{name}_x", given) for name, given in plan_of(EASY)]
    results = drive(EASY, log, refused, [(SUBMIT, right_fields(EASY))])
    assert all(result.is_error for result in results[:-1])
    assert not results[-1].is_error
    assert [run.completion for run in marked(log)] == [0.0]


def test_calls_after_the_end_do_not_run_and_the_first_submission_counts(tmp_path: Path) -> None:
    log = tmp_path / "log"
    plan, right = plan_of(EASY), right_fields(EASY)
    wrong = dict.fromkeys(right)
    late = drive(EASY, log, [(SUBMIT, wrong)], plan, [(SUBMIT, right)])
    assert {result.content[0].text for result in late[1:]} == {OVER}
    assert [run.completion for run in marked(log)] == [0.0]


def test_a_submission_beside_a_call_is_not_taken(tmp_path: Path) -> None:
    plan, right = plan_of(EASY), right_fields(EASY)
    results = drive(EASY, tmp_path / "log", [*plan, (SUBMIT, right)], [(SUBMIT, right)])
    assert results[-2].content[0].text == NOT_ALONE
    assert [run.solved for run in marked(tmp_path / "log")] == [True]


def test_two_attempts_share_a_log_and_one_that_did_nothing_is_one(tmp_path: Path) -> None:
    log = tmp_path / "log"
    drive(EASY, log)
    drive(EASY, log, plan_of(EASY), [(SUBMIT, right_fields(EASY))])
    assert [run.completion for run in marked(log)] == [0.0, 1.0]


def test_a_damaged_line_costs_itself_alone(tmp_path: Path) -> None:
    log = tmp_path / "log"
    drive(EASY, log, plan_of(EASY), [(SUBMIT, right_fields(EASY))])
    log.write_bytes(log.read_bytes() + b'{"attempt": "x", "tool"\n')
    found = mark_runs("bundled", log)
    assert [run.solved for run in found.runs] == [True]
    assert len(found.unread) == 1


def test_every_call_is_on_disk_before_it_is_answered(tmp_path: Path) -> None:
    log = tmp_path / "log"
    drive(EASY, log, plan_of(EASY)[:1])
    noted = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line.get("task_id") or line["tool"] for line in noted] == [
        EASY.task_id, plan_of(EASY)[0][0]
    ]  # fmt: skip


def test_a_tool_pattern_that_fits_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mial_"):
        ServedTask(EASY, SEED, tmp_path / "log", ("mial_*",))
