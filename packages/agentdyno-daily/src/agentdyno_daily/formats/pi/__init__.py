"""Pi, and OpenClaw, which writes its session files too. OMP's are told apart and not read."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from agentdyno.intake.format import Format, Reader
from agentdyno.intake.head import Head, keep_sound
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory

_HEADER = {"id", "timestamp", "cwd"}
_NEWEST = 3
"""The newest version of the file that Pi itself writes."""
_OF_OMP = {
    "credential_pin", "mode_change", "model_usage", "reset_boundary", "service_tier_change",
    "session_init", "title", "title_change", "ttsr_injection",
}  # fmt: skip
_HOMES = {".omp": "omp", ".openclaw": "openclaw", ".clawdbot": "openclaw", ".moltbot": "openclaw"}


def detector_of(name: str) -> Callable[[Head], float]:
    """0.96 for a session file of that agent."""
    return lambda head: 0.96 if _writer(head) == name else 0.0


def _writer(head: Head) -> str | None:
    """The agent that wrote the file; None when it is no session file of this shape."""
    lines = [line for line in head.lines if isinstance(line, dict)]
    header = next((line for line in lines[:2] if line.get("type") == "session"), None)
    if header is None or not header.keys() >= _HEADER or not isinstance(header["id"], str):
        return None
    if not (lines := keep_sound(lines, _is_entry)):
        return None
    kinds = {line["type"] for line in lines}
    home = next((_HOMES[part] for part in head.path.parts if part in _HOMES), None)
    if home or kinds & _OF_OMP:
        return home or "omp"
    return "openclaw" if any(map(_is_of_openclaw, lines)) else "pi"


def _is_entry(line: dict[str, Any]) -> bool:
    kind, message = line.get("type"), line.get("message")
    if not isinstance(kind, str):
        return False
    return kind != "message" or (isinstance(message, dict) and isinstance(message.get("role"), str))


def _is_of_openclaw(line: dict[str, Any]) -> bool:
    message, version = line.get("message"), line.get("version")
    if line["type"] == "session":
        return isinstance(version, int) and version > _NEWEST
    if line["type"] == "custom":
        return str(line.get("customType")).startswith(("openclaw", "model-snapshot"))
    return isinstance(message, dict) and message.get("provider") == "openclaw"


_MISSING = (
    "Missing: "
    "system prompt and tool schemas (hidden prompt, by the reported input); when tools began; "
    "calls that write summaries"
)


def _reader(name: str) -> Reader:
    def read(source: Source) -> Iterator[Trajectory | BadRecord]:
        items: Iterator[Trajectory | BadRecord] = import_module(
            "agentdyno_daily.formats.pi.branches"
        ).read(source, name)
        return items

    return read


FORMATS = (
    Format(
        name="pi",
        title="Pi sessions (JSONL trees), branches and forks included",
        detect=detector_of("pi"),
        read=_reader("pi"),
        version=2,
        description=_MISSING,
    ),
    Format(
        name="openclaw",
        title="OpenClaw sessions (JSONL trees), reset, deleted and saved ones included",
        detect=detector_of("openclaw"),
        read=_reader("openclaw"),
        version=3,
        description=f"{_MISSING}; which session started which",
    ),
)
