"""A task and scripts for the tests of the runner; also imported by the processes they start."""

import os
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import match
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import Tool, tool

from agentdyno_bench import ModelSpec, TaskRecipe
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall

HERE = "tests.bench.shared.running.tasks"
BEGUN = "AGENTDYNO_TEST_BEGUN"
"""A file that `slowly` writes the samples to which it begins."""


@tool(parallel=True)
def double() -> Tool:
    async def execute(x: int) -> str:
        """Doubles a number.

        Args:
            x: The number.
        """
        return str(2 * x)

    return execute


def doubling(samples: int = 10) -> Task:
    made = [
        Sample(id=f"folder/{i}", input=f"double {i}", target=str(2 * i), metadata={"level": i % 3})
        for i in range(samples)
    ]
    return Task(
        name="doubling", dataset=made, solver=[use_tools(double()), generate()], scorer=match()
    )


def solves(input: list[Any], *_: Any) -> Reply:
    """Calls the tool, then repeats its result."""
    number = int(input[0].text.split()[1])
    if input[-1].role == "user":
        return Reply(calls=[ReplyCall("double", {"x": number})], latency_seconds=0.01)
    return Reply(text=input[-1].text, latency_seconds=0.01)


def fails_at_three(input: list[Any], *_: Any) -> Reply:
    return Reply(error="no threes") if input[0].text == "double 3" else solves(input)


def slowly(input: list[Any], *_: Any) -> Reply:
    """Takes long enough to be killed in between."""
    if input[-1].role == "user" and (begun := os.environ.get(BEGUN)):
        with Path(begun).open("a") as file:
            file.write(f"{input[0].text.split()[1]}\n")
    reply = solves(input)
    return Reply(text=reply.text, calls=reply.calls, latency_seconds=0.05)


def recipe(samples: int = 10) -> TaskRecipe:
    return TaskRecipe(f"{HERE}:doubling", {"samples": samples})


def model(script: str = "solves") -> ModelSpec:
    return ModelSpec("agentdyno/scripted", arguments={"script": f"{HERE}:{script}"})
