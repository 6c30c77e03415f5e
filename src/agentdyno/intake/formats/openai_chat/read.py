"""Reads files of OpenAI chat messages, record by record."""

from collections.abc import Iterator

from agentdyno.intake.format import Source
from agentdyno.intake.formats.openai_chat.convert import trajectory_of
from agentdyno.intake.formats.openai_chat.detect import is_logged_call
from agentdyno.intake.formats.openai_chat.log import read_log
from agentdyno.intake.formats.openai_chat.wire import CHAT, MESSAGES, Chat
from agentdyno.intake.head import Head
from agentdyno.intake.streams import Record, bad, decode, lines, open_document
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "openai_chat"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields one trajectory per list of messages, or per conversation of a log."""
    head = Head(source.path)
    records = _records(source, head)
    if any(is_logged_call(record) for record in _samples(head)):
        yield from read_log(source, records)
    else:
        yield from _read_chats(source, records)


def _samples(head: Head) -> list[object]:
    return head.first if isinstance(head.first, list) else head.lines or [head.first]


def _records(source: Source, head: Head) -> Iterator[Record]:
    """A file may be lines, one document, a list of documents, or one list of messages."""
    if source.start or len(head.lines) > 1 or (head.size > len(head.data) and head.lines):
        return lines(source)
    if head.is_list and "role" not in head.keys:
        return open_document(source, None).records
    if head.is_list or head.lines or source.path.stat().st_size <= source.max_record_bytes:
        return iter([_whole_file(source)])
    return lines(source)


def _whole_file(source: Source) -> Record:
    return Record("file", "0", source.path.read_bytes().strip().removeprefix(b"\xef\xbb\xbf"))


def _read_chats(source: Source, records: Iterator[Record]) -> Iterator[Trajectory | BadRecord]:
    for record in records:
        try:
            if record.problem:
                raise record.problem
            yield trajectory_of(_chat(record.data), source.id_of(record.locator), source.name)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)


def _chat(data: bytes) -> Chat:
    if data[:1] == b"[":
        return Chat(decode(data, MESSAGES))
    chat: Chat = decode(data, CHAT)
    return chat
