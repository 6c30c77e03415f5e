"""Reads files of Anthropic messages, record by record."""

from collections.abc import Iterator

from agentdyno.intake.anthropic import too_deep
from agentdyno.intake.format import Source
from agentdyno.intake.formats.anthropic_messages.convert import trajectory_of
from agentdyno.intake.formats.anthropic_messages.detect import is_lines, is_logged_call, samples
from agentdyno.intake.formats.anthropic_messages.log import read_log
from agentdyno.intake.formats.anthropic_messages.wire import CHAT, MESSAGES, Chat
from agentdyno.intake.head import Head
from agentdyno.intake.streams import Record, bad, decode, lines, open_document, too_large
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "anthropic_messages"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields one trajectory per list of messages, or per conversation of a log."""
    head = Head(source.path)
    records = _records(source, head)
    if any(is_logged_call(record) for record in samples(head)) or "request" in head.keys:
        yield from read_log(source, records)
    else:
        yield from _read_chats(source, records)


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, a list of documents, or one list of messages."""
    if source.start or is_lines(head):
        return lines(source)
    if head.is_list and "role" not in head.keys:
        return open_document(source, None).records
    return iter([_whole_file(source)])


def _whole_file(source: Source) -> Record:
    size = source.path.stat().st_size
    if size > source.max_record_bytes:
        return Record("file", "0", b"", too_large(size, source.max_record_bytes))
    return Record("file", "0", source.path.read_bytes().strip().removeprefix(b"\xef\xbb\xbf"))


def _read_chats(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    for record in records:
        try:
            if record.problem:
                raise record.problem
            chat, name = _chat(record.data), source.id_of(record.locator)
            yield trajectory_of(chat, name, source.name, record.line)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())


def _chat(data: bytes) -> Chat:
    if data[:1] == b"[":
        return Chat(decode(data, MESSAGES))
    chat: Chat = decode(data, CHAT)
    return chat
