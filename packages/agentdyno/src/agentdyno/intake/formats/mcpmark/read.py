"""Reads runs of MCPMark: totals in one file, messages in the one beside it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.formats.mcpmark import MESSAGES, META
from agentdyno.intake.responses_items import item_messages
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.sidecars import decode_sidecar
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.texts import fields_of, read_solved, short_text, whole
from agentdyno.intake.transcripts import write_transcript
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "mcpmark"
_RUN = re.compile(r"run-(\d{1,6})")


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the run; its messages are read with its totals."""
    if source.path.name == MESSAGES and source.path.with_name(META).is_file():
        return
    yield from read_document(source, FORMAT_NAME, _read)


def _read(source: Source, meta: Fields) -> Iterator[Trajectory]:
    builder = TrajectoryBuilder()
    model = meta.get("model_name")
    write_transcript(builder, _messages(source))
    if not builder.turns:
        return
    usage = fields_of(meta.get("token_usage"))
    names = ("input_tokens", "output_tokens", "reasoning_tokens")
    sent, received, thought = (whole(usage.get(name)) for name in names)
    if sent or received:
        share_totals(builder, Totals(prompt=sent, decoded=received, reasoning=thought))
    success = fields_of(meta.get("execution_result")).get("success")
    yield builder.build(
        source.id_of("0"),
        source.name,
        FORMAT_NAME,
        model=model if isinstance(model, str) else None,
        benchmark="mcpmark",
        variant=_server(source.path, short_text(meta.get("mcp"))),
        attempt=_attempt(source.path),
        task_id=str(meta.get("task_name")),
        correct=read_solved(success),
    )


def _server(path: Path, service: str | None) -> str | None:
    """The server under test: runs of several lie in SERVICE/SERVER/run-1/TASK, where `mcp` is one
    of the two; elsewhere it is `mcp`."""
    folders = [parent.name for parent in path.parents[1:4]]
    if len(folders) == 3 and _RUN.fullmatch(folders[0]) and service in folders[1:]:
        return f"{folders[2]} {folders[1]}"
    return service


def _attempt(path: Path) -> int | None:
    match = _RUN.fullmatch(path.parent.parent.name)
    return int(match[1]) if match else None


def _messages(source: Source) -> list[Any]:
    decoded = decode_sidecar(source.path.with_name(MESSAGES), source.max_record_bytes)
    if decoded is None:
        raise UnreadableError("a list of messages beside meta.json", "none", MESSAGES)
    listed = decoded if isinstance(decoded, list) else []
    is_items = any(fields_of(item).get("type") == "function_call" for item in listed)
    return item_messages(listed) if is_items else listed
