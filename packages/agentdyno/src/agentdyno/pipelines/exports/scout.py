"""Writes Inspect Scout's transcripts: a Parquet file that stands in a folder of its own.

Messages are Inspect's chat messages as JSON. `trust_content` is false, so that Scout shows what an
agent met as plain text.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from agentdyno.pipelines.exports.source import ExportSource
from agentdyno.pipelines.exports.transcript import Message, list_messages, read_arguments
from agentdyno.records import Trajectory

COLUMNS: dict[str, Any] = {
    "transcript_id": pl.String,
    "source_type": pl.String,
    "source_id": pl.String,
    "source_uri": pl.String,
    "date": pl.String,
    "task_set": pl.String,
    "task_id": pl.String,
    "task_repeat": pl.Int64,
    "agent": pl.String,
    "model": pl.String,
    "score": pl.String,
    "success": pl.Boolean,
    "message_count": pl.Int64,
    "total_time": pl.Float64,
    "total_tokens": pl.Int64,
    "trust_content": pl.Boolean,
    "messages": pl.String,
    "session": pl.String,
    "title": pl.String,
    "project": pl.String,
    "usd": pl.Float64,
}
"""Scout's columns, and behind `messages` our own, which it reads as metadata."""
BATCH = 200
"""Trajectories that are held at a time."""


def write_scout(source: ExportSource, folder: Path) -> None:
    """Writes the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = 0
    rows: list[dict[str, Any]] = []

    def flush() -> None:
        nonlocal files
        files += 1
        frame = pl.DataFrame(rows, schema=COLUMNS)
        frame.write_parquet(folder / f"transcripts_{files:05}.parquet")
        rows.clear()

    for trajectory in source.trajectories():
        rows.append(build_row(trajectory, source))
        if len(rows) == BATCH:
            flush()
    if rows:
        flush()


def build_row(trajectory: Trajectory, source: ExportSource) -> dict[str, Any]:
    """The trajectory as a transcript."""
    messages = list(_list_messages(trajectory))
    money = [money.usd for money in source.money(trajectory)]
    started = [turn.started_at for turn in trajectory.turns if turn.started_at is not None]
    ended = [turn.ended_at for turn in trajectory.turns if turn.ended_at is not None]
    return {
        "transcript_id": trajectory.trajectory_id,
        "source_type": trajectory.format,
        "source_id": trajectory.source,
        "date": datetime.fromtimestamp(min(started), UTC).isoformat() if started else None,
        "task_set": trajectory.benchmark,
        "task_id": trajectory.task_id,
        "task_repeat": trajectory.attempt,
        "agent": trajectory.agent_id or trajectory.format,
        "model": trajectory.model,
        "score": None if trajectory.score is None else str(trajectory.score),
        "success": trajectory.correct,
        "message_count": len(messages),
        "total_time": max(ended) - min(started) if started and ended else None,
        "total_tokens": _count_tokens(trajectory),
        "trust_content": False,
        "messages": msgspec.json.encode(messages).decode(),
        "session": trajectory.session_id,
        "title": source.title(trajectory),
        "project": trajectory.project,
        "usd": None if None in money else sum(amount for amount in money if amount is not None),
    }


def _count_tokens(trajectory: Trajectory) -> int | None:
    counts = [count for turn in trajectory.turns for count in (turn.prefill, turn.decode)]
    tokens = [count.tokens for count in counts if count is not None]
    return sum(tokens) if len(tokens) == len(counts) else None


def _list_messages(trajectory: Trajectory) -> Iterator[dict[str, Any]]:
    for number, message in enumerate(list_messages(trajectory)):
        yield {"id": f"{number}", **_describe(message, trajectory)}


def _describe(message: Message, trajectory: Trajectory) -> dict[str, Any]:
    if message.role == "tool":
        (block,) = message.blocks
        fields: dict[str, Any] = {
            "role": "tool",
            "content": block.text,
            "tool_call_id": block.call_id,
            "function": block.call.tool if block.call is not None else None,
        }
        if block.call is not None and block.call.error is not None:
            fields["error"] = {"type": "unknown", "message": block.call.error}
        return fields
    content = [
        {"type": "reasoning", "reasoning": block.text}
        if block.kind == "reasoning"
        else {"type": "text", "text": block.text}
        for block in message.blocks
        if block.kind in ("text", "reasoning")
    ]
    if message.role != "assistant":
        return {"role": message.role, "content": content}
    calls = [
        {
            "id": block.call_id,
            "function": block.call.tool,
            "arguments": read_arguments(block.text),
            "type": "function",
        }
        for block in message.blocks
        if block.call is not None
    ]
    turn = None if message.turn is None else trajectory.turns[message.turn]
    model = turn.model if turn is not None else None
    return {"role": "assistant", "content": content, "tool_calls": calls or None, "model": model}
