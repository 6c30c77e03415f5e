"""Anthropic Messages: lists of messages, and logs of requests with their responses."""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

# Tuples: a damaged file may have anything in the place of a type.
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_THINKING = ("thinking", "redacted_thinking")


def detect(head: Head) -> float:
    """0.9 and more for what only this API writes, 0.7 for plain talk beside a `system` field."""
    if head.first is None and not head.lines:
        return _score_of_cut(head)
    return max(_score(record) for record in samples(head))


def one_per_line(head: Head) -> bool:
    """Lists of messages, one a line; in a log, lines belong together."""
    return is_lines(head) and not any(is_logged_call(record) for record in head.lines)


def is_lines(head: Head) -> bool:
    """Also where lines begin records although none of them decodes."""
    return head.is_lines or (not head.lines and not head.is_list and _many(head))


def _many(head: Head) -> bool:
    return b"\n{" in head.data


def samples(head: Head) -> Iterator[Any]:
    """The first records, whether the file is lines, one document or a list."""
    yield from head.lines[:20]
    yield head.first
    if isinstance(head.first, list):
        yield from head.first[:20]


def is_logged_call(record: Any) -> bool:
    return isinstance(record, dict) and (
        _is_request(record.get("request")) or _is_request(record.get("body"))
    )


def _is_request(request: Any) -> bool:
    return isinstance(request, dict) and isinstance(request.get("messages"), list)


def _score(record: Any) -> float:
    if isinstance(record, list):
        return 0.9 if _has_blocks(record) else 0.0
    if not isinstance(record, dict):
        return 0.0
    if is_logged_call(record):
        return _score_of_call(record.get("request") or record.get("body"), record.get("response"))
    return _score_of_request(record)


def _score_of_call(request: Any, response: Any) -> float:
    if isinstance(response, dict) and response.get("type") == "message":
        return 0.95
    failed = not isinstance(response, dict) or response.get("type") == "error"
    return 0.85 if failed and _score_of_request(request) > 0 else 0.0


def _score_of_request(request: dict[str, Any]) -> float:
    messages = request.get("messages")
    if not isinstance(messages, list) or not all(map(_is_message, messages)):
        return 0.0
    if _has_blocks(messages) or _has_schemas(request.get("tools")):
        return 0.9
    return 0.7 if isinstance(request.get("system"), str | list) and messages else 0.0


def _is_message(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") in ("user", "assistant", "system")


def _has_blocks(messages: list[Any]) -> bool:
    return any(
        _is_own_block(block)
        for message in messages
        if _is_message(message) and isinstance(message.get("content"), list)
        for block in message["content"]
    )


def _is_own_block(block: Any) -> bool:
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    return (
        (kind in _CALLS and "input" in block)
        or (kind == "tool_result" and "tool_use_id" in block)
        or (kind in _THINKING and ("signature" in block or "data" in block))
    )


def _has_schemas(tools: Any) -> bool:
    return isinstance(tools, list) and any(
        isinstance(tool, dict) and "input_schema" in tool for tool in tools
    )


def _score_of_cut(head: Head) -> float:
    """A document whose beginning does not decode: too large, or damaged."""
    if not head.keys & {"messages", "role", "request"} or "trajectory_format" in head.keys:
        return 0.0
    marks = (b'"tool_use_id"', b'"input_schema"', b'"redacted_thinking"')
    return 0.7 if any(mark in head.data for mark in marks) else 0.0


FORMAT = Format(
    name="anthropic_messages",
    title="Anthropic Messages: message lists or request/response logs (JSON, JSONL)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.anthropic_messages.read"),
    by_line=one_per_line,
    description=(
        "Read: messages, calls, results, errors, schemas, system prompt, tokens with cache reads, "
        "cache writes by lifetime and thinking where a response has them; in a log of requests, "
        "which belong to one conversation, retries, response ids, costs and latency. Missing: in "
        "plain lists of messages, tokens (estimated from the texts) and times."
    ),
)
