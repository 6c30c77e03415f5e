"""Reads span exports, trace by trace.

The spans of one trace may be spread over the file. A first pass notes the last record in which
each trace is named; the second pass closes a trace there, so that only the traces under way are
held, and of them only what concerns an agent.
"""

import re
from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.otel_genai.batches import FORMAT_NAME, close_trace, decode_bytes
from agentdyno.intake.formats.otel_genai.spans import CODEX_RESPONSE, SpanLog
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.spans.span import Span
from agentdyno.intake.streams import Record, bad, lines, printed_objects, whole_file
from agentdyno.records import BadRecord, Trajectory, UnreadableError

_CODEX_EVENTS = (b"codex.sse_event", b"codex.websocket_event")
_TRACE_ID = re.compile(rb'"trace_?[iI][dD]"\s*:\s*"([^"]*)"')


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the attempts of every trace; a trace without a model call is none."""
    head = Head(source.path)
    ending, has_codex_events = _look_through(_records(source, head))
    file = _File(source, has_codex_events)
    for index, record in enumerate(_records(source, head)):
        yield from file.take(record)
        for trace in ending.pop(index, ()):
            yield from file.close(trace)
    for trace in list(file.open):
        yield from file.close(trace)
    if not file.genai and not file.problems:
        problem_text = f"{file.spans} spans without any" if file.spans else "no spans"
        problem = UnreadableError("a span with gen_ai attributes", problem_text)
        yield bad(source, FORMAT_NAME, "file", problem)


def _look_through(records: Iterator[Record]) -> tuple[dict[int, list[str]], bool]:
    """Traces by the number of the record that names them last, and whether Codex's events are
    there, of which its spans repeat the counts.

    A plain search: it sees the ids in damaged records too, and one too many does no harm.
    """
    last: dict[bytes, int] = {}
    has_codex_events = False
    for index, record in enumerate(records):
        has_codex_events = has_codex_events or any(e in record.data for e in _CODEX_EVENTS)
        for trace in _TRACE_ID.findall(record.data):
            last[trace] = index
    ending: dict[int, list[str]] = {}
    for trace, index in last.items():
        ending.setdefault(index, []).append(trace.decode("utf-8", "replace"))
    return ending, has_codex_events


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, or a list of documents."""
    if head.is_printed:
        return printed_objects(source)
    if head.is_lines:
        return lines(source)
    if head.is_list:
        return open_document(source, None).records
    listed = ("resourceSpans", "batches", *(() if "info" in head.keys else ("data",)))
    holder = next((key for key in listed if key in head.keys), None)
    if holder is None and source.path.stat().st_size <= source.max_record_bytes:
        return iter([whole_file(source)])
    return open_document(source, holder or "resourceSpans").records


class _File:
    def __init__(self, source: Source, has_codex_events: bool = False) -> None:
        self.source = source
        self.has_codex_events = has_codex_events
        self.open: dict[str, list[Span]] = {}
        self.logs: dict[str, list[SpanLog]] = {}
        self.closed: set[str] = set()
        self.spans = 0
        self.problems = 0
        self.genai = False

    def take(self, record: Record) -> Iterator[BadRecord]:
        """Adds the spans of one record."""
        if record.problem:
            yield self._bad(record.place, record.problem)
            return
        for item in decode_bytes(record.data):
            if isinstance(item, Span):
                if not self._hold(item):
                    yield self._bad(record.place, _HIDDEN_ID)
            elif isinstance(item, SpanLog):
                self._hold_log(item)
            else:
                location = f"{record.place} {item.place}" if item.place else record.place
                yield self._bad(location, UnreadableError(item.expected, item.found))

    def _hold(self, span: Span) -> bool:
        self.spans += 1
        self.genai = self.genai or span.genai
        if self.has_codex_events and span.name == CODEX_RESPONSE:
            span.kind = None
        if span.trace in self.closed:
            return False
        self.open.setdefault(span.trace, []).append(span)
        return True

    def _hold_log(self, log: SpanLog) -> None:
        if log.trace not in self.closed:
            self.open.setdefault(log.trace, [])
            self.logs.setdefault(log.trace, []).append(log)

    def close(self, trace: str) -> Iterator[Trajectory | BadRecord]:
        """Yields the attempts of a trace whose spans are all there."""
        self.closed.add(trace)
        spans, logs = self.open.pop(trace, []), self.logs.pop(trace, [])
        for item in close_trace(spans, logs, trace, self.source):
            self.problems += isinstance(item, BadRecord)
            yield item

    def _bad(self, location: str, problem: UnreadableError) -> BadRecord:
        self.problems += 1
        return bad(self.source, FORMAT_NAME, location, problem)


_HIDDEN_ID = UnreadableError("a trace id without escapes", "one that hides in escapes")
