"""The planning world as TRL's `environment_factory` wants it: a class whose methods are the tools.

    factory = trl_environment(["mail_find_contact", "weather_daily_forecast"])
    GRPOTrainer(..., environment_factory=factory, train_dataset=rows)   # rows: prompt, lesson

For models whose chat template knows tools; our own trainer (`grpo`) needs no template for them and
offers each task its own tools. TRL takes the tools from the class, so one class has one list of
them; several lists are a dictionary of factories, and rows name theirs in `environment`. What a
task wants submitted differs from task to task, so `submit` takes an object here, and the prompt of
a row has to end with `describe_fields(task)`.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from agentdyno_bench.shared.rewards import Weights, read_weights
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.tool import Tool
from agentdyno_depth.engines.dialect import signature
from agentdyno_train.environment import Environment, submit_tool
from agentdyno_train.rewards import compute_reward
from agentdyno_train.training_tasks import TrainingTask

OVER = '{"error": {"code": "over", "message": "The attempt is over."}}'
_TYPES: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}


class PlanningWorld:
    """One attempt; subclasses have the tools."""

    _weights: Weights = Weights()

    def __init__(self) -> None:
        self._environment: Environment | None = None

    def reset(self, lesson: str = "", **_: Any) -> None:
        """Begins with the training task of a row, as JSON."""
        task = msgspec.json.decode(lesson, type=TrainingTask)
        self._environment = Environment(task.task, task.world_seed, task.tools, turns=64)

    def submit(self, fields: dict[str, Any]) -> str:
        """Hands in what the user asks for, once, when everything is done.

        Args:
            fields: An object with the fields that the user's message lists.
        """
        if self._environment is None or self._environment.stopped:
            return OVER
        step = self._environment.act([(SUBMIT, fields)])
        return step.messages[0].text if step.messages else "Submitted."

    def get_reward(self) -> float:
        """The attempt's reward, from 0 to 1."""
        if self._environment is None:
            return 0.0
        return compute_reward(self._environment.score(), self._weights).reward

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        if self._environment is None or self._environment.stopped:
            return OVER
        arguments_set = {name: value for name, value in arguments.items() if value is not None}
        step = self._environment.act([(tool, arguments_set)])
        return step.messages[0].text if step.messages else "The attempt is over."


def describe_fields(task: CompoundTask) -> str:
    """A line for a task's prompt about what it wants submitted."""
    return f"When everything is done: {signature(submit_tool(task))}"


def trl_environment(
    tools: Sequence[str], weights: Weights | None = None
) -> Callable[[], PlanningWorld]:
    """A factory of environments with these tools."""
    methods: dict[str, Any] = {name: _method(name, all_tools()[name]) for name in tools}
    return type(
        "PlanningWorld", (PlanningWorld,), {**methods, "_weights": weights or read_weights()}
    )


def _method(name: str, tool: Tool) -> Any:
    """A function with the tool's signature and the docstring that transformers reads."""

    def call(self: PlanningWorld, **arguments: Any) -> str:
        return self._call(name, arguments)

    schema = tool.schema
    required = set(schema.get("required", ()))
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    hints: dict[str, Any] = {"return": str}
    lines = []
    for field, about in schema.get("properties", {}).items():
        kind = _kind(about)
        hints[field] = kind if field in required else kind | None
        default = inspect.Parameter.empty if field in required else about.get("default")
        parameters.append(
            inspect.Parameter(field, inspect.Parameter.KEYWORD_ONLY, default=default,
                              annotation=hints[field])
        )  # fmt: skip
        lines.append(f"    {field}: {about.get('description') or field}")
    call.__name__ = call.__qualname__ = name
    call.__annotations__ = hints
    call.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    arguments_text = "\n".join(["", "Args:", *lines]) if lines else ""
    call.__doc__ = f"{tool.description}\n{arguments_text}"
    return call


def _kind(schema: dict[str, Any]) -> Any:
    if "anyOf" in schema:
        kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
        return _kind(kinds[0]) if kinds else str
    if schema.get("type") == "array":
        return list[_kind(schema.get("items") or {"type": "string"})]  # type: ignore[misc]
    return _TYPES.get(str(schema.get("type")), str)
