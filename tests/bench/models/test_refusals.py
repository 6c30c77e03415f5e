"""What models are told of calls that reach no tool."""

import random
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the bench extra")

from inspect_ai.model._call_tools import validate_tool_input
from inspect_ai.tool import ToolParams

from agentdyno_bench.models.refusals import invalid
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.world.directory import all_tools

VALUES: list[Any] = ["Lisbon", "", 5, 5.0, 2.5, True, None, ["a"], [1, "b"], {"a": 1}, -3, "5"]


def test_broken_arguments_are_refused_in_the_words_of_inspect() -> None:
    rng = random.Random(3)
    schemas = [tool.schema for tool in all_tools().values()]
    schemas += [tool.parameters for tools in load_suite().tools.values() for tool in tools]
    refused = 0
    for schema in schemas:
        params = ToolParams.model_validate(schema)
        for _ in range(12):
            names = [*schema["properties"], "odd", "further"]
            chosen = rng.sample(names, rng.randint(0, len(names)))
            arguments = {name: rng.choice(VALUES) for name in chosen}
            found = invalid(arguments, schema)
            assert found == validate_tool_input(arguments, params)
            refused += found is not None
    assert refused > 1000
