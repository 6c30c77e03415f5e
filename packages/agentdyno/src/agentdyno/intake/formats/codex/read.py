"""Reads files of Codex, line by line."""

from collections.abc import Iterator

from agentdyno.intake.format import Source
from agentdyno.intake.formats.codex.exec_stream import ExecStream
from agentdyno.intake.formats.codex.rollout import FORMAT_NAME, Rollout
from agentdyno.intake.formats.codex.wire import EXEC_LINE, EXEC_TYPES, LINE, Line
from agentdyno.intake.streams import Record, decode, or_no_response, take_lines
from agentdyno.records import BadRecord, Trajectory


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file, and a bad record for each line that is none."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    rollout, stream = Rollout(), ExecStream()

    def take(record: Record) -> None:
        _take(rollout, stream, record.data, record.line)

    yield from take_lines(source, FORMAT_NAME, take)
    found = [each.build(source) for each in (rollout, stream)]
    yield from (trajectory for trajectory in found if trajectory is not None)


def _take(rollout: Rollout, stream: ExecStream, data: bytes, number: int | None) -> None:
    line: Line = decode(data, LINE)
    if line.type in EXEC_TYPES:
        stream.take(decode(data, EXEC_LINE), number)
    else:
        rollout.take(line, data, number)
