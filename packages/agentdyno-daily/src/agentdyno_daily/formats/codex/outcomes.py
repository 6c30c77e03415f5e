"""The outcome of a tool's run, from its output: the text the model saw, an error, the time it took.

Three layouts have been in use for commands: a JSON object with `metadata`, a head of `Exit code`
and `Wall time` lines before `Output:`, and a head with `Process exited with code`. Other tools
return plain text, or a list of content blocks.
"""

import re
from typing import Any, NamedTuple

import msgspec

from agentdyno.intake.texts import error_in, first_line, flat_text

_HEAD = re.compile(r"^(?:.{0,200}\n){0,6}?Output:(?:\n|$)")
_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d{1,9})", re.MULTILINE)
_WALL = re.compile(r"^Wall time:? (\d{1,9}(?:\.\d{1,9})?) ?s", re.MULTILINE)
_REFUSED = re.compile(
    r"(?:\w+ )?(?:command|patch|call|request)? ?(?:was )?rejected by (?:the )?user"
    r"|aborted by user|unsupported call|failed to parse (?:function )?arguments"
    r"|unsupported (?:custom )?tool",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"(?:[\w.]+ )?(?:verification |execution |call )?(?:failed|error)(?: for [^:\n]{1,80})?:",
    re.IGNORECASE,
)


class Outcome(NamedTuple):
    text: str
    error: str | None = None
    """The error; None without a known one."""
    seconds: float | None = None
    """How long the tool took, where the output says so."""
    is_refused: bool = False
    """True when the call was not run."""


def read_output(output: Any) -> Outcome:
    """The outcome of a call by its output alone."""
    if isinstance(output, dict) and isinstance(output.get("content"), str):
        text = output["content"]
        has_failed = output.get("success") is False
        return Outcome(text, (first_line(text) or "failed") if has_failed else _error(text))
    text = flat_text(output)
    metadata = _metadata(text) if text.startswith("{") else None
    if metadata is not None:
        return Outcome(text, _exit_error(metadata.get("exit_code")), _seconds(metadata))
    if head := _HEAD.match(text):
        code, wall = _EXIT.search(head[0]), _WALL.search(head[0])
        failed = "script failed" if text.startswith("Script failed") else None
        error = failed or _exit_error(int(code[1]) if code else None)
        return Outcome(text, error, float(wall[1]) if wall else None)
    return Outcome(text, _error(text), is_refused=_REFUSED.match(text) is not None)


def _metadata(text: str) -> dict[str, Any] | None:
    try:
        decoded = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
    metadata = (
        decoded.get("metadata") if isinstance(decoded, dict) and "output" in decoded else None
    )
    return metadata if isinstance(metadata, dict) else None


def _seconds(metadata: dict[str, Any]) -> float | None:
    duration = metadata.get("duration_seconds")
    return float(duration) if isinstance(duration, int | float) and duration >= 0 else None


def _exit_error(code: Any) -> str | None:
    return f"exit code {code}" if isinstance(code, int) and code else None


def _error(text: str) -> str | None:
    if _REFUSED.match(text) or _FAILED.match(text):
        return first_line(text)
    return error_in(text)


def read_event(event: dict[str, Any]) -> tuple[str | None, float | None]:
    """Error and time of a call by the event that ended it (`exec_command_end`, an MCP call, …)."""
    return _event_error(event), _event_seconds(event.get("duration"))


def _event_error(event: dict[str, Any]) -> str | None:
    if error := _exit_error(event.get("exit_code")):
        return error
    result, error = event.get("result"), event.get("error")
    if isinstance(result, dict):
        inner = result.get("Ok", result)
        if "Err" in result:
            return first_line(str(result["Err"])) or "error"
        if isinstance(inner, dict) and (inner.get("isError") or inner.get("is_error")):
            return first_line(flat_text(inner.get("content"))) or "error"
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return first_line(error["message"]) or "error"
    if event.get("success") is False or event.get("status") in ("failed", "declined"):
        return str(event.get("status") or "failed")
    return None


def _event_seconds(duration: Any) -> float | None:
    if isinstance(duration, dict):
        seconds, nanos = duration.get("secs"), duration.get("nanos")
        if isinstance(seconds, int) and isinstance(nanos, int) and seconds >= 0:
            return seconds + nanos / 1e9
    return None
