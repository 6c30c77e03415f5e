"""Every tool announces the schema of its results, and results of other worlds keep to it."""

from typing import Any

import anyio
import msgspec
import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, SERVERS, all_tools, server_class
from agentdyno_bench.tps.world.kit.mcp import build
from agentdyno_bench.tps.world.kit.schemas import join_schemas, schema_of, widen
from tests.bench.tps.world.observed import FILE, every_task, observed, schemas

WRITTEN: dict[str, Any] = msgspec.json.decode(FILE.read_bytes())


def test_every_tool_has_a_schema() -> None:
    assert WRITTEN.keys() == all_tools().keys()
    for schema in WRITTEN.values():
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"


def test_results_of_worlds_that_nobody_looked_at_keep_to_it() -> None:
    checks = {tool: Draft202012Validator(schema) for tool, schema in WRITTEN.items()}
    count = 0
    for tool, arguments, value in observed((11, 12), load_bundled("hard").tasks[:4]):
        problem = next(checks[tool].iter_errors(value), None)
        assert problem is None, (tool, arguments, problem and problem.message)
        count += 1
    assert count > 800


@pytest.mark.slow
def test_the_file_is_what_the_program_writes() -> None:
    assert schemas(observed((DEFAULT_SEED, 1, 2, 3), every_task())) == WRITTEN


def test_a_client_sees_schema_annotations_and_version() -> None:
    async def session(server: str) -> None:
        async with Client(build(server, DEFAULT_SEED, "virtual"), mode="legacy") as client:
            for tool in (await client.list_tools()).tools:
                ours = server_class(server).tools[tool.name]
                assert tool.output_schema == WRITTEN[f"{server}_{tool.name}"]
                assert tool.annotations.read_only_hint == (not ours.writes)
                assert tool.annotations.destructive_hint == ours.destructive

    for server in SERVERS:
        anyio.run(session, server)
    assert len({server_class(server).version for server in SERVERS}) > 10


def test_schemas_join_and_a_name_means_the_same_in_all_tools_of_a_server() -> None:
    one = schema_of({"note": None, "tags": [], "count": 1})
    two = schema_of({"note": "x", "tags": ["a"], "count": 1.5})
    whole = join_schemas(one, two)
    assert whole["properties"]["note"] == {"type": ["null", "string"]}
    assert whole["properties"]["count"] == {"type": "number"}
    first, second = widen([one, schema_of({"items": [{"note": "x", "tags": ["a"]}]})])
    assert first["properties"]["note"] == {"type": ["null", "string"]}
    assert first["properties"]["tags"] == {"type": "array", "items": {"type": "string"}}
    inner = second["properties"]["items"]["items"]["properties"]
    assert inner["note"] == {"type": ["null", "string"]}
    (rates,) = widen([schema_of({"rates": {"EUR": 1, "USD": 1.1}})])
    assert rates["properties"]["rates"] == {
        "type": "object",
        "additionalProperties": {"type": "number"},
    }
