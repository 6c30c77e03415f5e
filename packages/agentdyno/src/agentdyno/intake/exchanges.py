"""A request to a model and what came back, in any provider's shape, under the names of OTel GenAI.

Takes two decoded bodies (Anthropic Messages, OpenAI chat or Responses, Bedrock Converse, Gemini;
the answer whole, or as the events of a stream) and returns attributes of a model call, which
`intake.spans` turns into a turn. Gateways, proxies and platforms differ only in what they wrap
around these bodies.

Counts leave here as the conventions have them: cached tokens inside the input, reasoning inside
the output.
"""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.exchange_streams import join_events
from agentdyno.intake.responses_items import item_messages, output_message
from agentdyno.intake.texts import dicts_of, whole

Body = dict[str, Any]


def exchange_attributes(request: Any, response: Any) -> dict[str, Any]:
    """All attributes of a call from the two bodies; either may be missing."""
    sent = request if isinstance(request, dict) else {}
    received = join_events(response) if isinstance(response, list | str) else response
    answered = received if isinstance(received, dict) else {}
    attributes = {**request_attributes(sent), **response_attributes(answered)}
    return {name: value for name, value in attributes.items() if value not in (None, [], "")}


def request_attributes(body: Body) -> dict[str, Any]:
    """Attributes of the request: messages, instructions, tools."""
    messages = body.get("messages", body.get("contents"))
    if messages is None and "input" in body:
        messages = item_messages(body["input"])
    system = first_of(body, "system", "instructions", "systemInstruction", "system_instruction")
    return {
        "gen_ai.request.model": first_of(body, "model", "modelId"),
        "gen_ai.system_instructions": _instructions(system),
        "gen_ai.input.messages": messages if isinstance(messages, list) else None,
        "gen_ai.tool.definitions": list(iterate_tools(body)),
        "previous_response_id": body.get("previous_response_id"),
    }


def _instructions(system: Any) -> Any:
    if isinstance(system, dict):
        return system.get("parts") or system.get("content")
    return system


def iterate_tools(body: Body) -> Iterator[Body]:
    """The tools on offer, one object each, without what is meant for the API alone."""
    config = body.get("toolConfig")
    listed = config.get("tools") if isinstance(config, dict) else body.get("tools")
    for tool in dicts_of(listed) + dicts_of(body.get("functions")):
        groups = first_of(tool, "functionDeclarations", "function_declarations")
        if isinstance(groups, list):
            yield from dicts_of(groups)
        elif isinstance(spec := tool.get("toolSpec"), dict):
            yield spec
        elif not tool.get("defer_loading"):
            yield {k: v for k, v in tool.items() if k != "cache_control"}


def response_attributes(body: Body) -> dict[str, Any]:
    """Attributes of the response: one answer, its finish reason, its counts."""
    message, finish = _answer(body)
    return {
        "gen_ai.response.id": first_of(body, "id", "responseId"),
        "gen_ai.response.model": first_of(body, "model", "modelVersion"),
        "gen_ai.output.messages": None if message is None else [message],
        "gen_ai.response.finish_reasons": [finish] if isinstance(finish, str) else None,
        "openai.response.service_tier": _service_tier(body),
        "error": _error(body),
        **usage_attributes(first_of(body, "usage", "usageMetadata")),
    }


def _answer(body: Body) -> tuple[Any, Any]:
    """The first answer as a message, and why it ended."""
    if choice := next(iter(dicts_of(body.get("choices"))), None):
        return choice.get("message"), choice.get("finish_reason")
    if candidate := next(iter(dicts_of(body.get("candidates"))), None):
        return candidate.get("content"), candidate.get("finishReason")
    output = body.get("output")
    if isinstance(output, list):
        return output_message(output), body.get("status")
    if isinstance(output, dict) and isinstance(output.get("message"), dict):
        return output["message"], body.get("stopReason")
    if isinstance(body.get("content"), list | str):
        return {"role": "assistant", "content": body["content"]}, body.get("stop_reason")
    return None, None


def _service_tier(body: Body) -> Any:
    usage = body.get("usage")
    inner = usage.get("service_tier") if isinstance(usage, dict) else None
    return inner or body.get("service_tier")


def _error(body: Body) -> str | None:
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return str(message) if message else None


def usage_attributes(usage: Any) -> dict[str, Any]:
    """Counts of any provider, under one set of names and with one meaning."""
    if not isinstance(usage, dict):
        return {}
    into, out = (_count(usage, *names) for names in (_INPUT, _OUTPUT))
    read, written = _count(usage, *_READ), _count(usage, *_WRITTEN)
    if into is not None and _counts_cache_apart(usage):
        into += (read or 0) + (written or 0)
    thought = _count(usage, *_REASONING)
    if out is not None and "candidatesTokenCount" in usage:
        out += thought or 0  # Gemini counts thoughts beside the answer.
    return {
        "gen_ai.usage.input_tokens": into,
        "gen_ai.usage.output_tokens": out,
        "gen_ai.usage.cache_read.input_tokens": read,
        "gen_ai.usage.cache_creation.input_tokens": written,
        "gen_ai.usage.cache_creation.hour_tokens": _count(usage, *_HOUR),
        "gen_ai.usage.reasoning_tokens": thought,
        "gen_ai.usage.cost": usage.get("cost"),
    }


_INPUT = ("prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount")
_OUTPUT = ("completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount")
_READ = (
    "cache_read_input_tokens", "cacheReadInputTokens", "prompt_tokens_details.cached_tokens",
    "input_tokens_details.cached_tokens", "prompt_cache_hit_tokens", "cachedContentTokenCount",
)  # fmt: skip
_WRITTEN = (
    "cache_creation_input_tokens", "cacheWriteInputTokens",
    "prompt_tokens_details.cache_creation_tokens", "prompt_tokens_details.cache_write_tokens",
    "input_tokens_details.cache_write_tokens",
)  # fmt: skip
_HOUR = ("cache_creation.ephemeral_1h_input_tokens",)
_REASONING = (
    "completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens", "thoughtsTokenCount",
)  # fmt: skip


def _counts_cache_apart(usage: Body) -> bool:
    """Anthropic and Bedrock count what the cache took or gave beside the input."""
    if "inputTokens" in usage:
        return True
    return "input_tokens" in usage and "input_tokens_details" not in usage


def _count(usage: Body, *names: str) -> int | None:
    for name in names:
        outer, _, inner = name.partition(".")
        value = usage.get(outer)
        if inner:
            value = value.get(inner) if isinstance(value, dict) else None
        if (count := whole(value)) is not None:
            return count
    return None


def first_of(body: Body, *names: str) -> Any:
    """The first of these fields that is set."""
    return next((body[name] for name in names if body.get(name) is not None), None)
