"""Tools for a model whose chat template knows none: how they are offered, and calls read back.

Enters: messages and tools of Inspect. Leaves: plain messages for the template, and, from what the
model wrote, its text and its calls. A call that cannot be read is kept as written, with the
reason; nothing is repaired.
"""

import json
import re
from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool
from inspect_ai.tool import ToolInfo

from agentdyno.benchmarks.models.replies import WrittenCall

WRITTEN = "written"
"""Where an answer's text before parsing stands in its message's metadata."""
_CALL = re.compile(r"<tool_call>(.*?)(</tool_call>|\Z)", re.DOTALL)
_NAME = re.compile(r'"name"\s*:\s*"([^"\\]{1,80})"')
_OFFER = """You can use these tools, one JSON description on each line:
{tools}

To use a tool, write one line like this and then stop:
<tool_call>{{"name": "TOOL", "arguments": {{"PARAMETER": "VALUE"}}}}</tool_call>
What the tool gives back will be shown to you. When no tool is needed, answer directly."""


def plain_messages(
    messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]
) -> list[dict[str, str]]:
    """Role and text of each message; the tools are offered in the system message."""
    plain = [_plain(message) for message in messages]
    if tools:
        offer = _OFFER.format(tools="\n".join(_described(tool) for tool in tools))
        if plain and plain[0]["role"] == "system":
            plain[0] = {"role": "system", "content": f"{plain[0]['content']}\n\n{offer}"}
        else:
            plain.insert(0, {"role": "system", "content": offer})
    return plain


def _plain(message: ChatMessage) -> dict[str, str]:
    if isinstance(message, ChatMessageTool):
        shown = message.error.message if message.error else message.text
        text = f"<tool_response>{shown}</tool_response>"
        return {"role": "user", "content": text}
    if isinstance(message, ChatMessageAssistant):
        return {"role": "assistant", "content": _as_written(message)}
    return {"role": message.role, "content": message.text}


def _as_written(message: ChatMessageAssistant) -> str:
    if message.metadata and WRITTEN in message.metadata:
        return str(message.metadata[WRITTEN])
    calls = [
        json.dumps({"name": call.function, "arguments": call.arguments})
        for call in message.tool_calls or ()
    ]
    return "\n".join([message.text, *(f"<tool_call>{call}</tool_call>" for call in calls)]).strip()


def _described(tool: ToolInfo) -> str:
    parameters = tool.parameters.model_dump(exclude_none=True, exclude_defaults=True)
    about = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return json.dumps(about, ensure_ascii=False)


def read_calls(text: str, turn: int) -> tuple[str, list[WrittenCall]]:
    """What is left of the text without its calls, and the calls."""
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
    return [_one(f"{name}_{i}" if i else name, item, body) for i, item in enumerate(items)]


def _one(name: str, item: object, body: str) -> WrittenCall:
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
