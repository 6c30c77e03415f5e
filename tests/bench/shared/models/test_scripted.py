"""The scripted model and its meter: the same input, the same answer; what a provider can get
wrong, what is refused, and what a call is measured by."""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")

import openai
from bench.fake_server import FakeServer
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput
from inspect_ai.model._call_tools import validate_tool_input
from inspect_ai.tool import ToolCall, ToolDef, ToolInfo, ToolParams

from agentdyno.records import InputError
from agentdyno_bench import ModelSpec
from agentdyno_bench.shared.models.metered import open_model
from agentdyno_bench.shared.models.refusals import invalid
from agentdyno_bench.shared.models.scripted import Reply, ReplyCall, ScriptedError
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.tps.world.directory import all_tools


def ask(script: Any, input: Any = "hello", stream: bool = False) -> ModelOutput:
    model = open_model(ModelSpec("agentdyno/scripted", arguments={"script": script}), stream)
    return asyncio.run(model.generate(input))


def test_a_function_answers() -> None:
    output = ask(lambda input, *_: f"you said {input[-1].text}")
    assert (output.completion, output.stop_reason) == ("you said hello", "stop")


def test_an_async_function_answers() -> None:
    async def script(*_: Any) -> Reply:
        return Reply(text="later", prompt_tokens=7, decode_tokens=3)

    output = ask(script)
    assert (output.usage.input_tokens, output.usage.output_tokens) == (7, 3)


def test_usage_is_counted_when_the_script_gives_none() -> None:
    output = ask(lambda *_: "a" * 40, "b" * 80)
    assert (output.usage.input_tokens, output.usage.output_tokens) == (21, 11)  # 1 + 80/4, 1 + 40/4


def test_a_file_answers_turn_by_turn(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    call = {"tool": "add", "arguments": {"x": 1}}
    script.write_text(json.dumps({"replies": [{"calls": [call]}, {"text": "done"}]}))
    first = ask(str(script))
    assert first.message.tool_calls[0].arguments == {"x": 1}
    history = [ChatMessageUser(content="q"), ChatMessageAssistant(content="a")]
    assert ask(str(script), history).completion == "done"
    assert ask(str(script), [*history, history[1]]).completion == "done"


def test_malformed_arguments_are_kept_and_refused() -> None:
    output = ask(lambda *_: Reply(calls=[ReplyCall("add", "{oops")]))
    assert "\n\n{oops\n\n" in (output.message.tool_calls[0].parse_error or "")


def test_an_error_is_raised() -> None:
    with pytest.raises(ScriptedError, match="out of order"):
        ask(lambda *_: Reply(error="out of order"))


def test_streaming_tells_the_first_token() -> None:
    reply = Reply(text="x", latency_seconds=0.4, first_token_seconds=0.1)
    output = ask(lambda *_: reply, stream=True)
    assert 0.1 <= output.metadata["agentdyno"]["first_token_seconds"] < 0.35
    assert (output.time or 0) >= 0.4


@pytest.mark.parametrize("script", [None, "nothing", "missing.json"])
def test_a_missing_script_is_said(script: str | None) -> None:
    with pytest.raises(InputError, match="expected"):
        ask(script)


@pytest.mark.parametrize(
    ("name", "said"), [("agentdyno/gpt-9", "agentdyno/smollm2"), ("nosuch/model", "nosuch")]
)
def test_an_unknown_model_or_provider_is_said(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_model(name)


def test_usage_counts_tool_schemas_and_earlier_calls() -> None:
    tool = ToolInfo(name="add", description="Adds.", parameters=ToolParams())
    call = ToolCall(id="1", function="add", arguments={"x": 1})
    history = [ChatMessageUser(content="b" * 80)]
    history.append(ChatMessageAssistant(content="", tool_calls=[call]))
    model = open_model(ModelSpec("agentdyno/scripted", arguments={"script": lambda *_: "a"}))

    def given(input: Any, tools: list[ToolInfo]) -> int:
        output = asyncio.run(model.generate(input, tools=tools))
        return output.usage.input_tokens

    schema = len(tool.model_dump_json(exclude_none=True))
    assert given("b" * 80, []) == 21
    assert given("b" * 80, [tool]) == 1 + (80 + schema) // 4
    assert given(history, []) == 1 + (80 + len("add") + len('{"x": 1}')) // 4


async def _add(x: int) -> str:
    return str(x)


ADD = ToolDef(_add, name="add", description="Adds.", parameters={"x": "A number."})


def ask_for(
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
        ask_for(server, tool_choice="none")
    request = server.requests[0]
    assert [tool["function"]["name"] for tool in request["tools"]] == ["add"]
    assert request["tool_choice"] == "none"


@pytest.mark.parametrize("name", ["openai-api/fake/model", "vllm/model"])
def test_strict_schemas_are_not_asked_for(name: str) -> None:
    with FakeServer() as server:
        ask_for(server, name=name)
    assert "strict" not in server.requests[-1]["tools"][0]["function"]


def test_vllm_by_its_own_name_keeps_the_tools_too() -> None:
    with FakeServer() as server:
        output = ask_for(server, name="vllm/model", tool_choice="none")
    assert [tool["function"]["name"] for tool in server.requests[-1]["tools"]] == ["add"]
    assert output.metadata["agentdyno"]["tools_kept"] is True


@pytest.mark.parametrize("written", ["5", "hello", "[1]", "", '{"x": 5}"', '{"x": 5', "null"])
def test_malformed_arguments_are_refused_as_they_were_written(written: str) -> None:
    with FakeServer(reply=calling(written)) as server:
        output = ask_for(server)
    (call,) = output.message.tool_calls or []
    assert call.arguments == {}
    assert f"\n\n{written}\n\n" in call.parse_error


def test_sound_arguments_are_left_alone() -> None:
    with FakeServer(reply=calling('{"x": 5}')) as server:
        output = ask_for(server)
    (call,) = output.message.tool_calls or []
    assert (call.arguments, call.parse_error) == ({"x": 5}, None)


def test_time_to_the_first_token_is_recorded_where_the_call_is_streamed() -> None:
    with FakeServer(latency_seconds=0.6) as server:
        streamed = ask_for(server, stream=True, tool_choice="none")
        plain = ask_for(server, tool_choice="none")
    assert server.requests[0]["stream"] is True
    assert "stream" not in server.requests[1]
    first = streamed.metadata["agentdyno"]["first_token_seconds"]
    assert 0.3 <= first < (streamed.time or 0)  # Half of 0.6 s, and before the end.
    assert "first_token_seconds" not in plain.metadata["agentdyno"]
    assert (streamed.completion, streamed.usage) == (plain.completion, plain.usage)


def test_every_answer_says_how_busy_the_process_was() -> None:
    with FakeServer() as server:
        output = ask_for(server, config=GenerateConfig(max_tokens=5))
    timing = output.metadata["agentdyno"]
    assert isinstance(timing["latency_valid"], bool)
    assert 0 <= timing["loop_cpu_share"] <= timing["process_cpu_share"] + 0.1
    assert timing["tools_kept"] is True


def test_a_call_that_failed_to_the_last_says_with_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    with FakeServer(reply=lambda body: {"status": 503}) as server:
        config = GenerateConfig(max_retries=1)
        with pytest.raises(openai.InternalServerError, match="as asked"):
            ask_for(server, config=config)


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
