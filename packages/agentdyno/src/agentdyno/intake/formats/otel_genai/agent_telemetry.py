"""Translates coding agents' own attribute names into those of the GenAI conventions.

Takes a span of Claude Code, or a log record of Claude Code, Codex, Gemini CLI or Qwen Code; returns
spans of the session that it belongs to. A log record is a span too: it is written when a model
call or a tool is over, and says how long that took.

- Claude Code counts cached tokens beside the input; the others count them inside.
- One Claude Code session sends many traces, so its spans and its records go by the session's id.
  What a sub-agent or the program itself asked a model for (a title, say) is a sub-agent's.
- Codex writes the total of a response under `tool_token_count`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from agentdyno.intake.identity import telemetry_key
from agentdyno.intake.spans.span import Kind, Span
from agentdyno.intake.spans.tree import SESSION
from agentdyno.intake.texts import first, number, whole

Attributes = Mapping[str, Any]
_MAIN = ("repl_main_thread", "main", "sdk", "cli", "compact", "print")
"""How the sources of Claude Code's calls begin that are the main conversation's."""
CLAUDE, CODEX = "claude_code.", "codex."
AGENTS = (CLAUDE, CODEX, "gemini_cli.", "qwen-code.")
"""How names of events begin."""
_COMPLETED = ("codex.sse_event", "codex.websocket_event")


def is_agents(name: str) -> bool:
    """True when a coding agent gave this name to a span or an event."""
    return name.startswith(AGENTS)


def session_spans(span: Span) -> list[Span]:
    """A span of Claude Code's own, with those that stand for its session and its sub-agent."""
    attributes = span.attributes
    session = attributes.get("session.id")
    if not isinstance(session, str):
        return [span]
    span.trace = session
    if span.name == "claude_code.llm_request":
        span.kind, span.attributes = "model", _claude_call(attributes)
    elif span.name == "claude_code.tool":
        span.kind, span.attributes = "tool", _tool(attributes)
        _shorten_to(span, attributes.get("duration_ms"))
    else:
        span.kind, span.attributes = None, {}
    return _within_session(span, attributes)


def event_spans(name: str, fields: Attributes, at: float | None) -> list[Span]:
    """The spans that a log record tells of; none for what is neither call, tool nor prompt."""
    session = first(fields.get(key) for key in ("session.id", "conversation.id"))
    rule = _EVENTS.get(_plain_name(name, fields))
    if rule is None or not isinstance(session, str):
        return []
    kind, translate = rule
    attributes = translate(fields)
    if kind == "user" and not attributes:
        return []
    event_id = first(
        fields.get(k) for k in ("request_id", "tool_use_id", "call_id", "event.sequence")
    )
    span = Span(session, f"{name} {event_id or at}", None, name, kind, at, at, attributes)
    span.error = _error(fields) if kind != "user" else None
    _shorten_to(span, fields.get("duration_ms"))
    return _within_session(span, fields)


def _plain_name(name: str, fields: Attributes) -> str:
    if name in _COMPLETED:
        return "codex.completed" if fields.get("event.kind") == "response.completed" else ""
    return name.replace("qwen-code.", "gemini_cli.", 1)


def _shorten_to(span: Span, milliseconds: Any) -> None:
    """A record has the moment at which something ended, and how long it took."""
    duration_ms = _amount(milliseconds)
    if span.end is None:
        return
    if duration_ms is not None:
        span.start = span.end - duration_ms / 1000
    elif span.start == span.end:
        span.end = None  # Only a moment is known, and no duration.


def _within_session(span: Span, fields: Attributes) -> list[Span]:
    root = Span(span.trace, SESSION, None, "session", "agent", conversation=span.trace)
    agent = _sub_agent(fields) if span.kind in ("model", "tool") else None
    if agent is None:
        span.parent = span.parent or SESSION
        return [root, span]
    above = f"agent:{fields['parent_agent_id']}" if fields.get("parent_agent_id") else SESSION
    owner = Span(span.trace, f"agent:{agent}", span.parent or above, agent, "agent")
    span.parent = owner.id
    return [root, owner, span]


def _sub_agent(fields: Attributes) -> str | None:
    if isinstance(agent := fields.get("agent_id"), str) and agent:
        return agent
    source = fields.get("query_source")
    is_apart = isinstance(source, str) and source and not source.startswith(_MAIN)
    return str(source) if is_apart else None


def _claude_call(fields: Attributes) -> dict[str, Any]:
    names = ("input_tokens", "cache_read_tokens", "cache_creation_tokens")
    fresh, read, written = (whole(number(fields.get(name))) for name in names)
    prompt = None if fresh is None else fresh + (read or 0) + (written or 0)
    return _known(
        {
            "gen_ai.response.model": fields.get("model"),
            "gen_ai.usage.input_tokens": prompt,
            "gen_ai.usage.cache_read.input_tokens": read,
            "gen_ai.usage.cache_creation.input_tokens": written,
            "gen_ai.usage.output_tokens": fields.get("output_tokens"),
            "gen_ai.usage.cost": _amount(fields.get("cost_usd")),
            "gen_ai.response.id": fields.get("request_id") or fields.get("gen_ai.response.id"),
            "gen_ai.response.finish_reasons": fields.get("stop_reason"),
            "gen_ai.response.time_to_first_chunk": _seconds(fields.get("ttft_ms")),
        }
    )


def _other_call(fields: Attributes) -> dict[str, Any]:
    """A call of Codex, Gemini CLI or Qwen Code: cached tokens are inside the input."""
    into, tools = (whole(number(fields.get(n))) for n in ("input_token_count", "tool_token_count"))
    is_gemini = "cached_content_token_count" in fields or "thoughts_token_count" in fields
    prompt = into + (tools or 0) if into is not None and is_gemini else into
    return _known(
        {
            "gen_ai.response.model": fields.get("model"),
            "gen_ai.usage.input_tokens": prompt,
            "gen_ai.usage.cache_read.input_tokens": _either(
                fields, "cached_token_count", "cached_content_token_count"
            ),
            "gen_ai.usage.cache_creation.input_tokens": fields.get("cache_write_token_count"),
            "gen_ai.usage.output_tokens": fields.get("output_token_count"),
            "gen_ai.usage.reasoning_tokens": _either(
                fields, "reasoning_token_count", "thoughts_token_count"
            ),
            "gen_ai.usage.total_tokens": fields.get("total_token_count"),
            "gen_ai.response.id": _either(fields, "response.id", "response_id"),
            "gen_ai.response.time_to_first_chunk": _seconds(fields.get("ttft_ms")),
        }
    )


def _codex_call(fields: Attributes) -> dict[str, Any]:
    """A response of Codex has no id, but its session file counts the same tokens."""
    names = ("input_token_count", "cached_token_count", "output_token_count")
    counts = [whole(number(fields.get(name))) for name in names]
    session = fields.get("conversation.id")
    key = telemetry_key(session, *counts) if isinstance(session, str) and any(counts) else None
    return _other_call(fields) | _known({"request_id": key})


def _failed_call(fields: Attributes) -> dict[str, Any]:
    return _known({"gen_ai.response.model": fields.get("model")})


def _tool(fields: Attributes) -> dict[str, Any]:
    return _known(
        {
            "gen_ai.tool.name": _either(fields, "tool_name", "function_name"),
            "gen_ai.tool.call.id": _either(fields, "tool_use_id", "call_id", "gen_ai.tool.call.id"),
            "gen_ai.tool.call.arguments": _either(
                fields, "tool_input", "arguments", "function_args", "tool_parameters"
            ),
            "gen_ai.tool.call.result": fields.get("output"),
        }
    )


def _prompt(fields: Attributes) -> dict[str, Any]:
    text = fields.get("prompt")
    is_recorded = isinstance(text, str) and text and not text.upper().startswith("<REDACTED")
    return {"prompt": text} if is_recorded else {}


_EVENTS: dict[str, tuple[Kind, Callable[[Attributes], dict[str, Any]]]] = {
    "claude_code.api_request": ("model", _claude_call),
    "claude_code.api_error": ("model", _failed_call),
    "claude_code.tool_result": ("tool", _tool),
    "claude_code.user_prompt": ("user", _prompt),
    "codex.completed": ("model", _codex_call),
    "codex.tool_result": ("tool", _tool),
    "codex.user_prompt": ("user", _prompt),
    "gemini_cli.api_response": ("model", _other_call),
    "gemini_cli.api_error": ("model", _failed_call),
    "gemini_cli.tool_call": ("tool", _tool),
    "gemini_cli.user_prompt": ("user", _prompt),
}


def _error(fields: Attributes) -> str | None:
    reported = _either(
        fields, "error", "error.message", "error_message", "error_type", "error.type"
    )
    failed = fields.get("success") in (False, "false")
    return str(reported) if reported else "failed" if failed else None


def _either(fields: Attributes, *names: str) -> Any:
    return next((v for name in names if (v := fields.get(name)) not in (None, "")), None)


def _amount(value: Any) -> float | None:
    """A number, also as text."""
    try:
        number = float(value) if isinstance(value, int | float | str) else None
    except ValueError:
        return None
    return number if number is not None and 0 <= number < 1e12 else None


def _seconds(milliseconds: Any) -> float | None:
    duration_ms = _amount(milliseconds)
    return None if duration_ms is None else duration_ms / 1000


def _known(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}
