"""Reads span exports, trace by trace.

The spans of one trace may be spread over the file. A first pass notes the last record in which
each trace is named; the second pass closes a trace there, so that only the traces under way are
held, and of them only what concerns an agent.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Raw

from agentdyno.intake.format import Source
from agentdyno.intake.formats.otel_genai.convert import FORMAT_NAME, Labels, trajectory_of
from agentdyno.intake.formats.otel_genai.evaluations import Mark, marks_on
from agentdyno.intake.formats.otel_genai.spans import Span, SpanLog, add_log, log_of, span_of
from agentdyno.intake.formats.otel_genai.tools import tool_run
from agentdyno.intake.formats.otel_genai.tree import Attempt, Tree, attempts_of
from agentdyno.intake.formats.otel_genai.wire import ENVELOPE, Envelope
from agentdyno.intake.head import Head
from agentdyno.intake.streams import Record, bad, decode, lines, open_document, whole_file
from agentdyno.records import BadRecord, Trajectory, UnreadableError

_TRACE_ID = re.compile(rb'"trace_?[iI][dD]"\s*:\s*"([^"]*)"')
_PLAIN_ID = re.compile(r"[\w+/=.:-]{1,64}")


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
        tree = Tree(self.open.pop(trace, []))
        for log in self.logs.pop(trace, ()):
            if (span := tree.spans.get(log.span)) is not None:
                add_log(span, log.event)
        locator = _locator(trace)
        try:
            attempts = attempts_of(tree)
            marks = _marks(tree, attempts)
        except RecursionError:
            yield self._bad(f"trace {locator}", _TOO_DEEP)
            return
        for attempt in attempts:
            try:
                labels = self._labels(tree, attempt, locator, marks.get(id(attempt), []))
                yield trajectory_of(attempt, self.source, labels)
            except UnreadableError as problem:
                yield self._bad(f"trace {locator}", problem)
            except RecursionError:
                yield self._bad(f"trace {locator}", _TOO_DEEP)

    def _labels(self, tree: Tree, attempt: Attempt, trace: str, marks: list[Mark]) -> Labels:
        parent = attempt.parent
        leaf = attempt.calls[0].leaf
        reported = (span.task for span in (leaf, *tree.above(leaf)) if span.task)
        return Labels(
            self._id(trace, attempt),
            None if parent is None else self._id(trace, parent),
            next(reported, None),
            marks,
            trace,
            None if parent is None else _find_starting_call(tree, leaf, parent),
        )

    def _id(self, trace: str, attempt: Attempt) -> str:
        inside = f"/{_locator(attempt.locator)}" if attempt.locator else ""
        return self.source.id_of(trace + inside)

    def _bad(self, place: str, problem: UnreadableError) -> BadRecord:
        self.problems += 1
        return bad(self.source, FORMAT_NAME, place, problem)


_TOO_DEEP = UnreadableError("content of ordinary depth", "nesting too deep to read")


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


def _locator(name: str) -> str:
    """An id fit to stand in another: as it is when it is one, else its digest."""
    if _PLAIN_ID.fullmatch(name):
        return name
    return blake2b(name.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _marks(tree: Tree, attempts: list[Attempt]) -> dict[int, list[Mark]]:
    """Evaluations by attempt: of the owner they stand in, else of the only main attempt."""
    by_owner = {a.owner.id: a for a in attempts if a.owner is not None}
    mains = [attempt for attempt in attempts if attempt.parent is None]
    marks: dict[int, list[Mark]] = {}
    for span in tree.spans.values():
        if not (found := marks_on(span)):
            continue
        owner = span if span.kind == "agent" else tree.owner(span)
        attempt = by_owner.get(owner.id) if owner is not None else None
        if attempt is None and len(mains) == 1:
            attempt = mains[0]
        if attempt is not None:
            marks.setdefault(id(attempt), []).extend(found)
    return marks


def _find_starting_call(tree: Tree, leaf: Span, parent: Attempt) -> str | None:
    """The id of the call inside of whose tool a sub-agent asked its model."""
    for span in tree.above(leaf):
        if span is parent.owner:
            return None
        run = tool_run(span) if span.kind == "tool" else None
        if run is not None and run.call_id is not None:
            return run.call_id
    return None
