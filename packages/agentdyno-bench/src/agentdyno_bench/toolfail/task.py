"""The Inspect task: tools offered with choice auto, the mock return injected, the answer with none.

TaskRecipe("agentdyno_bench.toolfail.task:toolfail_task", {"turns": "single"})

Where the suite holds its tools' records, a tool answers by its arguments, as such a tool would
(`answering`). In a suite of the published format it does not: an expected tool gives the next
return of the task's script, whatever the arguments; any other tool says that it has no record.
With choice none the tools stay in the request (`models.metered` sees to that). Who marks the
answers is the caller's choice; without a scorer the log says nothing of it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentdyno.intake.task_suites import Turns
from agentdyno.records.failures import OfferedTool, ScriptedCall, TaskSuite, ToolTask
from agentdyno_bench.toolfail.mocking import Mocks
from agentdyno_bench.toolfail.suite import NAME, load_suite

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import Scorer
    from inspect_ai.solver import Solver
    from inspect_ai.tool import ToolDef

FACTORY = "agentdyno_bench.toolfail.task:toolfail_task"
MAX_TOKENS, TEMPERATURE, SEED = 1024, 0.0, 42
"""Of the published protocol."""
EXTRA_ROUNDS = 2
"""Calls beyond those that a task of several turns needs."""


def toolfail_task(
    tasks: str | None = None,
    turns: Turns = "single",
    stride: int | None = None,
    scorer: "Callable[[TaskSuite], Scorer] | None" = None,
) -> "Task":
    """The task; `stride` takes every so-many-th question, which keeps domains and kinds mixed."""
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset

    suite = load_suite(Path(tasks) if tasks else None, turns)
    chosen = suite.tasks[::stride] if stride else suite.tasks
    name = NAME if tasks is None else f"{NAME}-{suite.name}"
    return Task(
        name=name,
        dataset=MemoryDataset([_sample(suite, task) for task in chosen], name=name),
        solver=two_steps(suite),
        scorer=scorer(suite) if scorer else None,
        metadata={"suite": suite.name, "turns": turns},
    )


def _sample(suite: TaskSuite, task: ToolTask) -> "Sample":
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser

    return Sample(
        id=task.task_id,
        input=[
            ChatMessageSystem(content=suite.prompts[task.domain]),
            ChatMessageUser(content=task.messages[0]),
        ],
        target=" | ".join(task.must_contain),
        metadata={"domain": task.domain, "kind": task.kind},
    )


def two_steps(suite: TaskSuite) -> "Solver":
    """The protocol for every task of the suite."""
    from inspect_ai.model import ChatMessageUser, execute_tools, get_model
    from inspect_ai.solver import Generate, TaskState, solver

    by_id = {task.task_id: task for task in suite.tasks}

    @solver(name="two_steps")
    def converse() -> "Solver":
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            task, model = by_id[str(state.sample_id)], get_model()
            offered = suite.tools[task.domain]
            tools = mock_tools(task, offered, suite.records.get(task.domain, ()))
            for number, message in enumerate(task.messages):
                if number:
                    state.messages.append(ChatMessageUser(content=message))
                rounds = _rounds(task, number)
                for turn in range(rounds + 1):
                    choice: Any = "auto" if turn < rounds else "none"
                    state.output = await model.generate(
                        state.messages, tools=tools, tool_choice=choice
                    )
                    state.messages.append(state.output.message)
                    if not state.output.message.tool_calls or choice == "none":
                        break
                    results, _ = await execute_tools(state.messages, tools)
                    state.messages.extend(results)
            state.completed = True
            return state

        return solve

    return converse()


def _rounds(task: ToolTask, message: int) -> int:
    """How often tools may be called before the answer to one message is asked for."""
    needed = sum(call.message == message for call in task.script)
    return 1 if task.trap is None else needed + EXTRA_ROUNDS


def mock_tools(
    task: ToolTask,
    offered: tuple[OfferedTool, ...],
    records: tuple[ScriptedCall, ...] = (),
) -> "list[ToolDef]":
    """The domain's tools for one conversation; expected calls are answered from the script."""
    from inspect_ai.tool import ToolDef, ToolError, ToolParams

    mocks = Mocks(task, records)

    def mock(tool: OfferedTool) -> ToolDef:
        async def execute(**arguments: Any) -> str:
            text, failed = mocks.answer(tool, arguments)
            if failed:
                raise ToolError(text)
            return text

        parameters = ToolParams.model_validate(tool.parameters)
        return ToolDef(execute, tool.name, tool.description, parameters)

    return [mock(tool) for tool in offered]
