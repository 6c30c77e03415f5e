"""Items of the OpenAI Responses API as messages: what was asked, called and answered, in order.

Takes the `input` of a request or the `output` of a response; returns messages whose content is a
list of blocks. A tool that ran on the server has its call and its result in one item.
"""

from typing import Any

Item = dict[str, Any]
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
_CLIENTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output",
            "computer_call_output")  # fmt: skip
"""Results that the client sends; others the server gives within its response."""
_NO_PART = ("type", "id", "status", "output", "error", "call_id", "server_label")


def item_messages(items: Any) -> list[Item]:
    """Items as messages; a plain text is a user's."""
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    messages: list[Item] = []
    for item in items if isinstance(items, list) else ():
        message = _message(item) if isinstance(item, dict) else None
        if message is None:
            continue
        if messages and message["role"] == messages[-1]["role"] == "assistant":
            # Items of one response come back one after the other.
            joined = [*_as_list(messages[-1]["content"]), *_as_list(message["content"])]
            messages[-1] = {"role": "assistant", "content": joined}
        else:
            messages.append(message)
    return messages


def output_message(items: list[Any]) -> Item | None:
    """All that one response put out, as one message of the assistant."""
    messages = item_messages(items)
    content = [block for message in messages for block in _as_list(message["content"])]
    return {"role": "assistant", "content": content} if messages else None


def _message(item: Item) -> Item | None:
    kind = item.get("type") or "message"
    if kind == "message":
        return {"role": item.get("role") or "user", "content": item.get("content") or ""}
    if kind == "reasoning":
        text = _reasoning(item)
        return {"role": "assistant", "content": [{"type": "reasoning", "content": text}]}
    call_id = item.get("call_id") or item.get("id")
    if kind in _CALLS:
        return {"role": "assistant", "content": [_call(item, call_id)]}
    if isinstance(kind, str) and kind.endswith("_output"):
        output = item.get("output", item.get("tools"))
        role = "tool" if kind in _CLIENTS else "assistant"
        return {"role": role, "content": [_result(call_id, output, None)]}
    if isinstance(kind, str) and kind.endswith("_call"):
        returned = item.get("output", item.get("results", item.get("result")))
        result = _result(call_id, returned, item.get("error"))
        return {"role": "assistant", "content": [_call(item, call_id), result]}
    return None


def _reasoning(item: Item) -> str:
    listed = [*_as_list(item.get("summary")), *_as_list(item.get("content"))]
    texts = (block.get("text") for block in listed if isinstance(block, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _call(item: Item, call_id: Any) -> Item:
    name = item.get("name") or str(item.get("type")).removesuffix("_call")
    arguments = item.get("arguments", item.get("input"))
    if arguments is None:
        arguments = {k: v for k, v in item.items() if k not in _NO_PART}
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": arguments}


def _result(call_id: Any, output: Any, error: Any) -> Item:
    value = output if output is not None else error if error is not None else ""
    failed = {"is_error": True} if error is not None else {}
    return {"type": "tool_call_response", "id": call_id, "response": value, **failed}


def _as_list(value: Any) -> list[Any]:
    if value in (None, ""):
        return []
    return value if isinstance(value, list) else [{"type": "text", "text": value}]
