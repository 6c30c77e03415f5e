"""Reads session files of Claude Code, line by line."""

from collections.abc import Iterator

from agentdyno.intake.format import Source
from agentdyno.intake.formats.claude_code.chain import Chain
from agentdyno.intake.formats.claude_code.session import Sessions
from agentdyno.intake.formats.claude_code.wire import LINE
from agentdyno.intake.streams import bad, decode, lines, or_no_response, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError

FORMAT_NAME = "claude_code"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session of the file and for every sub-agent in it."""
    return or_no_response(source, FORMAT_NAME, _read(source))


def _read(source: Source) -> Iterator[Trajectory | BadRecord]:
    sessions = Sessions(source)
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            sessions.take(decode(record.data, LINE), record.line or 0)
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
        yield from _finish(source, sessions, sessions.overflow())
    yield from _finish(source, sessions, sessions.rest())


def _finish(source: Source, sessions: Sessions, chains: Iterator[Chain]) -> Iterator[Trajectory]:
    """Talks in which no model answered (commands only, somebody else's summary) are none."""
    for chain in chains:
        if chain.builder.turns:
            began = chain.began
            yield chain.builder.build(
                source.id_of(began.locator),
                source.name,
                FORMAT_NAME,
                session_id=began.session_id,
                agent_id=began.agent_id,
                parent_id=began.parent_id,
                parent_call_id=began.parent_call_id,
                begins_midway=began.midway,
                reported_calls=chain.reported_calls,
                line=began.line,
                title=sessions.title_of(chain),
                project=began.project,
                branch=began.branch,
            )
