"""Reads files of Codex, line by line."""

from collections.abc import Iterator

from agentdyno.intake.format import Source
from agentdyno.intake.formats.codex.exec_stream import ExecStream
from agentdyno.intake.formats.codex.rollout import FORMAT_NAME, Rollout
from agentdyno.intake.formats.codex.wire import EXEC_LINE, EXEC_TYPES, LINE, Line
from agentdyno.intake.streams import bad, decode, lines, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file, and a bad record for each line that is none."""
    rollout, stream = Rollout(), ExecStream()
    has_problem = False
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            _take(rollout, stream, record.data, record.line)
        except UnreadableError as problem:
            has_problem = True
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            has_problem = True
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    found = [each.build(source) for each in (rollout, stream)]
    yield from (trajectory for trajectory in found if trajectory is not None)
    if not any(found) and not has_problem:
        missing = UnreadableError("at least one response of a model", "none")
        yield bad(source, FORMAT_NAME, "file", missing)


def _take(rollout: Rollout, stream: ExecStream, data: bytes, number: int | None) -> None:
    line: Line = decode(data, LINE)
    if line.type in EXEC_TYPES:
        stream.take(decode(data, EXEC_LINE), number)
    else:
        rollout.take(line, data, number)
