"""Writes chat messages as OpenAI's API takes them: a JSON line a trajectory.

`messages` and `tools` are those of a request; what a turn reasoned stands in `reasoning_content`,
as several servers have it. Ids of our own fill in where a trace has none.
"""

from pathlib import Path
from typing import Any

from agentdyno.pipelines.exports.source import ExportSource
from agentdyno.pipelines.exports.transcript import Message, join_texts, list_messages, list_tools
from agentdyno.records import Trajectory
from agentdyno.records.escaped_json import encode_json


def write_openai_messages(source: ExportSource, file: Path) -> None:
    """Writes the lines."""
    with file.open("wb") as stream:
        for trajectory in source.trajectories():
            stream.write(encode_json(build_line(trajectory)) + b"\n")


def build_line(trajectory: Trajectory) -> dict[str, Any]:
    """The trajectory as one request would hold it."""
    line: dict[str, Any] = {
        "messages": [_describe(message) for message in list_messages(trajectory)]
    }
    if tools := list_tools(trajectory):
        line["tools"] = tools
    if trajectory.model is not None:
        line["model"] = trajectory.model
    return line | {"metadata": {"trajectory_id": trajectory.trajectory_id}}


def _describe(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        (block,) = message.blocks
        return {"role": "tool", "tool_call_id": block.call_id, "content": block.text}
    text = join_texts(message)
    if message.role != "assistant":
        return {"role": message.role, "content": text}
    calls = [
        {
            "id": block.call_id,
            "type": "function",
            "function": {"name": block.call.tool, "arguments": block.text},
        }
        for block in message.blocks
        if block.call is not None
    ]
    found: dict[str, Any] = {"role": "assistant", "content": text if text or not calls else None}
    if calls:
        found["tool_calls"] = calls
    if reasoning := join_texts(message, "reasoning"):
        found["reasoning_content"] = reasoning
    return found
