"""Writes ATIF (Agent Trajectory Interchange Format, version 1.7): a file a trajectory.

A turn is a step of the agent with its calls, their results and its metrics; what was given is a
step of the user or the system. A sub-agent is a file of its own, which the result of the call that
started it names.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agentdyno.pipelines.exports.source import ExportSource, TurnMoney, file_name
from agentdyno.pipelines.exports.transcript import (
    Message,
    join_texts,
    list_messages,
    list_tools,
    read_arguments,
)
from agentdyno.records import Trajectory, Turn
from agentdyno.records.escaped_json import encode_json

VERSION = "ATIF-v1.7"


def write_atif(source: ExportSource, folder: Path) -> None:
    """Writes a file for each trajectory."""
    folder.mkdir(parents=True, exist_ok=True)
    for trajectory in source.trajectories():
        document = build_document(trajectory, source)
        file = folder / file_name(trajectory.trajectory_id, ".json")
        file.write_bytes(encode_json(document))


def build_document(trajectory: Trajectory, source: ExportSource) -> dict[str, Any]:
    """The trajectory as ATIF has it."""
    money = source.money(trajectory)
    references: dict[str | None, str] = {
        child.call_id: file_name(child.trajectory_id, ".json")
        for child in source.children(trajectory)
        if child.call_id is not None
    }
    steps = [
        {"step_id": number, **step}
        for number, step in enumerate(_list_steps(trajectory, money, references), 1)
    ]
    agent = {
        "name": trajectory.format,
        "version": "unknown",
        "model_name": trajectory.model,
        "tool_definitions": list_tools(trajectory) or None,
    }
    named = ("source", "project", "branch", "benchmark", "task_id", "correct", "score")
    extra = {name: value for name in named if (value := getattr(trajectory, name)) is not None}
    return {
        "schema_version": VERSION,
        "session_id": trajectory.session_id or trajectory.trajectory_id,
        "trajectory_id": trajectory.trajectory_id,
        "agent": _without_none(agent),
        "steps": steps,
        "final_metrics": _sum(trajectory, money, len(steps)),
        "extra": extra | {"title": source.title(trajectory)},
    }


def _list_steps(
    trajectory: Trajectory, money: list[TurnMoney], references: dict[str | None, str]
) -> Iterator[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    for message in list_messages(trajectory):
        if message.role == "tool":
            results.append(_describe_result(message, references))
            continue
        if message.turn is None:
            # A step that no turn here decoded, but an earlier trajectory did, is copied context.
            copied = {"is_copied_context": True} if message.role == "assistant" else {}
            role = "agent" if message.role == "assistant" else message.role
            yield {"source": role, "message": join_texts(message), **copied}
            continue
        results = []
        step = _describe_turn(message, trajectory.turns[message.turn], money[message.turn])
        if any(block.kind == "call" for block in message.blocks):
            step["observation"] = {"results": results}
        yield step


def _describe_turn(message: Message, turn: Turn, money: TurnMoney) -> dict[str, Any]:
    calls = [
        {
            "tool_call_id": block.call_id,
            "function_name": block.call.tool,
            "arguments": read_arguments(block.text),
        }
        for block in message.blocks
        if block.call is not None
    ]
    return {
        "source": "agent",
        "message": join_texts(message),
        "llm_call_count": 1,
        **_without_none(
            {
                "timestamp": _write_time(turn.started_at),
                "model_name": turn.model,
                "reasoning_content": join_texts(message, "reasoning") or None,
                "tool_calls": calls or None,
                "metrics": _describe_metrics(turn, money) or None,
            }
        ),
    }


def _describe_result(message: Message, references: dict[str | None, str]) -> dict[str, Any]:
    (block,) = message.blocks
    result: dict[str, Any] = {"source_call_id": block.call_id, "content": block.text}
    if block.call is not None and block.call.error is not None:
        result["extra"] = {"error": block.call.error}
    if path := references.get(block.call_id):
        result["subagent_trajectory_ref"] = [{"trajectory_path": path}]
    return result


def _describe_metrics(turn: Turn, money: TurnMoney) -> dict[str, Any]:
    return _without_none(
        {
            "prompt_tokens": _reported(turn, "prefill"),
            "completion_tokens": _reported(turn, "decode"),
            "cached_tokens": turn.cached_tokens,
            "cost_usd": money.usd,
        }
    )


def _reported(turn: Turn, name: str) -> int | None:
    count = getattr(turn, name)
    return count.tokens if count is not None and count.source == "reported" else None


def _sum(trajectory: Trajectory, money: list[TurnMoney], steps: int) -> dict[str, Any]:
    """Totals of what every turn has; a sum of some would pass for one of all."""
    turns = trajectory.turns
    columns: dict[str, list[Any]] = {
        "total_prompt_tokens": [_reported(turn, "prefill") for turn in turns],
        "total_completion_tokens": [_reported(turn, "decode") for turn in turns],
        "total_cached_tokens": [turn.cached_tokens for turn in turns],
        "total_cost_usd": [turn_money.usd for turn_money in money],
    }
    sums = {name: sum(values) for name, values in columns.items() if None not in values}
    return sums | {"total_steps": steps}


def _write_time(moment: float | None) -> str | None:
    if moment is None:
        return None
    try:
        return datetime.fromtimestamp(moment, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
