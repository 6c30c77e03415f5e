"""Recognises session files of Pi, and whose they are: OpenClaw and OMP write the same shape."""

from collections.abc import Callable
from typing import Any

from agentdyno.intake.head import Head

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
    if not all(map(_is_entry, lines)):
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
