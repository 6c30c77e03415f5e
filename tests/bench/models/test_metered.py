"""What goes over the wire and what is kept of the answer, against a server of the test's own."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("openai", reason="needs the extra bench: OpenAI-compatible providers")
pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")

import openai
from bench.fake_server import FakeServer
from inspect_ai.model import GenerateConfig, ModelOutput
from inspect_ai.tool import ToolDef

from agentdyno_bench import ModelSpec
from agentdyno_bench.models.metered import open_model


async def _add(x: int) -> str:
    return str(x)


ADD = ToolDef(_add, name="add", description="Adds.", parameters={"x": "A number."})


def ask(
    server: FakeServer, stream: bool = False, name: str = "openai-api/fake/model", **call: Any
) -> ModelOutput:
    spec = ModelSpec(name, server.address, {"api_key": "none"})

    async def run() -> ModelOutput:
        async with open_model(spec, stream) as model:
            return await model.generate("hello", tools=[ADD], **call)

    return asyncio.run(run())


def calling(arguments: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": arguments}}
    return lambda body: {"role": "assistant", "content": None, "tool_calls": [call]}


def test_tools_stay_in_the_request_when_none_may_be_called() -> None:
    with FakeServer() as server:
        ask(server, tool_choice="none")
    request = server.requests[0]
    assert [tool["function"]["name"] for tool in request["tools"]] == ["add"]
    assert request["tool_choice"] == "none"


@pytest.mark.parametrize("name", ["openai-api/fake/model", "vllm/model"])
def test_strict_schemas_are_not_asked_for(name: str) -> None:
    with FakeServer() as server:
        ask(server, name=name)
    assert "strict" not in server.requests[-1]["tools"][0]["function"]


def test_vllm_by_its_own_name_keeps_the_tools_too() -> None:
    with FakeServer() as server:
        output = ask(server, name="vllm/model", tool_choice="none")
    assert [tool["function"]["name"] for tool in server.requests[-1]["tools"]] == ["add"]
    assert output.metadata is not None
    assert output.metadata["agentdyno"]["tools_kept"] is True


@pytest.mark.parametrize("written", ["5", "hello", "[1]", "", '{"x": 5}"', '{"x": 5', "null"])
def test_malformed_arguments_are_refused_as_they_were_written(written: str) -> None:
    with FakeServer(reply=calling(written)) as server:
        output = ask(server)
    (call,) = output.message.tool_calls or []
    assert call.arguments == {}
    assert call.parse_error is not None
    assert f"\n\n{written}\n\n" in call.parse_error


def test_sound_arguments_are_left_alone() -> None:
    with FakeServer(reply=calling('{"x": 5}')) as server:
        output = ask(server)
    (call,) = output.message.tool_calls or []
    assert (call.arguments, call.parse_error) == ({"x": 5}, None)


def test_time_to_the_first_token_is_recorded_where_the_call_is_streamed() -> None:
    with FakeServer(latency_seconds=0.6) as server:
        streamed = ask(server, stream=True, tool_choice="none")
        plain = ask(server, tool_choice="none")
    assert server.requests[0]["stream"] is True
    assert "stream" not in server.requests[1]
    assert streamed.metadata is not None
    assert plain.metadata is not None
    first = streamed.metadata["agentdyno"]["first_token_seconds"]
    assert 0.3 <= first < (streamed.time or 0)  # Half of 0.6 s, and before the end.
    assert "first_token_seconds" not in plain.metadata["agentdyno"]
    assert streamed.completion == plain.completion
    assert streamed.usage == plain.usage


def test_every_answer_says_how_busy_the_process_was() -> None:
    with FakeServer() as server:
        output = ask(server, config=GenerateConfig(max_tokens=5))
    assert output.metadata is not None
    timing = output.metadata["agentdyno"]
    assert isinstance(timing["latency_valid"], bool)
    assert 0 <= timing["loop_cpu_share"] <= timing["process_cpu_share"] + 0.1
    assert timing["tools_kept"] is True


def test_a_call_that_failed_to_the_last_says_with_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    with FakeServer(reply=lambda body: {"status": 503}) as server:
        config = GenerateConfig(max_retries=1)
        with pytest.raises(openai.InternalServerError, match="as asked"):
            ask(server, config=config)
