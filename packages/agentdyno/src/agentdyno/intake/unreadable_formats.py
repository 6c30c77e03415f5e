"""Formats that we can name but not read, so that a person knows what was skipped.

Takes the beginning of a file, returns what a person calls its format, or None. Asked only after
every installed format has declined; reads nothing.
"""

from collections.abc import Callable
from typing import Any

from agentdyno.intake.head import Head


def find_known_format(head: Head) -> str | None:
    """The name of the format that the file looks like."""
    return next((name for name, looks in _KNOWN if looks(head)), None)


def _has(*keys: str) -> Callable[[Head], bool]:
    """Whether the first object has all of these keys."""
    expected = frozenset(keys)
    return lambda head: head.keys >= expected


def _records(head: Head) -> list[dict[str, Any]]:
    first = head.first if isinstance(head.first, list) else [head.first]
    return [record for record in [*head.lines[:20], *first[:20]] if isinstance(record, dict)]


def _is_mini_swe_agent(head: Head) -> bool:
    return "trajectory_format" in head.keys and b'"mini-swe-agent' in head.data


def _is_swe_agent(head: Head) -> bool:
    if head.keys >= {"trajectory", "history"}:
        return True
    return "trajectory" in head.keys and b'"action"' in head.data and b'"observation"' in head.data


def _is_openhands(head: Head) -> bool:
    event = head.is_list and head.keys >= {"id", "timestamp", "source", "message"}
    if event and head.keys & {"action", "observation"}:
        return True
    return head.keys >= {"history", "instruction", "metrics"}


def _is_openai_responses(head: Head) -> bool:
    """Logged calls, or the response objects themselves."""
    return any(
        _is_response(record) or _is_response(record.get("response")) or _is_asked(record)
        for record in _records(head)
    )


def _is_response(value: Any) -> bool:
    return isinstance(value, dict) and value.get("object") == "response" and "output" in value


def _is_asked(record: dict[str, Any]) -> bool:
    request = record.get("request")
    return isinstance(request, dict) and "input" in request and "messages" not in request


def _is_langfuse(head: Head) -> bool:
    if head.keys >= {"trace", "observations"}:
        return True
    data = head.data
    exported = b'"traceId"' in data and b'"parentObservationId"' in data
    return exported or (head.keys >= {"traceId", "type", "startTime"} and b'"GENERATION"' in data)


_KNOWN: tuple[tuple[str, Callable[[Head], bool]], ...] = (
    ("a mini-SWE-agent trajectory", _is_mini_swe_agent),
    ("an SWE-agent trajectory", _is_swe_agent),
    ("a ToolBench answer", _has("answer_generation", "tree")),
    ("a Langfuse export", _is_langfuse),
    ("LangSmith runs", _has("run_type", "trace_id", "inputs")),
    ("a log of the OpenAI Responses API", _is_openai_responses),
    ("OpenHands events", _is_openhands),
    ("a BFCL result", _has("id", "result", "input_token_count")),
    ("a HAL upload", _has("config", "results", "raw_logging_results")),
    ("an MCPMark result", _has("task_name", "model_name", "mcp")),
    ("a SWE-bench report", _has("resolved_ids", "completed_ids")),
)
