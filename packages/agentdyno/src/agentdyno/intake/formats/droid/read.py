"""Reads session files of Droid, line by line, and the settings beside them.

- Lines of an answer that follow each other are one response: reasoning and calls of some providers
  are written apart.
- A response began when the last line before it was written and ended with its own last line.
- The totals in `<id>.settings.json` are running sums of the session; `inputTokens` leaves cached
  tokens out. They are shared out over its turns.
- A compaction's summary takes the place of everything before it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import BlockWriter, Content, as_blocks
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.identity import is_random
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.streams import bad, lines, no_response, too_deep
from agentdyno.intake.texts import flat_text, seconds, whole
from agentdyno.records import BadRecord, Trajectory, UnreadableError
from agentdyno.records.problems import printable_name

FORMAT_NAME = "droid"


class Message(Struct, gc=False):
    """What somebody said."""

    role: str
    content: Content = None
    model: str | None = None


class Line(Struct, gc=False):
    """A line of a session file."""

    type: str
    id: str | None = None
    timestamp: Any = None
    message: Message | None = None
    session: Any = None
    title: str | None = None
    sessionTitle: str | None = None
    callingSessionId: str | None = None
    callingToolUseId: str | None = None
    summary: Any = None
    summaryText: str | None = None


_LINE = msgspec.json.Decoder(Line)


class _Session:
    """A trajectory under construction."""

    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self.start: Line | None = None
        self._writer = BlockWriter(self.builder)
        self._given_at: float | None = None
        self._is_answering = False

    def take(self, line: Line) -> None:
        if line.type == "session_start":
            self.start = self.start or line
        elif line.type == "compaction_state":
            self.builder.retire_from(0)
            self._writer.thinking.clear()
            self.builder.user(line.summaryText or _summary(line.summary))
        elif line.type == "message" and line.message is not None:
            self._say(line, line.message)

    def _say(self, line: Line, message: Message) -> None:
        blocks, at = as_blocks(message.content), seconds(line.timestamp)
        if message.role == "user":
            last = self.builder.turns[-1].model if self.builder.turns else None
            self._writer.ask(blocks, last)
            self._given_at, self._is_answering = at, False
        elif message.role == "assistant":
            if not self._is_answering:
                known = line.id if line.id and is_random(line.id) else None
                identity = f"droid {known}" if known else None
                self.builder.turn(message.model, identity=identity, started_at=self._given_at)
            self._is_answering = True
            self._writer.answer(blocks)
            self._end(at)

    def _end(self, at: float | None) -> None:
        begun = self._given_at
        took = at - begun if at is not None and begun is not None and at >= begun else None
        turn = len(self.builder.turns) - 1
        self.builder.amend_turn(turn, ended_at=at, latency_seconds=took)


def read(source: Source) -> Iterator[Trajectory | BadRecord]:
    """Yields the session of the file."""
    session = _Session()
    for record in lines(source):
        try:
            session.builder.line = record.line
            session.take(record.decode(_LINE))
        except UnreadableError as problem:
            yield bad(source, FORMAT_NAME, record.place, problem)
        except RecursionError:
            yield bad(source, FORMAT_NAME, record.place, too_deep())
    if not session.builder.turns:
        yield no_response(source, FORMAT_NAME)
        return
    settings = _settings(source.path)
    share_totals(session.builder, _totals(settings.get("tokenUsage")))
    if isinstance(model := settings.get("model"), str):
        for turn, named in enumerate(session.builder.turns.column("model")):
            session.builder.amend_turn(turn, model=named or model)
    yield _build(source, session)


def _build(source: Source, session: _Session) -> Trajectory:
    start = session.start or Line("session_start")
    inner = start.session if isinstance(start.session, dict) else {}
    own = printable_name(str(start.id or inner.get("id") or "session"), 80)
    caller = start.callingSessionId and printable_name(start.callingSessionId, 80)
    folder = source.name.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    return session.builder.build(
        source.id_of(own),
        source.name,
        FORMAT_NAME,
        session_id=caller or own,
        agent_id=own if caller else None,
        parent_id=f"{beside}{caller}.jsonl#{caller}" if caller else None,
        parent_call_id=start.callingToolUseId,
        title=start.sessionTitle or start.title or None,
    )


def _settings(path: Path) -> dict[str, Any]:
    """The settings beside a session; none where they are missing or damaged."""
    try:
        found = msgspec.json.decode(path.with_suffix(".settings.json").read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _totals(usage: Any) -> Totals:
    if not isinstance(usage, dict):
        return Totals()
    names = ("inputTokens", "cacheReadTokens", "cacheCreationTokens", "outputTokens")
    fresh, read, written, output = (whole(usage.get(name)) for name in names)
    if not any((fresh, read, written, output)):
        return Totals()
    prompt = (fresh or 0) + (read or 0) + (written or 0)
    return Totals(prompt, read, written, output, whole(usage.get("thinkingTokens")))


def _summary(summary: Any) -> str:
    if isinstance(summary, dict):
        return flat_text([str(summary.get(key) or "") for key in ("title", "body")])
    return summary if isinstance(summary, str) else ""
