"""MCPMark: a run's meta.json with its messages.json."""

from pathlib import Path

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head
from agentdyno.intake.sidecars import read_sidecar_bytes

META, MESSAGES = "meta.json", "messages.json"


def detect(head: Head) -> float:
    """0.97 for a run's account of itself, and for its messages."""
    if head.keys >= {"task_name", "model_name", "execution_result"} and not head.is_list:
        return 0.97
    if head.path.name != MESSAGES or not head.is_list:
        return 0.0
    beside = head.path.with_name(META)
    return 0.97 if b'"task_name"' in (read_sidecar_bytes(beside) or b"")[:65536] else 0.0


def find_meta(path: Path) -> str | None:
    """Messages are read with the account of their run."""
    return META if path.name == MESSAGES and path.with_name(META).is_file() else None


FORMAT = Format(
    name="mcpmark",
    title="MCPMark runs (meta.json with messages.json beside it)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.mcpmark.read"),
    version=3,
    read_with=find_meta,
    description=(
        "Read: messages, calls, results, errors, whether the task was solved. Missing: tokens of "
        "single responses: the run's totals are shared out over them by length (scaled); tool "
        "schemas and system prompt (hidden prompt); times of responses and tools; prices; what a "
        "compaction removed."
    ),
)
