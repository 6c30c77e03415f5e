"""Trae Agent: a document for each run, with every request and response.

A request lists only the messages that are new in it. It is sent when the step before it ends; when
the first was sent is unknown. `input_tokens` is what each provider counts: Anthropic leaves cached
tokens out, Google leaves thoughts out of the output.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from agentdyno.intake.documents import open_document
from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Session, Shape
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, take_records
from agentdyno.intake.texts import dicts_of, fields_of, project_folder, seconds, whole
from agentdyno.records import BadRecord, Trajectory

_PROJECT = re.compile(r"^\[Project root path\]:\n(.+)$", re.MULTILINE)
_COUNTS = {
    "prompt": "prompt",
    "output": "output",
    "read": "response.usage.cache_read_input_tokens",
    "written": "response.usage.cache_creation_input_tokens",
    "reasoning": "response.usage.reasoning_tokens",
}
_MESSAGES = {
    "system": Row("system", "content"),
    "user": Row("user", "content"),
    "result": Row("result", "texts", id="call_id", error="failed"),
}
_CALL = Row("call", id="call_id", name="name", arguments="arguments")
SHAPE = Shape(
    "trae_agent",
    {
        "interaction": (
            Row("blocks", "messages", inside=_MESSAGES, time="sent", closes=True),
            Row("text", "response.content", model="response.model model"),
            Row("blocks", "calls", inside={"call": _CALL}),
            Row("turn", finish="response.finish_reason", usage=_COUNTS),
        ),
    },
    kind="kind role",
)


def detect(head: Head) -> float:
    """0.97 for a document that lists a run's exchanges with a model."""
    names = {"task", "provider", "max_steps", "llm_interactions"}
    return 0.97 if head.keys >= names and not head.is_list else 0.0


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the run of the document."""
    document = open_document(source, "llm_interactions")
    session = Session(SHAPE, source)
    fields, damaged = document.decode_fields(source, SHAPE.name)
    yield from damaged
    task = fields.get("task")
    session.talk.title = task if isinstance(task, str) else None
    steps = dicts_of(fields.get("agent_steps"))
    ends = sorted(at for step in steps if (at := seconds(step.get("timestamp"))) is not None)

    def add(record: Record) -> None:
        session.add(_prepared(record.decode(), ends))

    yield from take_records(source, SHAPE.name, document.records, add)
    first = session.talk.builder.parts
    stated = next((found for part in first if (found := _PROJECT.search(part.text))), None)
    yield from session.results(project=stated and project_folder(stated[1]))


def _prepared(interaction: dict[str, Any], ends: list[float]) -> dict[str, Any]:
    """The exchange with what the shape reads: kinds, counts by one rule, when it was sent."""
    response = fields_of(interaction.get("response"))
    usage, provider = fields_of(response.get("usage")), interaction.get("provider")
    at = seconds(interaction.get("timestamp"))
    before = 0 if at is None else bisect_right(ends, at)
    messages = dicts_of(interaction.get("input_messages"))
    return {
        **interaction,
        "kind": "interaction",
        "sent": ends[before - 1] if before else None,
        "messages": [
            _result(message["tool_result"]) if message.get("tool_result") else message
            for message in messages
        ],
        "calls": [{**call, "kind": "call"} for call in dicts_of(response.get("tool_calls"))],
        "prompt": _sum(usage, "input_tokens", *(_CACHE if provider == "anthropic" else ())),
        "output": _sum(usage, "output_tokens", *(_THOUGHTS if provider == "google" else ())),
    }


def _result(result: Any) -> dict[str, Any]:
    """A call's result as the model gets it: its output, then its error."""
    fields = fields_of(result)
    texts = [text for text in (fields.get("result"), fields.get("error")) if text]
    return {**fields, "kind": "result", "texts": texts, "failed": fields.get("success") is False}


def _sum(usage: dict[str, Any], name: str, *apart: str) -> int | None:
    base = whole(usage.get(name))
    return None if base is None else base + sum(whole(usage.get(other)) or 0 for other in apart)


_CACHE = ("cache_read_input_tokens", "cache_creation_input_tokens")
_THOUGHTS = ("reasoning_tokens",)
FORMAT = SHAPE.format(
    "Trae Agent trajectories (trajectory_*.json)",
    detect,
    read=read,
    version=2,
    description=(
        "Read: messages, calls, results and errors, tokens per response with cache reads, cache "
        "writes and reasoning as far as the provider's client writes them, times of responses and "
        "of steps. Missing: tool schemas (hidden prompt), prices, response ids, when the first "
        "request was sent; what Lakeview asks a model beside the run. Real files: of the provider "
        "doubao alone; counts of the others follow the program's source."
    ),
)
