"""Reads exported runs of LangSmith: a run of type llm is a model call."""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import any_records
from agentdyno.intake.exchanges import exchange_attributes, usage_attributes
from agentdyno.intake.loose_bodies import langchain_usage, loose_request, loose_response
from agentdyno.intake.source import Source
from agentdyno.intake.spans.attempts import read_spans
from agentdyno.intake.spans.span import Event, Kind, Span
from agentdyno.intake.texts import fields_of, seconds, text_of
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "langsmith"
_KINDS: dict[str, Kind] = {"llm": "model", "tool": "tool"}
Fields = dict[str, Any]


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace."""
    yield from read_spans(source, FORMAT_NAME, any_records(source, "runs"), _spans)


def _spans(run: Fields) -> Iterator[Span]:
    """A run and, where an export nests them, those below it; without recursion."""
    waiting = [run]
    while waiting:
        run = waiting.pop()
        yield _span(run)
        below = run.get("child_runs")
        waiting += [r for r in below if isinstance(r, dict)] if isinstance(below, list) else []


def _span(run: Fields) -> Span:
    run_id = run.get("id")
    if not isinstance(run_id, str):
        raise UnreadableError("a run with an id", "none")
    kind = _KINDS.get(str(run.get("run_type")))
    error = run.get("error")
    return Span(
        str(run.get("trace_id") or run_id),
        run_id,
        text_of(run.get("parent_run_id")),
        text_of(run.get("name")) or "",
        kind,
        seconds(run.get("start_time")),
        seconds(run.get("end_time")),
        _call(run) if kind == "model" else _tool(run) if kind == "tool" else {},
        list(_feedback(run.get("feedback_stats"))),
        error=str(error) if error else None,
    )


def _call(run: Fields) -> Fields:
    extra = fields_of(run.get("extra"))
    metadata, parameters = (
        fields_of(extra.get("metadata")),
        fields_of(extra.get("invocation_params")),
    )
    request = {"tools": parameters.get("tools"), **loose_request(run.get("inputs"))}
    outputs = fields_of(run.get("outputs"))
    attributes = exchange_attributes(request, loose_response(outputs))
    usage = outputs.get("usage_metadata") or metadata.get("usage_metadata")
    counted = usage_attributes(langchain_usage(usage)) or usage_attributes(run)
    if (
        counted.get("gen_ai.usage.input_tokens") is not None and usage
    ) or "gen_ai.usage.input_tokens" not in attributes:
        attributes |= counted
    attributes.setdefault("gen_ai.request.model", metadata.get("ls_model_name"))
    attributes.setdefault("gen_ai.request.model", parameters.get("model"))
    attributes["gen_ai.usage.cost"] = run.get("total_cost")
    began, first = seconds(run.get("start_time")), seconds(run.get("first_token_time"))
    if began is not None and first is not None and first >= began:
        attributes["gen_ai.response.time_to_first_chunk"] = first - began
    return {name: value for name, value in attributes.items() if value is not None}


def _tool(run: Fields) -> Fields:
    inputs, outputs = run.get("inputs"), run.get("outputs")
    arguments, answer = fields_of(inputs), fields_of(outputs)
    result = answer.get("output", outputs)
    call_id = None
    if isinstance(result, dict):
        message = fields_of(result.get("kwargs")) or result
        call_id, result = message.get("tool_call_id"), message.get("content", result)
    return {
        "gen_ai.tool.name": run.get("name"),
        "gen_ai.tool.call.id": call_id,
        "gen_ai.tool.call.arguments": arguments.get("input", inputs),
        "gen_ai.tool.call.result": result,
    }


def _feedback(stats: Any) -> Iterator[Event]:
    for name, value in fields_of(stats).items():
        mean = fields_of(value).get("avg")
        body = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": mean}
        yield Event("gen_ai.evaluation.result", body)
