"""Reads files of tau-bench results, record by record."""

from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.format import Source
from agentdyno.intake.formats.tau_bench.convert import FORMAT_NAME, trajectory_of
from agentdyno.intake.formats.tau_bench.detect import one_per_line
from agentdyno.intake.formats.tau_bench.wire import RESULT
from agentdyno.intake.head import Head
from agentdyno.intake.streams import Record, bad, lines, whole_file
from agentdyno.records import BadRecord, Trajectory, UnreadableError


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields one trajectory per attempt."""
    for record in _records(source):
        try:
            result = record.decode(RESULT)
            yield trajectory_of(result, source.id_of(record.locator), source.name)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)


def _records(source: Source) -> Iterator[Record]:
    """A list, JSON lines, or one attempt alone (perhaps indented over many lines)."""
    head = Head(source.path)
    if head.is_list and not source.start:
        return open_document(source, None).records
    if source.start or one_per_line(head) or b"\n" not in head.data.strip():
        return lines(source)
    return iter([whole_file(source)])
