"""Reads event logs of Copilot CLI, line by line."""

from collections.abc import Iterator

from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode, lines, or_no_response, take_records
from agentdyno.records import BadRecord, Trajectory
from agentdyno_daily.formats.copilot_cli.session import FORMAT_NAME, Session
from agentdyno_daily.formats.copilot_cli.wire import EVENT


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file and its sub-agents, and a bad record for each bad line."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    session = Session(source)

    def take(record: Record) -> None:
        session.take(decode(record.data, EVENT), record.line)

    yield from take_records(source, FORMAT_NAME, lines(source), take)
    yield from session.build()
