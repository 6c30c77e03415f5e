"""Reads files of Anthropic messages, record by record."""

from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.anthropic_messages import is_lines, is_logged_call, samples
from agentdyno.intake.formats.anthropic_messages.convert import trajectory_of
from agentdyno.intake.formats.anthropic_messages.log import read_log
from agentdyno.intake.formats.anthropic_messages.wire import CHAT, MESSAGES, Chat
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode, lines, read_each, whole_file
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "anthropic_messages"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields one trajectory per list of messages, or per conversation of a log."""
    head = Head(source.path)
    records = _records(source, head)
    if any(is_logged_call(record) for record in samples(head)) or "request" in head.keys:
        yield from read_log(source, records)
    else:
        yield from read_each(source, FORMAT_NAME, records, _read)


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, a list of documents, or one list of messages."""
    if source.start or is_lines(head):
        return lines(source)
    if head.is_list and "role" not in head.keys:
        return open_document(source, None).records
    return iter([whole_file(source)])


def _read(source: Source, record: Record) -> Iterator[Trajectory]:
    data = record.data
    chat = Chat(decode(data, MESSAGES)) if data[:1] == b"[" else decode(data, CHAT)
    yield trajectory_of(chat, source.id_of(record.locator), source.name, record.line)
