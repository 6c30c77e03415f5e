"""The spans and log records of one export request, whoever sent it.

Takes a request as bytes or as decoded JSON (`resourceSpans`, `resourceLogs`, or a single span or
record as an SDK prints it); returns spans, and what is wrong with those that cannot be read. A
receiver collects them by `Span.trace` and hands a trace to `close_trace` when it is complete.
"""

from collections.abc import Iterator, Sequence

from msgspec import Raw

from agentdyno.intake.formats.otel_genai.agent_telemetry import CLAUDE, session_spans
from agentdyno.intake.formats.otel_genai.spans import SpanLog, add_log, log_of, span_of
from agentdyno.intake.formats.otel_genai.wire import ENVELOPE, Envelope, iterate_nested
from agentdyno.intake.source import Source
from agentdyno.intake.spans.attempts import read_trace
from agentdyno.intake.spans.span import Span
from agentdyno.intake.streams import decode
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "otel_genai"
Decoded = Span | SpanLog | UnreadableError
"""A span, an event of a span that came apart from it, or why something is neither."""


def decode_bytes(data: bytes) -> Iterator[Decoded]:
    """The spans of an export request; one that is damaged costs only itself."""
    try:
        envelopes = _levels(decode(data, ENVELOPE), data)
    except UnreadableError as problem:
        yield problem
        return
    number = 0
    for envelope in envelopes:
        for raw in iterate_nested(envelope.spans or ()):
            try:
                yield from _spans(span_of(raw))
            except UnreadableError as problem:
                yield _placed(problem, f"span {number}")
            number += 1
        for rejected in envelope.rejected_records or ():
            of_span = f" (span {rejected.span})" if rejected.span else ""
            location = f"record {rejected.record} of a request{of_span}"
            yield UnreadableError(f"a record of {rejected.signal}", rejected.reason, location)
        for raw in envelope.log_records or ():
            try:
                decoded = log_of(bytes(raw))
                yield from decoded if isinstance(decoded, list) else [decoded] if decoded else []
            except UnreadableError as problem:
                yield _placed(problem, "log record")


def close_trace(
    spans: Sequence[Span], logs: Sequence[SpanLog], trace: str, source: Source
) -> Iterator[Trajectory | BadRecord]:
    """The trajectories of a trace, when all of it is there."""
    by_id = {span.id: span for span in spans} if logs else {}
    for log in logs:
        if (span := by_id.get(log.span)) is not None:
            add_log(span, log.event)
    return read_trace(spans, trace, source, FORMAT_NAME)


def _spans(span: Span) -> list[Span]:
    return session_spans(span) if span.name.startswith(CLAUDE) else [span]


def _placed(problem: UnreadableError, location: str) -> UnreadableError:
    return UnreadableError(problem.expected, problem.found, problem.place or location)


def _levels(top: Envelope, data: bytes) -> list[Envelope]:
    """Every level of a record, outermost first; without recursion, for hostile depth."""
    if top.is_span:
        return [Envelope(spans=[Raw(data)])]
    if top.hr_time is not None:
        return [Envelope(log_records=[Raw(data)])]
    levels, waiting = [], [top]
    while waiting:
        envelope = waiting.pop()
        levels.append(envelope)
        waiting += reversed(envelope.inside())
    return levels
