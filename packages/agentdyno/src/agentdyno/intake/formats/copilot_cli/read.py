"""Reads event logs of Copilot CLI, line by line."""

from collections.abc import Iterator

from agentdyno.intake.format import Source
from agentdyno.intake.formats.copilot_cli.session import FORMAT_NAME, Session
from agentdyno.intake.formats.copilot_cli.wire import EVENT
from agentdyno.intake.streams import bad, decode, lines, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file and its sub-agents, and a bad record for each bad line."""
    session, is_empty = Session(source), True
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            session.take(decode(record.data, EVENT), record.line)
        except UnreadableError as problem:
            is_empty = False
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            is_empty = False
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    for trajectory in session.build():
        is_empty = False
        yield trajectory
    if is_empty:
        missing = UnreadableError("at least one response of a model", "none")
        yield bad(source, FORMAT_NAME, "file", missing)
