"""Every tool of every server is called once through a real MCP client."""

import json
import sys
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from agentdyno_bench.tps.world.directory import SERVERS, all_tools, server_class
from agentdyno_bench.tps.world.kit.mcp import LATENCY, build
from tests.bench.tps.world.observed import CALLS, arguments_of


async def call_every_tool(client: Client, server: str) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for tool, arguments in CALLS[server].items():
        answer = await client.call_tool(tool, arguments_of(arguments, results))
        text = answer.content[0].text  # type: ignore[union-attr]
        assert not answer.is_error, f"{server}.{tool}: {text}"
        assert (answer.meta or {})[LATENCY] > 0
        results[tool] = json.loads(text)
    return results


@pytest.mark.parametrize("server", SERVERS)
def test_every_tool_answers_a_real_client(server: str) -> None:
    async def session() -> None:
        async with Client(build(server, 7, "virtual"), mode="legacy") as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == set(CALLS[server]) == set(server_class(server).tools)
            await call_every_tool(client, server)

    anyio.run(session)


def test_a_server_process_answers_over_stdio_as_inside_this_process() -> None:
    command = ["-P", "-m", "agentdyno_bench.tps.world.serve", "convert"]
    process = StdioServerParameters(command=sys.executable, args=command)

    async def session() -> None:
        async with (
            Client(process, mode="legacy") as far,
            Client(build("convert", 7, "virtual")) as near,
        ):
            there, here = [await call_every_tool(c, "convert") for c in (far, near)]
            assert there == here
            assert here["calculate"]["result"] == 20
            assert here["convert_units"]["converted"] == 1.609344
            assert here["split_bill"]["each"] == 27.5  # 110 / 4
            assert here["compound_interest"]["final"] == 121.0

    anyio.run(session)


def test_fifteen_servers_offer_at_least_141_described_tools() -> None:
    tools = all_tools()
    assert len(SERVERS) == 15
    assert len(tools) >= 141
    assert all(len(tool.description) >= 15 for tool in tools.values())
    assert all(tool.schema["additionalProperties"] is False for tool in tools.values())
    assert all(0 < tool.latency_seconds < 3 for tool in tools.values())
