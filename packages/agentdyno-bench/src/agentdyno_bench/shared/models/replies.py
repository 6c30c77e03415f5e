"""A model's answer in the shapes that Inspect logs and intake reads.

The provider's own answer is kept in the form of chat completions, with the arguments of tool
calls as text: that is where malformed ones can still be read.
"""

import json
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
    ModelCall,
    ModelOutput,
    ModelUsage,
    StopReason,
)
from inspect_ai.tool import ToolCall
from msgspec import Struct

from agentdyno_bench.shared.models.refusals import parse_error


class WrittenCall(Struct, frozen=True):
    """A tool call as a model wrote it."""

    id: str
    """Unique within the conversation."""
    tool: str
    arguments: str
    """The arguments, sound JSON or not."""
    problem: str | None = None
    """Why the call as a whole cannot be read; None when it can."""


def answer(
    model: str,
    text: str,
    calls: list[WrittenCall],
    usage: ModelUsage,
    stop_reason: StopReason,
    reasoning: str = "",
    request: dict[str, Any] | None = None,
    seconds: float | None = None,
) -> tuple[ModelOutput, ModelCall]:
    """Inspect's output and the exchange behind it."""
    message = ChatMessageAssistant(
        content=[ContentReasoning(reasoning=reasoning), ContentText(text=text)]
        if reasoning
        else text,
        tool_calls=[_call(written) for written in calls] or None,
        model=model,
        source="generate",
    )
    choice = ChatCompletionChoice(message=message, stop_reason=stop_reason)
    output = ModelOutput(model=model, choices=[choice], usage=usage)
    exchange = ModelCall(
        request=request or {}, response=_response(text, calls, stop_reason), time=seconds
    )
    return output, exchange


def _call(written: WrittenCall) -> ToolCall:
    if written.problem is not None:
        error = parse_error(written.arguments, written.problem)
        return ToolCall(id=written.id, function=written.tool, arguments={}, parse_error=error)
    try:
        arguments = json.loads(written.arguments)
    except (ValueError, RecursionError):
        arguments = None
    # What is no object is marked when the answer is metered, with the text beside it.
    sound = arguments if isinstance(arguments, dict) else {}
    return ToolCall(id=written.id, function=written.tool, arguments=sound)


def _response(text: str, calls: list[WrittenCall], stop_reason: StopReason) -> dict[str, Any]:
    tool_calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.tool, "arguments": call.arguments},
        }
        for call in calls
    ]
    message = {"role": "assistant", "content": text, "tool_calls": tool_calls}
    # Without a reason it would pass for an answer that broke off, and be asked for again.
    reason = "length" if stop_reason == "max_tokens" else stop_reason
    return {"choices": [{"index": 0, "message": message, "finish_reason": reason}]}
