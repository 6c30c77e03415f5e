"""Tool calls whose arguments are not a JSON object: refused, and quoted as they were written.

Inspect turns `5` into the first parameter, drops a stray quote, and says nothing. Here such a
call carries a parse error, so the tool does not run and the model is told why. What the model
wrote is taken from the provider's own answer: chat completions or responses.
"""

import json
from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ModelCall, ModelOutput
from inspect_ai.tool import ToolCall, ToolInfo

from agentdyno_bench.models.refusals import parse_error


def refuse_malformed(
    output: ModelOutput, call: ModelCall | None, tools: Sequence[ToolInfo]
) -> None:
    """Marks malformed calls in the answer; sound ones stay as they are."""
    calls = output.message.tool_calls if output.choices else None
    if not calls or call is None:
        return
    takes_none = {tool.name for tool in tools if not tool.parameters.properties}
    for tool_call, text in _pair_calls(calls, _find_written(call.response)):
        empty_is_fine = tool_call.function in takes_none and not text.strip()
        if not empty_is_fine and (problem := _problem(text)) is not None:
            tool_call.arguments = {}
            tool_call.parse_error = parse_error(text, problem)


def _problem(text: str) -> str | None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return f"They are not JSON: {error.msg} at character {error.pos}."
    except RecursionError:
        return "They are nested too deep."
    return None if isinstance(value, dict) else "They are JSON but not an object."


def _pair_calls(
    calls: list[ToolCall], written: list[tuple[str, str]]
) -> list[tuple[ToolCall, str]]:
    """Calls with their texts: in order where there are as many, else by id."""
    if len(calls) == len(written):
        return [(call, text) for call, (_, text) in zip(calls, written, strict=True)]
    texts = dict(written)
    return [(call, texts[call.id]) for call in calls if call.id in texts]


def _find_written(response: Any) -> list[tuple[str, str]]:
    """Id and arguments of each call, as the provider sent them."""
    items = _chat_items(response) or _response_items(response)
    return [(str(name), text) for name, text in items if isinstance(text, str)]


def _chat_items(response: Any) -> list[tuple[Any, Any]]:
    choices = _get(response, "choices")
    message = _get(choices[0], "message") if isinstance(choices, list) and choices else None
    calls = _get(message, "tool_calls")
    if not isinstance(calls, list):
        return []
    return [(_get(c, "id"), _get(_get(c, "function"), "arguments")) for c in calls]


def _response_items(response: Any) -> list[tuple[Any, Any]]:
    output = _get(response, "output")
    if not isinstance(output, list):
        return []
    calls = [item for item in output if _get(item, "type") == "function_call"]
    return [(_get(c, "call_id"), _get(c, "arguments")) for c in calls]


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None
