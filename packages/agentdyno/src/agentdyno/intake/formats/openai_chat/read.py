"""Reads files of OpenAI chat messages, record by record."""

import re
from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.formats.openai_chat import is_log, is_message
from agentdyno.intake.formats.openai_chat.convert import trajectory_of
from agentdyno.intake.formats.openai_chat.log import read_log
from agentdyno.intake.formats.openai_chat.wire import CHAT, MESSAGE, MESSAGES, Chat, Message
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode, lines, read_each, take_records, whole_file
from agentdyno.records import BadRecord, Trajectory

FORMAT_NAME = "openai_chat"
_LIST_OF_LISTS = re.compile(rb"\s*\[\s*\[")


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields one trajectory per list of messages, or per conversation of a log."""
    head = Head(source.path)
    records = _records(source, head)
    if is_log(head):
        yield from read_log(source, records)
    elif head.is_lines and head.lines and all(is_message(line) for line in head.lines):
        yield from _read_messages(source, records)
    else:
        yield from read_each(source, FORMAT_NAME, records, _read)


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, a list of documents, or one list of messages."""
    if source.start or head.is_lines:
        return lines(source)
    if head.is_list and ("role" not in head.keys or _LIST_OF_LISTS.match(head.data)):
        return open_document(source, None).records
    return iter([whole_file(source)])


def _read_messages(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    """A message on every line: the file is one conversation."""
    messages: list[Message] = []

    def take(record: Record) -> None:
        messages.append(record.decode(MESSAGE))

    yield from take_records(source, FORMAT_NAME, records, take)

    def read(source: Source, file: Record) -> Iterator[Trajectory]:
        yield trajectory_of(Chat(messages), source.id_of(file.locator), source.name)

    yield from read_each(source, FORMAT_NAME, [Record("file", "0", b"")], read)


def _read(source: Source, record: Record) -> Iterator[Trajectory]:
    data = record.data
    chat = Chat(decode(data, MESSAGES)) if data[:1] == b"[" else decode(data, CHAT)
    yield trajectory_of(chat, source.id_of(record.locator), source.name, record.line)
