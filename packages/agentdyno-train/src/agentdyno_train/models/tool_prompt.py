"""Inspect's messages and tools as a plain chat, and calls read back from what a model wrote.

Takes messages and tools of Inspect, returns those of `engines.chat`, which writes the prompt; and,
from what the model wrote, its text and its calls. A call that cannot be read is kept as written,
with the reason; nothing is repaired.
"""

import json
import re
from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolInfo

from agentdyno_bench.shared.models.replies import WrittenCall
from agentdyno_depth.engines.chat import ChatCall, ChatTool
from agentdyno_depth.engines.chat import ChatMessage as PlainMessage

WRITTEN = "written"
"""Where an answer's text before parsing stands in its message's metadata."""
_CALL = re.compile(r"<tool_call>(.*?)(</tool_call>|\Z)", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"\\]{1,80})"')


def chat_of(messages: Sequence[ChatMessage]) -> list[PlainMessage]:
    """Inspect's messages as a plain chat."""
    return [_plain(message) for message in messages]


def tools_of(tools: Sequence[ToolInfo]) -> list[ChatTool]:
    """Inspect's tools."""
    return [
        ChatTool(tool.name, tool.description, tool.parameters.model_dump(exclude_none=True))
        for tool in tools
    ]


def _plain(message: ChatMessage) -> PlainMessage:
    if isinstance(message, ChatMessageTool):
        return PlainMessage("tool", message.error.message if message.error else message.text)
    if isinstance(message, ChatMessageAssistant):
        calls = tuple(
            ChatCall(call.function, json.dumps(call.arguments)) for call in message.tool_calls or ()
        )
        metadata = message.metadata or {}
        written = str(metadata[WRITTEN]) if WRITTEN in metadata else None
        return PlainMessage("assistant", message.text, calls=calls, written=written)
    return PlainMessage(message.role, message.text)


def read_calls(text: str, turn: int) -> tuple[str, list[WrittenCall]]:
    """The text without its calls, and the calls."""
    calls: list[WrittenCall] = []
    for match in _CALL.finditer(text):
        calls += _calls(match[1], bool(match[2]), f"call_{turn}_{len(calls)}")
    return (_CALL.sub("", text).strip() if calls else text.strip()), calls


def _calls(body: str, closed: bool, name: str) -> list[WrittenCall]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        why = f"it is not JSON ({error})" if closed else "it has no end"
        return [_unreadable(name, body, why)]
    items = value if isinstance(value, list) and value else [value]
    return [_read_call(f"{name}_{i}" if i else name, item, body) for i, item in enumerate(items)]


def _read_call(name: str, item: object, body: str) -> WrittenCall:
    if not isinstance(item, dict):
        return _unreadable(name, body, "it is not a JSON object")
    if not isinstance(item.get("name"), str):
        return _unreadable(name, body, "it names no tool")
    if "arguments" not in item:
        return _unreadable(name, body, "it has no arguments")
    return WrittenCall(name, item["name"], json.dumps(item["arguments"], ensure_ascii=False))


def _unreadable(name: str, body: str, why: str) -> WrittenCall:
    tool = _NAME.search(body)
    return WrittenCall(name, tool[1] if tool else "", body, f"This tool call is malformed: {why}.")
