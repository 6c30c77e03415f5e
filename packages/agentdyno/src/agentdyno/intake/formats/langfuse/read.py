"""Reads Langfuse exports: observations are spans, a generation is a model call."""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchanges import exchange_attributes, first_of
from agentdyno.intake.head import Head
from agentdyno.intake.loose_bodies import decode_twice, loose_request, loose_response
from agentdyno.intake.source import Source
from agentdyno.intake.spans.attempts import read_spans
from agentdyno.intake.spans.span import Event, Kind, Span
from agentdyno.intake.texts import dicts_of, seconds, text_of, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "langfuse"
_KINDS: dict[str, Kind] = {
    "GENERATION": "model", "TOOL": "tool", "AGENT": "agent", "GUARDRAIL": "guard",
    "EVALUATOR": "evaluator",
}  # fmt: skip
_READ = ("input_cache_read", "input_cached_tokens", "cache_read_input_tokens",
         "prompt_details.cache_read", "input_cache_read_tokens")  # fmt: skip
_WRITTEN = ("input_cache_creation", "cache_creation_input_tokens", "prompt_details.cache_write",
            "input_cache_write")  # fmt: skip
_REASONING = ("output_reasoning", "output_reasoning_tokens", "completion_details.reasoning")
Fields = dict[str, Any]


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace."""
    yield from read_spans(
        source,
        FORMAT_NAME,
        any_records(source, *([] if "observations" in Head(source.path).keys else ["data"])),
        _spans,
    )


def _spans(record: Fields) -> Iterator[Span]:
    """The observations of a record: a trace with its own, or a single one."""
    trace = record.get("trace")
    listed = record.get("observations")
    if not isinstance(listed, list):
        yield _span(record)
        return
    named = trace if isinstance(trace, dict) else record
    scores = [event for event in map(_score, dicts_of(named.get("scores"))) if event is not None]
    name = str(named.get("id") or "trace")
    if scores:
        yield Span(name, f"{name} scores", None, "scores", None, events=scores)
    for observation in dicts_of(listed):
        yield _span({"traceId": name, **observation})


def _score(score: Fields) -> Event | None:
    body = {
        "gen_ai.evaluation.name": score.get("name"),
        "gen_ai.evaluation.score.value": score.get("value"),
        "gen_ai.evaluation.score.label": score.get("stringValue"),
    }
    return Event("gen_ai.evaluation.result", body)


def _span(observation: Fields) -> Span:
    trace, span_id = observation.get("traceId"), observation.get("id")
    if not isinstance(trace, str) or not isinstance(span_id, str):
        raise UnreadableError("an observation with an id and a traceId", "none")
    kind = _KINDS.get(str(observation.get("type")))
    attributes = (
        _call(observation) if kind == "model" else _tool(observation) if kind == "tool" else {}
    )
    if kind == "model" and attributes.keys() <= {"gen_ai.request.model"}:
        kind = None  # A mark that a framework set, and no call.
    failed = observation.get("level") == "ERROR"
    return Span(
        trace,
        span_id,
        text_of(observation.get("parentObservationId")),
        text_of(observation.get("name")) or "",
        kind,
        seconds(observation.get("startTime")),
        seconds(observation.get("endTime")),
        attributes,
        error=(text_of(observation.get("statusMessage")) or "error") if failed else None,
    )


def _call(observation: Fields) -> Fields:
    request, response = (
        loose_request(observation.get("input")),
        loose_response(observation.get("output")),
    )
    attributes = exchange_attributes(request, response)
    counted = _usage(observation.get("usageDetails") or observation.get("usage"))
    if counted:
        attributes = {
            k: v for k, v in attributes.items() if not k.startswith("gen_ai.usage.")
        } | counted
    cost = observation.get("costDetails")
    attributes["gen_ai.usage.cost"] = cost.get("total") if isinstance(cost, dict) else None
    attributes.setdefault("gen_ai.request.model", observation.get("model"))
    began, first = (
        seconds(observation.get("startTime")),
        seconds(observation.get("completionStartTime")),
    )
    if began is not None and first is not None and first > began:
        attributes["gen_ai.response.time_to_first_chunk"] = first - began
    return {name: value for name, value in attributes.items() if value is not None}


def _usage(usage: Any) -> Fields:
    """Parts are inside their wholes, or beside them where only that adds up to the total."""
    if not isinstance(usage, dict):
        return {}
    into = whole(first_of(usage, "input", "promptTokens"))
    out = whole(first_of(usage, "output", "completionTokens"))
    read, written, thought = (
        whole(first_of(usage, *names)) for names in (_READ, _WRITTEN, _REASONING)
    )
    if not into and not out:
        return {}
    parts = (read or 0) + (written or 0) + (thought or 0)
    total = whole(first_of(usage, "total", "totalTokens"))
    is_beside = parts > 0 and total == (into or 0) + (out or 0) + parts
    if is_beside or (into is not None and (read or 0) + (written or 0) > into):
        into = (into or 0) + (read or 0) + (written or 0)
    if is_beside:
        out = (out or 0) + (thought or 0)
    counts = {
        "gen_ai.usage.input_tokens": into,
        "gen_ai.usage.output_tokens": out,
        "gen_ai.usage.cache_read.input_tokens": read,
        "gen_ai.usage.cache_creation.input_tokens": written,
        "gen_ai.usage.reasoning_tokens": thought,
    }
    return {name: value for name, value in counts.items() if value is not None}


def _tool(observation: Fields) -> Fields:
    name = str(observation.get("name") or "").removeprefix("execute_tool ")
    return {
        "gen_ai.tool.name": name.removeprefix("running tool: ") or None,
        "gen_ai.tool.call.arguments": decode_twice(observation.get("input")),
        "gen_ai.tool.call.result": observation.get("output"),
    }
