"""Reads the span of a tool: name, id, arguments, result, in every known spelling."""

from typing import Any

from msgspec import Struct

from agentdyno.intake.spans.messages import parse_json, result_text
from agentdyno.intake.spans.span import Span
from agentdyno.intake.texts import arguments_of

_NAME = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_CALL_ID = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "gcp.vertex.agent.tool_call_args",
    "tool_arguments",
    "ai.toolCall.args",
    "input.value",
    "traceloop.entity.input",
)
_RESULT = (
    "gen_ai.tool.call.result",
    "gcp.vertex.agent.tool_response",
    "tool_response",
    "ai.toolCall.result",
    "output.value",
    "traceloop.entity.output",
)


class ToolRun(Struct, gc=False):
    name: str
    call_id: str | None
    arguments: str
    result: str | None
    """None when no result was recorded and nothing failed."""
    error: str | None
    start: float | None
    end: float | None

    @property
    def timing(self) -> dict[str, float | None]:
        is_timed = self.start is not None and self.end is not None
        wait = self.end - self.start if is_timed else None  # type: ignore[operator]
        return {"wait_seconds": wait, "started_at": self.start, "ended_at": self.end}


def tool_run(span: Span) -> ToolRun | None:
    """None for the span in which Google's ADK repeats parallel calls merged into one."""
    attributes = _with_events(span)
    name = _first(attributes, _NAME)
    name = name if isinstance(name, str) else span.name.removeprefix("execute_tool ").strip()
    if name.startswith("(merged"):
        return None
    call_id = _first(attributes, _CALL_ID)
    arguments, result = _first(attributes, _ARGUMENTS), _first(attributes, _RESULT)
    text, reported = result_text(result) if result is not None else (None, None)
    return ToolRun(
        name,
        call_id if isinstance(call_id, str) else None,
        arguments_of(arguments),
        text if text is not None else span.error,
        span.error or reported,
        span.start,
        span.end,
    )


def _with_events(span: Span) -> dict[str, Any]:
    """Earlier conventions note a tool's input as a message and its output as a choice."""
    attributes = dict(span.attributes)
    for event in span.events:
        if event.name == "gen_ai.tool.message":
            attributes.setdefault("gen_ai.tool.call.arguments", event.body.get("content"))
            attributes.setdefault("gen_ai.tool.call.id", event.body.get("id"))
        elif event.name == "gen_ai.choice":
            message = parse_json(event.body.get("message"))
            attributes.setdefault("gen_ai.tool.call.result", message)
    return attributes


def _first(attributes: dict[str, Any], names: tuple[str, ...]) -> Any:
    return next((v for name in names if (v := attributes.get(name)) not in (None, "")), None)
