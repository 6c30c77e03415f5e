"""OpenAI chat completions: lists of messages, and logs of requests with their responses."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

# A tuple: a damaged record may hold anything as its role, also what cannot be hashed.
ROLES = ("system", "developer", "user", "assistant", "tool", "function")


def detect(head: Head) -> float:
    """0.6 for messages anybody may write, 0.8 for a log that only this API produces."""
    samples = _samples(head)[:20]
    dicts = [record for record in samples if isinstance(record, dict)]
    if any(_is_anthropic(record) or _is_event(record) for record in dicts):
        return 0.0
    if samples:
        return max(_score(record) for record in samples)
    chat_keys = head.keys & {"messages", "role", "request"}
    return 0.5 if chat_keys and _looks_like_chat(head.data) else 0.0


def one_per_line(head: Head) -> bool:
    """Lists of messages, one a line; in a log, lines belong together, and so do messages."""
    return head.is_lines and not is_log(head) and not any(is_message(r) for r in head.lines)


def is_log(head: Head) -> bool:
    """True when the file's records are model calls with their answers."""
    samples = _samples(head)
    return any(map(is_logged_call, samples)) or (not samples and "request" in head.keys)


def is_message(record: Any) -> bool:
    """True for one message by itself."""
    return isinstance(record, dict) and record.get("role") in ROLES and "messages" not in record


def _samples(head: Head) -> list[Any]:
    if len(head.lines) > 1:
        return head.lines
    return head.first if isinstance(head.first, list) else head.lines or _list(head.first)


def _list(value: Any) -> list[Any]:
    return [] if value is None else [value]


def is_logged_call(record: Any) -> bool:
    """True for one model call with its answer."""
    return isinstance(record, dict) and (
        _is_chat_request(record.get("request"))
        or _is_chat_request(record.get("body"))
        or is_flat_call(record)
    )


def is_flat_call(record: dict[str, Any]) -> bool:
    """True when messages are beside the response to them, as home-made loggers write it."""
    response = record.get("response")
    answered = isinstance(response, dict) and bool(response.keys() & {"choices", "error"})
    return answered and _is_chat_request(record)


def _is_chat_request(request: Any) -> bool:
    return isinstance(request, dict) and _is_chat(request.get("messages"))


def _score(record: Any) -> float:
    if isinstance(record, list):
        return 0.6 if _is_chat(record) else 0.0
    if not isinstance(record, dict):
        return 0.0
    if is_logged_call(record):
        return 0.8 if _answer_is_ours(record.get("response")) else 0.0
    if _is_chat(record.get("messages")):
        return 0.6
    return 0.6 if is_message(record) and "content" in record else 0.0


def _answer_is_ours(response: Any) -> bool:
    return not isinstance(response, dict) or bool(
        response.keys() & {"choices", "error", "body"} or not response
    )


def _is_chat(messages: Any) -> bool:
    """OpenAI messages, and not Anthropic's: those put calls and results into content blocks."""
    if not isinstance(messages, list) or not messages:
        return False
    return all(
        isinstance(m, dict) and m.get("role") in ROLES and not _is_anthropic(m) for m in messages
    )


def _is_anthropic(message: dict[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(
        isinstance(b, dict)
        and b.get("type") in ("tool_use", "tool_result", "thinking", "redacted_thinking")
        for b in content
    )


def _is_event(record: dict[str, Any]) -> bool:
    """True for a call, a result or a mark among messages, as agents' own files have them."""
    if "role" in record:
        return str(record["role"]).startswith("_")
    return record.get("type") in ("tool_use", "tool_result")


def _looks_like_chat(data: bytes) -> bool:
    return b'"role"' in data and b'"tool_use"' not in data


FORMAT = Format(
    name="openai_chat",
    title="OpenAI chat completions: message lists or request/response logs (JSON, JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.openai_chat.read"),
    by_line=one_per_line,
    version=2,
    description=(
        "Read: messages, calls, results, schemas, tokens with cache reads and reasoning where a "
        "response or a message has them; in a log of requests, which belong to one conversation, "
        "retries, response ids, costs and latency. Missing: in plain lists of messages, tokens "
        "(counted from the texts) and times; errors of tools are read from their text."
    ),
)
