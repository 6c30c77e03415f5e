"""OpenTelemetry: GenAI and OpenInference spans, telemetry of coding agents.

OTLP JSON, Tempo's `batches`, Jaeger's `data`, bare spans and rows of Phoenix, traces of MLflow,
nested spans as in TRAIL, and log records of coding agents.
"""

from typing import Any

from agentdyno.intake.format import Format, reader_in
from agentdyno.intake.head import Head

_AGENTS = (b"claude_code.", b"codex.", b"gemini_cli.", b"qwen-code.")
_GENAI = (
    b"gen_ai.", b"openinference.", b'"llm.', b"gcp.vertex.agent.", b'"ai.', b"mlflow.span",
    b"attributes.llm.", *_AGENTS,
)  # fmt: skip


def detect(head: Head) -> float:
    """0.95 for GenAI spans; 0.7 for spans whose beginning tells of no model."""
    if head.is_printed:
        is_agents = b'"hrTime"' in head.data and any(word in head.data for word in _AGENTS)
        return 0.95 if is_agents else 0.0
    if not (_holds_spans(head) or any(is_span(line) for line in [*head.lines[:20], head.first])):
        return 0.0
    return 0.95 if any(word in head.data for word in _GENAI) else 0.7


def is_span(record: Any) -> bool:
    """True when the record is a span itself, as OTLP or as the SDKs print it."""
    if not isinstance(record, dict):
        return False
    if {"context.trace_id", "context.span_id"} <= record.keys() or is_printed_log(record):
        return True
    if not isinstance(record.get("attributes"), dict | list):
        return False
    context = record.get("context")
    return {"traceId", "spanId"} <= record.keys() or (
        isinstance(context, dict) and {"trace_id", "span_id"} <= context.keys()
    )


def is_printed_log(record: dict[str, Any]) -> bool:
    """True for a log record of a coding agent as the SDKs print it."""
    attributes = record.get("attributes")
    name = attributes.get("event.name") if isinstance(attributes, dict) else None
    return "hrTime" in record and isinstance(name, str) and name.encode().startswith(_AGENTS)


def _may_list_data(head: Head) -> bool:
    """True when `data` seems to be a list; sessions of coding agents have objects."""
    records = [r for r in (head.first, *head.lines[:20]) if isinstance(r, dict) and "data" in r]
    return not records or any(isinstance(record["data"], list) for record in records)


def _holds_spans(head: Head) -> bool:
    data, keys = head.data, set(head.keys)
    for line in head.lines[:20]:
        keys.update(line if isinstance(line, dict) else ())
    if "resourceSpans" in keys:
        return True
    if "resourceLogs" in keys and any(word in data for word in (*_AGENTS, b"gen_ai.")):
        return True
    if "batches" in keys or "trace" in keys or "resourceLogs" in keys:
        return b'"scopeSpans"' in data or b'"instrumentationLibrarySpans"' in data
    if {"trace_id", "spans"} <= keys and b'"span_attributes"' in data:
        return True
    if {"info", "data"} <= keys and b'"mlflow.' in data:
        return True
    has_list = "data" in keys and _may_list_data(head)
    if has_list and b'"span_kind"' in data and b'"trace_id"' in data:
        return True
    if has_list or {"traceID", "spans"} <= keys:
        return b'"traceID"' in data and b'"operationName"' in data
    if head.is_list and "context.span_id" in keys:
        return True
    return head.is_list and {"context", "attributes"} <= keys and b'"trace_id"' in data


FORMAT = Format(
    name="otel_genai",
    title="OpenTelemetry traces and logs (OTLP, Tempo, Jaeger, Phoenix, TRAIL, MLflow, SDK output)",
    detect=detect,
    read=reader_in("agentdyno.intake.formats.otel_genai.read"),
    description=(
        "Read: spans of the GenAI conventions, OpenInference, OpenLLMetry, Vercel AI, Logfire, "
        "Pydantic AI, Google ADK and MLflow, and the telemetry of Claude Code (spans and events), "
        "Codex, Gemini CLI and Qwen Code (events): tokens with cache reads, cache writes and "
        "reasoning, reported costs, times of responses and tools, time to the first token, "
        "failures, sub-agents, evaluations. One call in several nested spans counts once. Missing: "
        "texts, unless content capture is on: the prompt is then hidden, tools' spans are the "
        "calls. Codex sends no response ids: its responses are known again in its session files by "
        "the session and their counts."
    ),
    version=4,
)
