"""Kimi CLI: what its sessions' `wire.jsonl` says, sub-agents included.

A step is a model call. Its counts come with the status that follows what it wrote, and after the
results of tools that ran meanwhile, so that only the next step closes it.
"""

from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Shape

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
SHAPE = Shape(
    "kimi",
    {
        "TurnBegin": Row("user", "payload.user_input"),
        "StepBegin": Row("nothing", opens=True),
        "ContentPart": Row("blocks", "payload", inside=_PARTS),
        "ToolCall": Row(
            "call", id="payload.id", name="payload.function.name",
            arguments="payload.function.arguments",
        ),
        "ToolCallPart": Row("arguments", "payload.arguments_part"),
        "ToolResult": Row(
            "result", "payload.return_value.output", id="payload.tool_call_id",
            error="payload.return_value.is_error", closes=False,
        ),
        "StatusUpdate": Row("turn", id="payload.message_id", usage=_COUNTS),
        "SubagentEvent": Row("agent", "payload.event", id="payload.task_tool_call_id"),
    },
    body="message",
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
    description=(
        "Read: tokens per step with cache reads and writes, calls, results, errors, times of "
        "steps. Missing: the model's name, prices, system prompt and tool schemas (hidden "
        "prompt), when tools began; what a compaction removed stays in the context."
    ),
)
