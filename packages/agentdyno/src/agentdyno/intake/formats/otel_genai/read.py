"""Reads span exports, trace by trace.

The spans of one trace may be spread over the file. A first pass notes the last record in which
each trace is named; the second pass closes a trace there, so that only the traces under way are
held, and of them only what concerns an agent.
"""

import re
from collections.abc import Iterator

from msgspec import Raw

from agentdyno.intake.format import Source
from agentdyno.intake.formats.otel_genai.spans import SpanLog, add_log, log_of, span_of
from agentdyno.intake.formats.otel_genai.wire import ENVELOPE, Envelope
from agentdyno.intake.head import Head
from agentdyno.intake.spans.attempts import read_trace
from agentdyno.intake.spans.span import Span
from agentdyno.intake.streams import Record, bad, decode, lines, open_document, whole_file
from agentdyno.records import BadRecord, Trajectory, UnreadableError

_TRACE_ID = re.compile(rb'"trace_?[iI][dD]"\s*:\s*"([^"]*)"')

FORMAT_NAME = "otel_genai"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace; a trace without a model call is none."""
    head = Head(source.path)
    ending = _endings(_records(source, head))
    file = _File(source)
    for index, record in enumerate(_records(source, head)):
        yield from file.take(record)
        for trace in ending.pop(index, ()):
            yield from file.close(trace)
    for trace in list(file.open):
        yield from file.close(trace)
    if not file.genai and not file.problems:
        found = f"{file.spans} spans without any" if file.spans else "no spans"
        problem = UnreadableError("a span with gen_ai attributes", found)
        yield bad(source, FORMAT_NAME, "file", problem)


def _endings(records: Iterator[Record]) -> dict[int, list[str]]:
    """Traces by the number of the record that names them last.

    A plain search: it sees the ids in damaged records too, and one too many does no harm.
    """
    last: dict[bytes, int] = {}
    for index, record in enumerate(records):
        for trace in _TRACE_ID.findall(record.data):
            last[trace] = index
    ending: dict[int, list[str]] = {}
    for trace, index in last.items():
        ending.setdefault(index, []).append(trace.decode("utf-8", "replace"))
    return ending


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, or a list of documents."""
    if head.is_lines:
        return lines(source)
    if head.is_list:
        return open_document(source, None).records
    holder = next((key for key in ("resourceSpans", "batches", "data") if key in head.keys), None)
    if holder is None and source.path.stat().st_size <= source.max_record_bytes:
        return iter([whole_file(source)])
    return open_document(source, holder or "resourceSpans").records


class _File:
    """The traces under way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.open: dict[str, list[Span]] = {}
        self.logs: dict[str, list[SpanLog]] = {}
        self.closed: set[str] = set()
        self.spans = 0
        self.problems = 0
        self.genai = False

    def take(self, record: Record) -> Iterator[BadRecord]:
        """Adds the spans of one record."""
        try:
            if record.problem:
                raise record.problem
            envelopes = _levels(decode(record.data, ENVELOPE), record.data)
        except UnreadableError as problem:
            yield self._bad(record.place, problem)
            return
        number = 0
        for envelope in envelopes:
            for raw in envelope.spans or ():
                try:
                    self._add(span_of(bytes(raw)))
                except UnreadableError as problem:
                    yield self._bad(f"{record.place} span {number}", problem)
                number += 1
            for raw in envelope.log_records or ():
                try:
                    self._add_log(log_of(bytes(raw)))
                except UnreadableError as problem:
                    yield self._bad(f"{record.place} log record", problem)

    def _add(self, span: Span) -> None:
        self.spans += 1
        self.genai = self.genai or span.genai
        if span.trace in self.closed:
            raise UnreadableError("a trace id without escapes", "one that hides in escapes")
        self.open.setdefault(span.trace, []).append(span)

    def _add_log(self, log: SpanLog | None) -> None:
        if log is not None and log.trace not in self.closed:
            self.open.setdefault(log.trace, [])
            self.logs.setdefault(log.trace, []).append(log)

    def close(self, trace: str) -> Iterator[Trajectory | BadRecord]:
        """Yields the attempts of a trace whose spans are all there."""
        self.closed.add(trace)
        spans = self.open.pop(trace, [])
        logs = self.logs.pop(trace, ())
        by_id = {span.id: span for span in spans} if logs else {}
        for log in logs:
            if (span := by_id.get(log.span)) is not None:
                add_log(span, log.event)
        for item in read_trace(spans, trace, self.source, FORMAT_NAME):
            self.problems += isinstance(item, BadRecord)
            yield item

    def _bad(self, place: str, problem: UnreadableError) -> BadRecord:
        self.problems += 1
        return bad(self.source, FORMAT_NAME, place, problem)


def _levels(top: Envelope, data: bytes) -> list[Envelope]:
    """Every level of a record, outermost first; without recursion, for hostile depth."""
    if top.span_id is not None or top.context is not None:
        return [Envelope(spans=[Raw(data)])]
    found, waiting = [], [top]
    while waiting:
        envelope = waiting.pop()
        found.append(envelope)
        waiting += reversed(envelope.inside())
    return found
