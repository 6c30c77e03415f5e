"""The world through TRL's own interface."""

import inspect
from typing import Any

import msgspec
import transformers

from agentdyno_bench.tps.tasks.dataset import task_by_id
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_train.training_tasks import TrainingTask
from agentdyno_train.trl_environment import trl_environment


def training_task(task_id: str) -> TrainingTask:
    task = task_by_id(task_id)
    return TrainingTask(task, 7, list(dict.fromkeys(step.tool for step in task.subtasks)))


def tool_methods(environment: Any) -> dict[str, Any]:
    """As TRL finds them: public functions of the class but for reset and get_reward."""
    return {
        name: getattr(environment, name)
        for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }


def test_every_tool_of_the_world_has_a_schema_that_transformers_reads() -> None:
    methods = tool_methods(trl_environment(list(all_tools()))())
    assert len(methods) == len(all_tools()) + 1
    for name, method in methods.items():
        schema = transformers.utils.get_json_schema(method)["function"]
        assert schema["name"] == name
        if name in all_tools():
            wanted = all_tools()[name].schema
            assert set(schema["parameters"]["properties"]) == set(wanted.get("properties", {}))
            required = schema["parameters"].get("required", [])
            assert set(required) == set(wanted.get("required", ()))


def test_an_attempt_through_methods_is_worth_what_it_reached() -> None:
    one = training_task("easy-001")
    environment = trl_environment(one.tools)()
    assert environment.get_reward() == 0
    environment.reset(lesson=msgspec.json.encode(one).decode(), prompt="x")
    tools = tool_methods(environment)
    place, _, contact = one.task.subtasks
    found = tools[place.tool](**place.arguments)
    assert "milan-r5" in found
    tools[contact.tool](**contact.arguments)
    tools["restaurants_restaurant_details"](restaurant_id="milan-r5")
    assert 0 < environment.get_reward() < 0.2
    environment.final_answer(
        "\n".join(f"{s.goal}: {', '.join(s.answer)}" for s in one.task.subtasks if s.answer)
    )
    assert environment.get_reward() > 0.8
    assert "over" in tools[place.tool](**place.arguments)
    environment.reset(lesson=msgspec.json.encode(one).decode())
    assert environment.get_reward() == 0
