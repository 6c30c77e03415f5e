"""Reads OpenHands: lists of events, evaluation outputs, and folders of a conversation."""

from collections.abc import Iterator
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.documents import any_records
from agentdyno.intake.formats.openhands import is_event_file, is_new_event, is_output, is_state
from agentdyno.intake.formats.openhands.conversation_folder import (
    ConversationWriter,
    read_conversation,
)
from agentdyno.intake.formats.openhands.events import EventWriter, Fields
from agentdyno.intake.head import Head
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, or_no_response, read_each, take_records, whole_file
from agentdyno.intake.swebench import find_outcome
from agentdyno.intake.texts import fields_of, whole
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "openhands"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the runs of a file, or the conversation of its folder."""
    head = Head(source.path)
    if is_event_file(head):
        return  # Read with the state of its conversation.
    if is_state(head):
        items = _read_state(source)
    elif any(map(is_output, [*head.lines[:5], head.first])):
        items = _read_outputs(source)
    else:
        listed = head.first if isinstance(head.first, list) else []
        items = _read_events(source, any(map(is_new_event, listed[:20])))
    yield from or_no_response(source, FORMAT_NAME, items)


def _read_state(source: Source) -> Iterator[Trajectory | BadRecord]:
    record = whole_file(source)
    yield from read_conversation(source, record.decode(), FORMAT_NAME)


def _read_outputs(source: Source) -> Iterator[Trajectory | BadRecord]:
    yield from read_each(source, FORMAT_NAME, any_records(source), _output)


def _read_events(source: Source, is_new: bool) -> Iterator[Trajectory | BadRecord]:
    writer = ConversationWriter({}, None) if is_new else EventWriter()

    def take(record: Record) -> None:
        writer.take(record.decode())

    yield from take_records(source, FORMAT_NAME, any_records(source), take)
    if writer.builder.turns:
        yield writer.builder.build(source.id_of("0"), source.name, FORMAT_NAME)


def _output(source: Source, record: Record) -> Iterator[Trajectory]:
    fields = record.decode()
    metrics, metadata = fields_of(fields.get("metrics")), fields_of(fields.get("metadata"))
    model = fields_of(metadata.get("llm_config")).get("model")
    writer = EventWriter(model if isinstance(model, str) else None, _latencies(metrics))
    history = fields.get("history")
    for entry in history if isinstance(history, list) else ():
        for event in entry if isinstance(entry, list) else [entry]:
            if isinstance(event, dict):
                writer.take(event)
    builder = writer.builder
    if not builder.turns:
        return
    if not any(turn.prefill for turn in builder.turns):
        share_totals(builder, _totals(metrics))
    _price(builder, metrics.get("costs"))
    named = fields.get("instance_id", fields_of(fields.get("issue")).get("number"))
    task = None if named is None else str(named)
    dataset = metadata.get("dataset")
    yield builder.build(
        source.id_of(record.locator),
        source.name,
        FORMAT_NAME,
        task_id=task,
        benchmark=dataset if isinstance(dataset, str) else None,
        correct=_outcome(source, fields, task),
        line=record.line,
    )


def _price(builder: TrajectoryBuilder, costs: Any) -> None:
    """Add the cost of each response, where there is an entry for each."""
    if not isinstance(costs, list) or len(costs) != len(builder.turns):
        return
    for turn, entry in enumerate(costs):
        paid = entry.get("cost") if isinstance(entry, dict) else entry
        if isinstance(paid, int | float) and paid >= 0:
            builder.amend_turn(turn, reported_usd=float(paid))


def _outcome(source: Source, fields: Fields, task: str | None) -> bool | None:
    reports = (fields.get("report"), fields_of(fields.get("test_result")).get("report"))
    for report in reports:
        if isinstance(resolved := fields_of(report).get("resolved"), bool):
            return resolved
    return find_outcome(source.path, task)


def _latencies(metrics: Fields) -> dict[str, float]:
    listed: Any = metrics.get("response_latencies")
    entries = (
        [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    )
    waits = {str(entry.get("response_id")): entry.get("latency") for entry in entries}
    return {k: float(v) for k, v in waits.items() if isinstance(v, int | float) and v >= 0}


def _totals(metrics: Fields) -> Totals:
    usage = fields_of(metrics.get("accumulated_token_usage"))
    names = ("prompt_tokens", "cache_read_tokens", "cache_write_tokens", "completion_tokens")
    prompt, read, written, out = (whole(usage.get(name)) for name in names)
    if not prompt and not out:
        return Totals()
    return Totals(prompt=prompt, cached=read, written=written, decoded=out)
