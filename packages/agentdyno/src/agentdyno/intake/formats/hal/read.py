"""Reads uploads of HAL: logged model calls by task, as Weave keeps them or as HAL merged them."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.documents import open_document
from agentdyno.intake.exchange_log import Exchange, read_exchanges
from agentdyno.intake.exchanges import usage_attributes
from agentdyno.intake.format import Source
from agentdyno.intake.loose_bodies import loose_request
from agentdyno.intake.streams import or_no_response
from agentdyno.intake.texts import fields_of, seconds
from agentdyno.intake.transcripts import turn_fields, write_transcript
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.secrets.excerpts import cut_text

FORMAT_NAME = "hal"
Fields = dict[str, Any]


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the trajectories of every task."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    document = open_document(source, "")
    config, results, logged = (
        _decode(document.fields.get(name)) for name in ("config", "results", "raw_logging_results")
    )
    outcome = _Outcome(fields_of(results), _decode(document.fields.get("raw_eval_results")))
    benchmark = fields_of(config).get("benchmark_name")
    named = benchmark if isinstance(benchmark, str) else None
    if isinstance(logged, list):
        items = read_exchanges(source, FORMAT_NAME, _calls(logged))
    else:
        items = _merged(source, fields_of(logged))
    for item in items:
        if isinstance(item, Trajectory):
            item = structs.replace(item, benchmark=named, correct=outcome.is_correct(item.task_id))
        yield item


def _decode(data: bytes | None) -> Any:
    try:
        return None if data is None else msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    except RecursionError:
        raise UnreadableError("JSON of ordinary depth", "nesting too deep to read") from None


class _Outcome:
    """Which tasks were solved, wherever the benchmark says so."""

    def __init__(self, results: Fields, evaluated: Any) -> None:
        self._good = _names(results.get("successful_tasks"))
        self._bad = _names(results.get("failed_tasks"))
        self._each = fields_of(evaluated)

    def is_correct(self, task: str | None) -> bool | None:
        """None where neither list names the task and its mark is neither 0 nor 1."""
        if task in self._good or task in self._bad:
            return task in self._good
        mark = self._each.get(str(task))
        for name in ("reward", "score", "correct", "resolved", "success"):
            mark = mark.get(name, mark) if isinstance(mark, dict) else mark
        is_mark = isinstance(mark, bool | int | float) and mark in (0, 1)
        return bool(mark) if is_mark else None


def _calls(logged: list[Any]) -> Iterator[Exchange]:
    """Model calls among Weave's; an operation around them has a summary and no answer."""
    for number, call in enumerate(each for each in logged if isinstance(each, dict)):
        output = call.get("output")
        if not isinstance(output, dict) or not output.keys() & {"choices", "content", "usage"}:
            continue
        inputs = fields_of(call.get("inputs"))
        task = call.get("weave_task_id") or fields_of(call.get("attributes")).get("weave_task_id")
        own = None if task is None else str(task)
        yield Exchange(
            locator=f"{number}",
            request=loose_request(inputs),
            response=output,
            attributes={"gen_ai.request.model": inputs.get("model")},
            start=seconds(call.get("started_at")),
            end=seconds(call.get("ended_at")),
            session=own,
            task=own,
            error=cut_text(str(call["exception"]), 200) if call.get("exception") else None,
        )


def _merged(source: Source, logged: Fields) -> Iterator[Trajectory]:
    """Newer runs: one list of messages a task, and what is known of its calls in order."""
    for task, given in logged.items():
        if not isinstance(given, dict):
            continue
        builder = TrajectoryBuilder()
        metadata = given.get("call_metadata")
        known = iter([fields_of(each) for each in metadata] if isinstance(metadata, list) else [])
        model = given.get("model") if isinstance(given.get("model"), str) else None
        messages = given.get("messages")
        write_transcript(
            builder,
            messages if isinstance(messages, list) else [],
            lambda message, known=known, model=model: _facts(next(known, {}), model),  # type: ignore[misc]
        )
        if builder.turns:
            yield builder.build(
                source.id_of(task), source.name, FORMAT_NAME, task_id=task, session_id=task
            )


def _facts(metadata: Fields, model: str | None) -> Fields:
    counted = usage_attributes(metadata.get("usage"))
    known = turn_fields({name: value for name, value in counted.items() if value is not None})
    start, end = seconds(metadata.get("started_at")), seconds(metadata.get("ended_at"))
    is_timed = start is not None and end is not None and end >= start
    known |= {"model": metadata.get("model") or model, "started_at": start, "ended_at": end}
    return {**known, "latency_seconds": end - start if is_timed else None}  # type: ignore[operator]


def _names(value: Any) -> set[str]:
    return {str(each) for each in value} if isinstance(value, list) else set()
