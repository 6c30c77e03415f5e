"""Reads session files of Claude Code, line by line."""

from collections.abc import Iterator

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.growing import read_lines
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import find_placeholders
from agentdyno.intake.streams import Record, decode
from agentdyno.records import BadRecord, Trajectory
from agentdyno_daily.formats.claude_code.chain import Chain
from agentdyno_daily.formats.claude_code.session import Sessions
from agentdyno_daily.formats.claude_code.wire import LINE

FORMAT_NAME = "claude_code"


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every session of the file and for every sub-agent in it."""
    return read_lines(source, FORMAT_NAME, SessionReader(source))


class SessionReader:
    """A file that is being read."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._sessions = Sessions(source)

    def take(self, record: Record) -> None:
        self._sessions.take(decode(record.data, LINE), record.line)

    def finished(self) -> Iterator[Trajectory]:
        """Those that were quiet longest, when too many are open."""
        sessions = self._sessions
        return self._build(sessions.overflow()) if sessions.are_too_many else iter(())

    def results(self) -> Iterator[Trajectory]:
        """The others as they are now."""
        return self._build(self._sessions.list_open())

    def _build(self, chains: Iterator[Chain]) -> Iterator[Trajectory]:
        """Talks in which no model answered (commands only, somebody else's summary) are none."""
        for chain in chains:
            if chain.builder.turns:
                _drop_placeholders(chain.builder)
                began = chain.began
                yield chain.builder.build(
                    self._source.id_of(began.locator),
                    self._source.name,
                    FORMAT_NAME,
                    session_id=began.session_id,
                    agent_id=began.agent_id,
                    parent_id=began.parent_id,
                    parent_call_id=began.parent_call_id,
                    begins_midway=began.midway,
                    reported_calls=chain.reported_calls,
                    line=began.line,
                    title=self._sessions.title_of(chain),
                    project=began.project,
                    branch=began.branch,
                )


def _drop_placeholders(builder: TrajectoryBuilder) -> None:
    """Counts that a stream begins with, and that nothing replaced, are not known."""
    columns = builder.turns.column
    contexts = [count and count.tokens for count in columns("prefill")]
    unknown = dict.fromkeys(
        ("prefill", "decode", "cached_tokens", "cache_write_tokens", "cache_write_hour_tokens")
    )
    for turn in find_placeholders(columns("model"), contexts, columns("finish")):
        builder.amend_turn(turn, **unknown)
