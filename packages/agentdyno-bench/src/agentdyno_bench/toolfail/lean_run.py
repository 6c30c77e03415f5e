"""The failure benchmark with fewer tools in each domain, marked as the whole one."""

from typing import TYPE_CHECKING

from agentdyno_bench.toolfail.records import Answers, TaskSuite
from agentdyno_bench.toolfail.tasks.lean import reduce_suite
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task_suites import Turns

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample


def lean_toolfail_task(
    kept: list[str],
    tasks: str | None = None,
    turns: Turns = "single",
    stride: int | None = None,
    answers: Answers = "prose",
) -> "Task":
    """The task with these tools."""
    from pathlib import Path

    from inspect_ai import task_with

    from agentdyno_bench.toolfail.scoring import make_scored_task
    from agentdyno_bench.toolfail.tasks.task import two_steps

    suite = load_suite(Path(tasks) if tasks else None, turns)
    lean = reduce_suite(suite, kept)
    task = make_scored_task(tasks, turns, stride, answers)
    for sample in task.dataset:
        _describe_tools(sample, lean, answers)
    return task_with(task, solver=two_steps(lean, answers))


def _describe_tools(sample: "Sample", lean: TaskSuite, answers: Answers) -> None:
    """Puts the prompt that names the tools which stay in the place of the other."""
    from inspect_ai.model import ChatMessageSystem

    from agentdyno_bench.toolfail.tasks.task import system_prompt

    assert not isinstance(sample.input, str)
    prompt = system_prompt(lean, str((sample.metadata or {})["domain"]), answers)
    sample.input = [ChatMessageSystem(content=prompt), *sample.input[1:]]
