"""Kimi CLI: what its sessions' `wire.jsonl` says, sub-agents included.

A step is a model call. Its counts come with the status that follows what it wrote, and after the
results of tools that ran meanwhile, so that only the next step closes it. A session is named by its
folder; since protocol 1.6 a sub-agent has a folder in `subagents`, and its events twice.
"""

from typing import Any

from agentdyno.intake.format import Source
from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Shape, Talk

_PARTS = {
    "text": Row("text", "text"),
    "think": Row("reasoning", "think"),
}
_COUNTS = {
    "fresh": "payload.token_usage.input_other",
    "output": "payload.token_usage.output",
    "read": "payload.token_usage.input_cache_read",
    "written": "payload.token_usage.input_cache_creation",
}


def _name(source: Source, talk: Talk) -> dict[str, Any]:
    folder = source.path.parent
    if folder.parent.name != "subagents":
        return {"id": folder.name if source.path.stem == "wire" else None}
    session = folder.parents[1].name
    parent = f"{source.name.rsplit('/', 3)[0]}/wire.jsonl#{session}"
    return {"id": folder.name, "session_id": session, "agent_id": folder.name, "parent_id": parent}


SHAPE = Shape(
    "kimi",
    {
        "TurnBegin": Row("user", "payload.user_input"),
        "SteerInput": Row("user", "payload.user_input"),
        "StepBegin": Row("nothing", opens=True),
        "ContentPart": Row("blocks", "payload", inside=_PARTS),
        "ToolCall": Row(
            "call", id="payload.id", name="payload.function.name",
            arguments="payload.function.arguments",
        ),
        "ToolCallPart": Row("arguments", "payload.arguments_part"),
        "ToolResult": Row(
            "result", "payload.return_value.output payload.return_value.message",
            id="payload.tool_call_id", error="payload.return_value.is_error", closes=False,
        ),
        "StatusUpdate": Row("turn", id="payload.message_id", usage=_COUNTS),
        "SubagentEvent": Row(
            "agent", "payload.event", id="payload.parent_tool_call_id payload.task_tool_call_id"
        ),
    },
    body="message",
    finish=_name,
)  # fmt: skip


def detect(head: Head) -> float:
    """0.97 for lines of a time and a message with a payload."""
    bodies = [line.get("message") for line in head.lines if isinstance(line, dict)]
    found = [body for body in bodies if isinstance(body, dict)]
    is_sound = all(body.keys() == {"type", "payload"} for body in found)
    kinds = {str(body.get("type")) for body in found}
    return 0.97 if is_sound and kinds & SHAPE.rows.keys() else 0.0


FORMAT = SHAPE.format(
    "Kimi CLI sessions (wire.jsonl), sub-agents included",
    detect,
    version=2,
    description=(
        "Read: tokens per step with cache reads and writes, calls, results, errors, times of "
        "steps. Missing: the model's name, prices, system prompt and tool schemas (hidden "
        "prompt), when tools began, steps of sub-agents after their turn was stopped; what a "
        "compaction removed stays in the context."
    ),
)
