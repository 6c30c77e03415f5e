"""The failure benchmark with fewer tools in each domain.

Takes the names of the tools that stay, returns the same task without the others: neither their
schemas are sent nor does the system prompt speak of them. Questions stay as they are, so that a
question whose tool is gone cannot be answered from a record any more; that is what shows.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import structs

from agentdyno.benchmarks.toolfail.suite import Turns, load_suite
from agentdyno.records.failures import TaskSuite

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample


def lean_toolfail_task(
    kept: list[str], tasks: str | None = None, turns: Turns = "single", stride: int | None = None
) -> "Task":
    """The task with these tools."""
    from pathlib import Path

    from inspect_ai import task_with

    from agentdyno.benchmarks.toolfail.task import two_steps
    from agentdyno.pipelines.bench.toolfail_scoring import scored_task

    suite = load_suite(Path(tasks) if tasks else None, turns)
    lean = reduced(suite, kept)
    task = scored_task(tasks, turns, stride)
    for sample in task.dataset:
        _tell(sample, suite, lean)
    return task_with(task, solver=two_steps(lean))


def tool_names(suite: TaskSuite) -> tuple[str, ...]:
    """The tools of all domains, in their order."""
    return tuple(dict.fromkeys(t.name for tools in suite.tools.values() for t in tools))


def reduced(suite: TaskSuite, kept: Iterable[str]) -> TaskSuite:
    """The suite with these tools only; tasks stay."""
    names = set(kept)
    tools = {d: tuple(t for t in own if t.name in names) for d, own in suite.tools.items()}
    gone = set(tool_names(suite)) - names
    prompts = {domain: _without(prompt, gone) for domain, prompt in suite.prompts.items()}
    return structs.replace(suite, tools=tools, prompts=prompts)


def _without(prompt: str, gone: set[str]) -> str:
    """The prompt lists a tool a line."""
    starts = tuple(f"- {name}(" for name in gone)
    return "\n".join(line for line in prompt.split("\n") if not line.startswith(starts or "\0"))


def _tell(sample: "Sample", suite: TaskSuite, lean: TaskSuite) -> None:
    from inspect_ai.model import ChatMessageSystem

    assert not isinstance(sample.input, str)
    domain = str((sample.metadata or {})["domain"])
    assert sample.input[0].text == suite.prompts[domain]
    sample.input = [ChatMessageSystem(content=lean.prompts[domain]), *sample.input[1:]]
