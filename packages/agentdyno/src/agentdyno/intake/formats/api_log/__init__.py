"""Calls to model APIs as they went over the wire: proxies, HAR files, Claude Code's raw bodies."""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

BODIES = (".request.json", ".response.json")
STREAMED = {"sse_events", "sse_lines"}
"""Where a proxy writes the events of a streamed answer: decoded, or as lines of text."""
_PATHS = (b"/messages", b"/chat/completions", b"/responses", b"enerateContent", b"/converse")


def detect(head: Head) -> float:
    """0.95 for a capture, 0.97 for a body in a file of its own, 0.85 for logged Responses calls."""
    if is_har(head):
        return 0.95 if any(path in head.data for path in _PATHS) else 0.0
    if head.path.name.endswith(BODIES):
        return 0.97 if head.keys & {"messages", "content", "input"} else 0.0
    first = head.first if isinstance(head.first, list) else [head.first]
    return max((_score(record) for record in [*head.lines[:20], *first[:20]]), default=0.0)


def is_har(head: Head) -> bool:
    return "log" in head.keys and not head.is_list and b'"entries"' in head.data


def _score(record: Any) -> float:
    if not isinstance(record, dict):
        return 0.0
    request, response = record.get("request"), record.get("response")
    if _is_response(record) or _is_response(response):
        return 0.85
    if not isinstance(request, dict):
        return 0.0
    body = request.get("body")
    if isinstance(body, dict) and body.keys() & {"messages", "input", "contents"}:
        return 0.95
    if "messages" in request:
        # Logs of whole answers have formats of their own.
        return 0.95 if isinstance(response, dict) and response.keys() & STREAMED else 0.0
    return 0.85 if request.keys() & {"input", "contents"} else 0.0


def _is_response(value: Any) -> bool:
    return isinstance(value, dict) and value.get("object") == "response" and "output" in value


FORMAT = Format(
    name="api_log",
    title="Captured API calls: proxies, HAR, OpenAI Responses logs, Claude Code's raw bodies",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.api_log.read"),
    version=2,
    description=(
        "Read: every request in full (system prompt, tool schemas, messages), responses whole or "
        "streamed, of Anthropic, OpenAI (chat and Responses), Bedrock and Gemini; tokens with "
        "cache reads, cache writes and reasoning; response ids, so that a call that a session file "
        "or a gateway has too counts once; times where the capture has them. Nothing of the prompt "
        "is hidden. A folder that OTEL_LOG_RAW_API_BODIES=file:DIR filled is read as a whole, its "
        "responses matched to requests by what later requests repeat. Missing: prices, times of "
        "tools, which conversation started which."
    ),
)
