"""Recorded samples that go on from the middle: what is played back, done again, and live."""

from pathlib import Path
from uuid import uuid4

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from inspect_ai import Task
from inspect_ai.log import read_eval_log_sample
from inspect_ai.tool import Tool, tool

from agentdyno.records import InputError
from agentdyno_bench import RunOptions, TaskRecipe, TaskRun, run_task
from agentdyno_bench.running.continuing import FACTORY, Continuation, write_plan
from agentdyno_bench.running.history import read_ended
from agentdyno_bench.running.settings import read_settings
from tests.bench.running import tasks
from tests.bench.running.tasks import model, recipe

HERE = "tests.bench.running.test_continuing"


def moody_doubling() -> Task:
    """The tool never says the same twice."""

    @tool(name="double")
    def double() -> Tool:
        async def execute(x: int) -> str:
            """Doubles a number, roughly.

            Args:
                x: The number.
            """
            return f"{2 * x} or {uuid4()}"

        return execute

    from inspect_ai.solver import generate, use_tools

    samples = tasks.doubling(2).dataset
    return Task(name="moody", dataset=samples, solver=[use_tools(double()), generate()])


def recorded(out: Path, task: TaskRecipe) -> Path:
    run_task(task, model(), RunOptions(out=out))
    (log,) = (out / "logs").rglob("*.eval")
    return log


def continued(
    out: Path, log: Path, task: TaskRecipe, cuts: list[tuple[int, int]], processes: int = 1
) -> TaskRun:
    plan = out / "plan.json"
    wanted = [
        Continuation(f"{sample}-{answers}", str(log), f"folder/{sample}", answers, calls, 100 + n)
        for sample in (0, 1)
        for n, (answers, calls) in enumerate(cuts)
    ]
    write_plan(plan, wanted)
    plain = {"factory": task.factory, "arguments": task.arguments}
    again = TaskRecipe(FACTORY, {"task": plain}, {"plan": str(plan)})
    return run_task(again, model(), RunOptions(out=out, processes=processes, concurrency=4))


def test_before_the_cut_nobody_is_asked_and_after_it_the_model_is(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", recipe(2))
    run = continued(tmp_path / "then", log, recipe(2), [(0, 0), (1, 1)])
    assert (run.task, run.samples, run.failed) == ("rollout_doubling", 4, [])
    asked = {}
    for ended in read_ended(run.folder):
        sample = read_eval_log_sample(str(ended.log), id=ended.sample)
        calls = [event for event in sample.events if event.event == "model"]
        asked[ended.sample] = [event.config.seed for event in calls]
        assert ended.score == 1.0
        # An answer is 1 token; the call before it 1 and its 14 characters, four to the token.
        assert ended.usage["agentdyno/scripted"].decode_tokens == {1: 1, 2: 5}[len(calls)]
    # From the start a call and an answer; after the call the answer alone. Seeds are as planned.
    assert asked == {"0-0": [100, 100], "1-0": [100, 100], "0-1": [101], "1-1": [101]}


def test_a_tool_that_says_something_else_fails_the_sample(tmp_path: Path) -> None:
    task = TaskRecipe(f"{HERE}:moody_doubling")
    log = recorded(tmp_path / "first", task)
    run = continued(tmp_path / "then", log, task, [(0, 0), (1, 1)])
    assert {failed.sample for failed in run.failed} == {"0-1", "1-1"}
    assert "result 1 of the 1 before the cut: expected what was recorded" in run.failed[0].error


@pytest.mark.slow  # Each process imports Inspect; two that share samples are in test_run.
def test_several_processes_share_the_continuations(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", recipe(2))
    run = continued(tmp_path / "then", log, recipe(2), [(0, 0), (1, 1)], processes=2)
    assert (run.samples, len(run.logs), run.failed) == (4, 2, [])


def test_questions_that_have_changed_since_are_said(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", recipe(2))
    with pytest.raises(InputError, match="expected its sample folder/1 among the task's own"):
        continued(tmp_path / "then", log, recipe(1), [(0, 0)])


def test_a_log_knows_what_it_was_made_with_as_long_as_it_lies_where_it_was(tmp_path: Path) -> None:
    log = recorded(tmp_path / "run", recipe(2))
    found = read_settings(log)
    assert found is not None
    assert (found.task, found.model) == (recipe(2), model())
    elsewhere = tmp_path / log.name
    elsewhere.write_bytes(log.read_bytes())
    assert read_settings(elsewhere) is None
