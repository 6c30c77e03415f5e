"""The scripted model: the same input, the same answer; and everything a provider can get wrong."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams

from agentdyno.records import InputError
from agentdyno_bench import ModelSpec
from agentdyno_bench.models.metered import open_model
from agentdyno_bench.models.scripted import Reply, ReplyCall, ScriptedError


def ask(script: Any, input: Any = "hello", stream: bool = False) -> ModelOutput:
    model = open_model(ModelSpec("agentdyno/scripted", arguments={"script": script}), stream)
    return asyncio.run(model.generate(input))


def test_a_function_answers() -> None:
    output = ask(lambda input, *_: f"you said {input[-1].text}")
    assert output.completion == "you said hello"
    assert output.stop_reason == "stop"


def test_an_async_function_answers() -> None:
    async def script(*_: Any) -> Reply:
        return Reply(text="later", prompt_tokens=7, decode_tokens=3)

    output = ask(script)
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens) == (7, 3)


def test_usage_is_counted_when_the_script_gives_none() -> None:
    output = ask(lambda *_: "a" * 40, "b" * 80)
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens) == (21, 11)  # 1 + 80/4, 1 + 40/4


def test_a_file_answers_turn_by_turn(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    call = {"tool": "add", "arguments": {"x": 1}}
    script.write_text(json.dumps({"replies": [{"calls": [call]}, {"text": "done"}]}))
    first = ask(str(script))
    assert first.message.tool_calls is not None
    assert first.message.tool_calls[0].arguments == {"x": 1}
    history = [ChatMessageUser(content="q"), ChatMessageAssistant(content="a")]
    assert ask(str(script), history).completion == "done"
    assert ask(str(script), [*history, history[1]]).completion == "done"


def test_malformed_arguments_are_kept_and_refused() -> None:
    output = ask(lambda *_: Reply(calls=[ReplyCall("add", "{oops")]))
    assert output.message.tool_calls is not None
    assert "\n\n{oops\n\n" in (output.message.tool_calls[0].parse_error or "")


def test_an_error_is_raised() -> None:
    with pytest.raises(ScriptedError, match="out of order"):
        ask(lambda *_: Reply(error="out of order"))


def test_streaming_tells_the_first_token() -> None:
    reply = Reply(text="x", latency_seconds=0.4, first_token_seconds=0.1)
    output = ask(lambda *_: reply, stream=True)
    assert output.metadata is not None
    assert 0.1 <= output.metadata["agentdyno"]["first_token_seconds"] < 0.35
    assert (output.time or 0) >= 0.4


@pytest.mark.parametrize("script", [None, "nothing", "missing.json"])
def test_a_missing_script_is_said(script: str | None) -> None:
    with pytest.raises(InputError, match="expected"):
        ask(script)


def test_an_unknown_model_is_said() -> None:
    with pytest.raises(InputError, match="agentdyno/smollm2"):
        open_model("agentdyno/gpt-9")


def test_an_unknown_provider_is_said() -> None:
    with pytest.raises(InputError, match="nosuch"):
        open_model("nosuch/model")


def test_usage_counts_tool_schemas_and_earlier_calls() -> None:
    tool = ToolInfo(name="add", description="Adds.", parameters=ToolParams())
    call = ToolCall(id="1", function="add", arguments={"x": 1})
    history = [
        ChatMessageUser(content="b" * 80),
        ChatMessageAssistant(content="", tool_calls=[call]),
    ]
    model = open_model(ModelSpec("agentdyno/scripted", arguments={"script": lambda *_: "a"}))

    def given(input: Any, tools: list[ToolInfo]) -> int:
        output = asyncio.run(model.generate(input, tools=tools))
        assert output.usage is not None
        return output.usage.input_tokens

    schema = len(tool.model_dump_json(exclude_none=True))
    assert given("b" * 80, []) == 21
    assert given("b" * 80, [tool]) == 1 + (80 + schema) // 4
    assert given(history, []) == 1 + (80 + len("add") + len('{"x": 1}')) // 4
