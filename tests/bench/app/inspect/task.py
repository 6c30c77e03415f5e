"""A small Inspect task with tools, and a model that answers by a script."""

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, ToolError, tool

from agentdyno_bench.app.inspect.scorers import dyno_cost, dyno_failures


@tool
def add() -> Tool:
    """Adds."""

    async def execute(x: int, y: int) -> int:
        """Add two numbers.

        Args:
            x: The first.
            y: The second.
        """
        if x == 13:
            raise ToolError("13 is not added here")
        return x + y

    return execute


@task
def sums() -> Task:
    """Two samples: one that needs `add`, one that needs nothing, one that does not say."""
    samples = [
        Sample(input="1 + 2?", target="3", metadata={"expected_tools": ["add"]}),
        Sample(input="Say 3.", target="3", metadata={"kind": "control"}),
        Sample(input="13 + 2?", target="3"),
    ]
    return Task(
        dataset=samples,
        solver=[use_tools(add()), generate()],
        scorer=[includes(), dyno_cost(), dyno_failures()],
    )


def scripted() -> Model:
    """A right call, a call without its argument, and one that fails; each followed by 3."""
    calls = [{"x": 1, "y": 2}, {"x": 1}, {"x": 13, "y": 2}]
    outputs = []
    for arguments in calls:
        outputs += [ModelOutput.for_tool_call("gpt-4.1", "add", arguments)]
        outputs += [ModelOutput.from_content("gpt-4.1", "3")]
    for output in outputs:
        output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
    return get_model("mockllm/gpt-4.1", custom_outputs=outputs)
