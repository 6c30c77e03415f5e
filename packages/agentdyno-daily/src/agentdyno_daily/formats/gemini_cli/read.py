"""Reads session files of Gemini CLI: lines with patch records, or one document."""

from collections.abc import Iterator

from agentdyno.intake.documents import open_document
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, decode, lines, take_records
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno_daily.formats.gemini_cli.convert import FORMAT_NAME, Writer
from agentdyno_daily.formats.gemini_cli.fold import Conversation
from agentdyno_daily.formats.gemini_cli.wire import MESSAGE, RECORD, UPDATE, Update
from agentdyno_daily.formats.gemini_cli.wire import Record as Line


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file, and a bad record for each that is none."""
    conversation, is_empty = Conversation(), True
    reading = _read_lines if Head(source.path).is_lines else _read_document
    for problem in reading(source, conversation):
        is_empty = False
        yield problem
    trajectory = Writer(conversation).build(source)
    if trajectory is not None:
        yield trajectory
    elif is_empty:
        missing = UnreadableError("at least one response of a model", "none")
        yield bad(source, FORMAT_NAME, "file", missing)


def _read_lines(source: Source, conversation: Conversation) -> Iterator[BadRecord]:
    def take(record: Record) -> None:
        _take(conversation, record)

    return take_records(source, FORMAT_NAME, lines(source), take)


def _take(conversation: Conversation, record: Record) -> None:
    line: Line = decode(record.data, RECORD)
    update = bytes(line.update)
    if line.rewind_to is not None:
        conversation.rewind(line.rewind_to)
    elif line.id is not None:
        conversation.add(decode(record.data, MESSAGE), record.line)
    elif update:
        changed: Update = decode(update, UPDATE)
        conversation.summary = changed.summary or conversation.summary
        if changed.messages is not None:
            conversation.replace(changed.messages, record.line)
    else:
        _note_session(conversation, line)
        for message in line.messages or ():
            conversation.add(message, record.line)


def _note_session(conversation: Conversation, line: Line) -> None:
    conversation.session_id = conversation.session_id or line.sessionId
    conversation.is_agent |= line.kind == "subagent"
    conversation.summary = line.summary or conversation.summary


def _read_document(source: Source, conversation: Conversation) -> Iterator[BadRecord]:
    document = open_document(source, "messages")
    for name, value in document.fields.items():
        if name in ("sessionId", "kind", "summary"):
            try:
                line = decode(b'{"%s":%s}' % (name.encode(), value), RECORD)
                _note_session(conversation, line)
            except UnreadableError as problem:
                yield bad(source, FORMAT_NAME, name, problem)

    def add(record: Record) -> None:
        conversation.add(record.decode(MESSAGE))

    yield from take_records(source, FORMAT_NAME, document.records, add)
