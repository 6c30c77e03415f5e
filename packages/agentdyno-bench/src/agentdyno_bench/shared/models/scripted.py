"""`agentdyno/scripted`: answers by a script, for tests. The same input gives the same answer.

A script is a function `(input, tools, tool_choice, config) -> Reply | str` (plain or async), the
name `package.module:function` of one, or a JSON file:

    {"replies": [{"calls": [{"tool": "python", "arguments": {"code": "1+1"}}]}, {"text": "2"}]}

of which the n-th reply answers a conversation with n answers already in it; the last is repeated.
"""

import inspect
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
import msgspec
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_bench.shared.models.replies import WrittenCall, answer


class ReplyCall(Struct, frozen=True):
    """A tool call in a reply."""

    tool: str
    arguments: dict[str, Any] | str = {}
    """An object, or any text, such as malformed JSON."""
    id: str | None = None
    """Its id; None numbers it."""


class Reply(Struct, frozen=True):
    """One answer."""

    text: str = ""
    calls: list[ReplyCall] = []
    """Tool calls of the reply."""
    reasoning: str = ""
    latency_seconds: float = 0.0
    """How long the answer takes."""
    first_token_seconds: float | None = None
    """When the first piece comes, where the call is streamed; None for half of the latency."""
    prompt_tokens: int | None = None
    """Reported usage; None counts characters of messages, calls and tool schemas, four to the
    token."""
    decode_tokens: int | None = None
    """Reported usage; None counts characters, four to the token."""
    error: str | None = None
    """The call fails with this instead."""


Script = Callable[[list[ChatMessage], list[ToolInfo], ToolChoice, GenerateConfig], Any]


class ScriptedError(Exception):
    """A failure that the script asked for."""


class ScriptedAPI(ModelAPI):
    """The provider."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        script: Script | str | None = None,
        max_concurrency: int = 100_000,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._script = _load(script)
        self._max_concurrency = max_concurrency

    def max_connections(self) -> int:
        """As many as the run wants."""
        return self._max_concurrency

    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> tuple[ModelOutput | Exception, ModelCall]:
        """The script's reply, after its latency."""
        reply = self._script(input, tools, tool_choice, config)
        reply = await reply if inspect.isawaitable(reply) else reply
        reply = Reply(text=reply) if isinstance(reply, str) else reply
        await _take_time(reply)
        if reply.error is not None:
            raise ScriptedError(reply.error)
        return answer(
            self.model_name,
            reply.text,
            _calls(reply, input),
            _usage(reply, input, tools),
            "tool_calls" if reply.calls else "stop",
            reply.reasoning,
            {"tools": [tool.name for tool in tools], "tool_choice": str(tool_choice)},
        )


async def _take_time(reply: Reply) -> None:
    from inspect_ai.model import _stream

    first = reply.first_token_seconds
    first = reply.latency_seconds / 2 if first is None else first
    if _stream.model_stream_requested():
        await anyio.sleep(first)
        _stream.report_model_stream_start()
        await _stream.report_model_stream_delta(_stream.StreamTextEvent(text=reply.text or " "))
        await anyio.sleep(reply.latency_seconds - first)
    elif reply.latency_seconds:
        await anyio.sleep(reply.latency_seconds)


def _calls(reply: Reply, input: list[ChatMessage]) -> list[WrittenCall]:
    turn = _turn(input)
    return [
        WrittenCall(
            call.id or f"call_{turn}_{number}",
            call.tool,
            call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
        )
        for number, call in enumerate(reply.calls)
    ]


def _turn(input: list[ChatMessage]) -> int:
    return sum(message.role == "assistant" for message in input)


def _usage(reply: Reply, input: list[ChatMessage], tools: list[ToolInfo]) -> ModelUsage:
    # Counted here: Inspect would want to download a tokenizer.
    prompt = reply.prompt_tokens
    decode = reply.decode_tokens
    tokens_in = prompt if prompt is not None else 1 + _prompt_chars(input, tools) // 4
    output_tokens = decode if decode is not None else 1 + _reply_chars(reply) // 4
    return ModelUsage(
        input_tokens=tokens_in, output_tokens=output_tokens, total_tokens=tokens_in + output_tokens
    )


def _prompt_chars(input: list[ChatMessage], tools: list[ToolInfo]) -> int:
    """Characters of a model's input: texts, earlier calls, and the schema of every tool."""
    text_chars = sum(len(message.text) for message in input)
    called = sum(
        len(call.function) + len(json.dumps(call.arguments))
        for message in input
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or ()
    )
    return text_chars + called + sum(map(_schema_chars, tools))


def _schema_chars(tool: ToolInfo) -> int:
    # Every turn offers the same tools again: written out once each.
    key = (tool.name, tool.description, *tool.parameters.properties)
    if key not in _schemas:
        _schemas[key] = len(tool.model_dump_json(exclude_none=True))
    return _schemas[key]


_schemas: dict[tuple[str, ...], int] = {}


def _reply_chars(reply: Reply) -> int:
    calls = (
        call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
        for call in reply.calls
    )
    called = sum(map(len, calls)) + sum(len(call.tool) for call in reply.calls)
    return len(reply.text) + len(reply.reasoning) + called


def _load(script: Script | str | None) -> Script:
    if callable(script):
        return script
    if isinstance(script, str) and script.endswith(".json"):
        return _from_file(Path(script))
    if isinstance(script, str) and ":" in script:
        module, _, name = script.partition(":")
        script_object: Script = getattr(import_module(module), name)
        return script_object
    raise InputError(
        "agentdyno/scripted: expected the argument `script` (a function, package.module:function, "
        f"or a JSON file), found {script!r}."
    )


class _File(Struct):
    replies: list[Reply]


def _from_file(path: Path) -> Script:
    try:
        replies = msgspec.json.decode(path.read_bytes(), type=_File).replies
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{path}: expected a script with replies, found {error}") from None
    if not replies:
        raise InputError(f"{path}: expected at least one reply, found none.")

    def script(
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> Reply:
        return replies[min(_turn(input), len(replies) - 1)]

    return script
