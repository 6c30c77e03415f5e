"""Turns the stored input and output of a model call into a request and a response.

Platforms keep whatever a framework handed them: a provider's body, a list of messages, LangChain's
serialised messages, a plain text, any of them as JSON in a string, some twice. Takes that, returns
bodies that `intake.exchanges` reads; what cannot be understood is left out.
"""

from typing import Any

from agentdyno.intake.spans.messages import parse_json

Body = dict[str, Any]
_ITEMS = ("function_call", "function_call_output", "reasoning", "mcp_call", "web_search_call")
_RESPONSE = ("choices", "candidates", "output", "stop_reason", "stopReason")
_LANGCHAIN_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant"}


def loose_request(value: Any) -> Body:
    """The body that an input amounts to; empty where none is recorded."""
    decoded = decode_twice(value)
    if isinstance(decoded, str):
        return {"messages": [{"role": "user", "content": decoded}]} if decoded else {}
    if isinstance(decoded, list):
        return _listed(decoded)
    if not isinstance(decoded, dict):
        return {}
    for name in ("messages", "contents", "input"):
        inner = decode_twice(decoded.get(name))
        if isinstance(inner, list):
            more_fields = {key: value for key, value in decoded.items() if key != name}
            return {**more_fields, **_listed(inner)}
        if isinstance(inner, str) and inner:
            return {**decoded, name: [{"role": "user", "content": inner}]}
    text = decoded.get("prompt", decoded.get("content"))
    return {**decoded, "messages": [{"role": "user", "content": text}]} if text else decoded


def _listed(items: list[Any]) -> Body:
    if len(items) == 1 and isinstance(items[0], list):
        items = items[0]  # LangChain logs a batch of conversations, of one.
    if any(isinstance(item, dict) and item.get("type") in _ITEMS for item in items):
        return {"input": items}
    tools = [item["content"] for item in items if _is_schema(item)]
    messages = [plain_message(item) for item in items if not _is_schema(item)]
    names = [call.get("name") for message in messages for call in _functions(message)]
    called = {name for name in names if isinstance(name, str)}
    messages = [_as_result(message, called) for message in messages]
    return {"messages": messages, **({"tools": tools} if tools else {})}


def _functions(message: Any) -> list[Body]:
    listed = message.get("tool_calls") if isinstance(message, dict) else None
    calls = [call for call in listed or () if isinstance(call, dict)] if listed else []
    return [call["function"] for call in calls if isinstance(call.get("function"), dict)]


def _as_result(message: Any, called: set[str]) -> Any:
    """Langfuse's handler for LangChain writes a tool's name where its role should be."""
    role = message.get("role") if isinstance(message, dict) else None
    is_tool = isinstance(role, str) and role in called
    return {**message, "role": "tool", "name": role} if is_tool else message


def _is_schema(item: Any) -> bool:
    """Langfuse's handler for LangChain puts the tools on offer among the messages."""
    content = item.get("content") if isinstance(item, dict) else None
    return isinstance(content, dict) and isinstance(content.get("function"), dict)


def loose_response(value: Any) -> Body:
    """The body that an output amounts to; empty where none is recorded."""
    decoded = decode_twice(value)
    if isinstance(decoded, str):
        return {"content": decoded} if decoded not in ("", "None", "null") else {}
    if isinstance(decoded, list):
        return _answers(decoded)
    if not isinstance(decoded, dict):
        return {}
    if isinstance(decoded.get("generations"), list):
        return _generation(decoded)
    if isinstance(decoded.get("message"), dict):
        return {**decoded, "choices": [{**decoded, "message": plain_message(decoded["message"])}]}
    if isinstance(decoded.get("messages"), list):
        return _answers(decoded["messages"])
    if isinstance(decoded.get("content"), dict):  # Google's ADK keeps one candidate.
        return {**decoded, "candidates": [decoded]}
    if any(decoded.get(name) is not None for name in _RESPONSE):
        return decoded
    return {**decoded, "choices": [{"message": plain_message(decoded), **_finish(decoded)}]}


def _answers(items: list[Any]) -> Body:
    """A list of messages of which the last is the answer, or of calls alone."""
    dicts = [item for item in items if isinstance(item, dict)]
    if dicts and all("toolName" in item for item in dicts):
        return {"choices": [{"message": {"role": "assistant", "tool_calls": dicts}}]}
    if any(item.get("type") in _ITEMS for item in dicts):
        return {"output": dicts}
    if dicts and isinstance(dicts[-1].get("message"), dict):
        return {"choices": dicts}
    if not dicts:
        return {}
    last = plain_message(dicts[-1])
    return {"choices": [{"message": last, **_finish(dicts[-1])}]}


def _finish(message: Body) -> Body:
    return {"finish_reason": message.get("finish_reason")}


def _generation(result: Body) -> Body:
    """LangChain's result: a batch of one, with the counts in one of three places."""
    first: Any = result["generations"]
    while isinstance(first, list):
        first = first[0] if first else None
    if not isinstance(first, dict):
        return {}
    raw = first.get("message")
    kwargs = _kwargs(raw) if isinstance(raw, dict) else {}
    outer = result.get("llm_output")
    usage = kwargs.get("usage_metadata") or _usage(kwargs.get("response_metadata")) or _usage(outer)
    message = plain_message(raw) if isinstance(raw, dict) else {"content": first.get("text")}
    info = first.get("generation_info")
    return {
        "choices": [{"message": message, **(_finish(info) if isinstance(info, dict) else {})}],
        "usage": langchain_usage(usage),
        "id": kwargs.get("id"),
        "model": outer.get("model_name") if isinstance(outer, dict) else None,
    }


def _usage(outer: Any) -> Any:
    return (outer.get("token_usage") or outer.get("usage")) if isinstance(outer, dict) else None


def langchain_usage(usage: Any) -> Any:
    """LangChain's counts include what was cached; its details have names of their own."""
    if not isinstance(usage, dict) or "input_token_details" not in usage:
        return usage
    read, out = usage.get("input_token_details"), usage.get("output_token_details")
    read = read if isinstance(read, dict) else {}
    return {
        "prompt_tokens": usage.get("input_tokens"),
        "completion_tokens": usage.get("output_tokens"),
        "cache_read_input_tokens": read.get("cache_read"),
        "cache_creation_input_tokens": read.get("cache_creation"),
        "completion_tokens_details": {
            "reasoning_tokens": out.get("reasoning") if isinstance(out, dict) else None
        },
    }


def plain_message(message: Any) -> Any:
    """A message of LangChain's with role and calls as others have them; any other as it is."""
    if isinstance(message, list) and len(message) == 2 and all(isinstance(m, str) for m in message):
        return {"role": _LANGCHAIN_ROLES.get(message[0], message[0]), "content": message[1]}
    if not isinstance(message, dict):
        return message
    fields = _kwargs(message)
    extra = fields.get("additional_kwargs")
    more = extra.get("tool_calls") if isinstance(extra, dict) else None
    calls = fields.get("tool_calls") or more
    plain = {**fields, "tool_calls": calls} if calls else fields
    kind = fields.get("type")
    if "role" not in fields and isinstance(kind, str):
        plain = {**plain, "role": _LANGCHAIN_ROLES.get(kind, kind)}
    return plain


def _kwargs(message: Body) -> Body:
    """The fields that LangChain's serialiser wrapped: the class in `id`, the fields in `kwargs`."""
    inner = message.get("kwargs", message.get("data"))
    if not isinstance(inner, dict):
        return message
    names = message.get("id")
    name = str(names[-1]) if isinstance(names, list) and names else str(message.get("type") or "")
    role = name.removesuffix("Chunk").removesuffix("Message").lower()
    return {"type": role, **inner}


def decode_twice(value: Any) -> Any:
    """JSON text decoded, also where it was encoded twice."""
    decoded = parse_json(value)
    if isinstance(decoded, str) and decoded[:2] in ('"{', '"['):
        decoded = parse_json(decoded[1:-1].replace('\\"', '"'))
    return decoded
