"""The failure benchmark with fewer tools in each domain, marked by our own rule."""

from typing import TYPE_CHECKING

from agentdyno.intake.task_suites import Turns
from agentdyno.records.failures import TaskSuite
from agentdyno_bench.toolfail.lean import reduce_suite
from agentdyno_bench.toolfail.suite import load_suite

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample


def lean_toolfail_task(
    kept: list[str], tasks: str | None = None, turns: Turns = "single", stride: int | None = None
) -> "Task":
    """The task with these tools."""
    from pathlib import Path

    from inspect_ai import task_with

    from agentdyno_bench.pipelines.toolfail_scoring import make_scored_task
    from agentdyno_bench.toolfail.task import two_steps

    suite = load_suite(Path(tasks) if tasks else None, turns)
    lean = reduce_suite(suite, kept)
    task = make_scored_task(tasks, turns, stride)
    for sample in task.dataset:
        _describe_tools(sample, suite, lean)
    return task_with(task, solver=two_steps(lean))


def _describe_tools(sample: "Sample", suite: TaskSuite, lean: TaskSuite) -> None:
    from inspect_ai.model import ChatMessageSystem

    assert not isinstance(sample.input, str)
    domain = str((sample.metadata or {})["domain"])
    assert sample.input[0].text == suite.prompts[domain]
    sample.input = [ChatMessageSystem(content=lean.prompts[domain]), *sample.input[1:]]
