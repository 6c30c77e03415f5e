"""Reads files of Codex, line by line."""

from collections.abc import Iterator

from agentdyno.intake.growing import read_lines
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, decode
from agentdyno.records import BadRecord, Trajectory
from agentdyno_daily.formats.codex.exec_stream import ExecStream
from agentdyno_daily.formats.codex.rollout import FORMAT_NAME, Rollout
from agentdyno_daily.formats.codex.wire import EXEC_LINE, EXEC_TYPES, LINE, Line


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file, and a bad record for each line that is none."""
    return read_lines(source, FORMAT_NAME, RolloutReader(source))


class RolloutReader:
    """A file that is being read."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._rollout, self._stream = Rollout(), ExecStream()

    def take(self, record: Record) -> None:
        line: Line = decode(record.data, LINE)
        if line.type in EXEC_TYPES:
            self._stream.take(decode(record.data, EXEC_LINE), record.line)
        else:
            self._rollout.take(line, record.data, record.line)

    def finished(self) -> Iterator[Trajectory]:
        """None: any line may be the session's."""
        return iter(())

    def results(self) -> Iterator[Trajectory]:
        """The session as it is now."""
        trajectories = [builder.build(self._source) for builder in (self._rollout, self._stream)]
        return (trajectory for trajectory in trajectories if trajectory is not None)
