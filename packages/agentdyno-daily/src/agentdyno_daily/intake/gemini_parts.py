"""Messages and counts in the shape of the Gemini API, as several agents store them.

Takes the content of a message (a text, a part, a list of them) and usage counts; returns texts,
calls, results and the fields of a turn. Knows nothing of files or of any agent.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from agentdyno.intake.texts import beyond, compact_json, first_line, is_beside, whole
from agentdyno.records import read_reported


class Usage(Struct, gc=False):
    """`usageMetadata`: the prompt includes what was cached."""

    promptTokenCount: Any = None
    candidatesTokenCount: Any = None
    cachedContentTokenCount: Any = None
    thoughtsTokenCount: Any = None
    toolUsePromptTokenCount: Any = None
    totalTokenCount: Any = None


class FunctionCall(NamedTuple):
    """A call that a part asks for."""

    id: str | None
    name: str
    arguments: str


class FunctionResponse(NamedTuple):
    id: str | None
    name: str | None
    text: str
    error: str | None


def usage_fields(usage: Usage | None) -> dict[str, Any]:
    """Token counts as fields of a `Turn`; zero everywhere means that nobody counted.

    Gemini counts thoughts beside the answer and the prompt of its own tools beside the prompt.
    Servers with OpenAI's conventions count thoughts inside; the total tells which.
    """
    if usage is None:
        return {}
    prompt, answer = whole(usage.promptTokenCount), whole(usage.candidatesTokenCount)
    thoughts, tools = whole(usage.thoughtsTokenCount), whole(usage.toolUsePromptTokenCount) or 0
    context = None if prompt is None else prompt + tools
    surplus = beyond(whole(usage.totalTokenCount), context, answer)
    output = answer
    if thoughts and is_beside(thoughts, answer, surplus):
        output = (answer or 0) + thoughts
    if not context and not output:
        return {}
    return {
        "prefill": read_reported(context or None),
        "cached_tokens": whole(usage.cachedContentTokenCount) if context else None,
        "decode": read_reported(output or None),
        "reasoning_tokens": thoughts,
    }


def iterate_parts(content: Any) -> Iterator[dict[str, Any]]:
    """The parts of a message, whichever way it was written."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield {"text": part}
        elif isinstance(part, dict):
            yield part


def visible_text(content: Any) -> str:
    """The text that a reader of the conversation sees; thoughts, calls and results are left out."""
    return _join(part for part in iterate_parts(content) if not part.get("thought"))


def thought_text(content: Any) -> str:
    return _join(part for part in iterate_parts(content) if part.get("thought"))


def _join(parts: Iterator[dict[str, Any]]) -> str:
    texts = (part.get("text") for part in parts)
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def iterate_calls(content: Any) -> Iterator[FunctionCall]:
    for part in iterate_parts(content):
        call = part.get("functionCall")
        if isinstance(call, dict):
            yield FunctionCall(
                _text(call.get("id")), _text(call.get("name")) or "", arguments_text(call)
            )


def arguments_text(call: dict[str, Any]) -> str:
    """The arguments of a call as JSON text."""
    args = call.get("args")
    return compact_json({} if args is None else args)


def iterate_responses(content: Any) -> Iterator[FunctionResponse]:
    for part in iterate_parts(content):
        fields = part.get("functionResponse")
        if not isinstance(fields, dict):
            continue
        response = fields.get("response")
        text, error = response, None
        if isinstance(response, dict):
            error = response.get("error")
            text = response.get("output", error if error is not None else response)
        readable = "" if text is None else compact_json(text)
        failed = first_line(compact_json(error)) or "error" if error is not None else None
        yield FunctionResponse(_text(fields.get("id")), _text(fields.get("name")), readable, failed)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
