"""Formats that we can name but not read, so that a person knows what was skipped.

Takes the beginning of a file, returns what a person calls its format, or None. Asked only after
every installed format has declined; reads nothing.
"""

from collections.abc import Callable

from agentdyno.intake.head import Head


def find_known_format(head: Head) -> str | None:
    """The name of the format that the file looks like."""
    return next((name for name, looks in _KNOWN if looks(head)), None)


def _has(*keys: str) -> Callable[[Head], bool]:
    """Whether the first object has all of these keys."""
    expected = frozenset(keys)
    return lambda head: head.keys >= expected


def _is_gemini_stream(head: Head) -> bool:
    return any(
        isinstance(line, dict) and {"tool_name", "tool_id", "parameters"} <= line.keys()
        for line in head.lines
    )


def _is_managed_agent(head: Head) -> bool:
    return b'"span.model_request_end"' in head.data and b'"model_usage"' in head.data


_KNOWN: tuple[tuple[str, Callable[[Head], bool]], ...] = (
    ("a SWE-bench report", _has("resolved_ids", "completed_ids")),
    (
        "stream-json output of Gemini CLI; measure its session file, which has every response",
        _is_gemini_stream,
    ),
    ("events of a Claude managed agent", _is_managed_agent),
)
