"""What sessions of Claude Code used, by response: the lines that hold a count, and little of those.

Takes a file, returns its talks as trajectories of turns; texts only of responses whose output
nobody counted. Shares with the reader what a response is (`response.ResponseKeys`), which count is
its last (`Response.is_final`) and what counts mean (`usage_fields`). A file that needs more is left
to the reader: several sessions, sub-agents without an id, lines without a count, damaged or of
another shape.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from agentdyno.intake.anthropic import Block, BlockWriter, as_blocks
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.formats.claude_code.chain import SYNTHETIC, add_conclusion, outcome_of
from agentdyno.intake.formats.claude_code.response import (
    Response,
    ResponseKeys,
    count_visible,
    last_answer,
)
from agentdyno.intake.formats.claude_code.session import LONGEST_PATH, TALK
from agentdyno.intake.formats.claude_code.wire import (
    LINE,
    MESSAGE,
    Envelope,
    Head,
    Line,
    Message,
    Outcome,
)
from agentdyno.intake.texts import seconds
from agentdyno.records import Trajectory, printable
from agentdyno.records.problems import printable_name

LARGEST = 256 * 2**20
"""A larger file is not held in memory."""
NEAR_MIDNIGHT = "T03"
"""An answer that began before that hour may have been asked for on the day before."""
_COUNT, _ANSWER, _ASKED = b'"input_tokens"', b'"role":"assistant"', b'"type":"user"'
_STAMP = re.compile(rb'"timestamp":"([^"]{10,40})"')


class _ReaderNeeded(Exception):
    """Something in the file that only the reader understands."""


class _Line(Envelope, gc=False):
    """A line of a response."""

    message: Head | None = None


class _Inner(Struct, gc=False):
    """A sub-agent's line inside a `progress` line."""

    agentId: str | None = None
    message: Raw = Raw(b"null")


_LINE = msgspec.json.Decoder(_Line)
_ENVELOPE = msgspec.json.Decoder(Envelope)
_INNER = msgspec.json.Decoder(_Inner)


class _Answer(NamedTuple):
    """A response of a talk, or what a call returned of one."""

    response: Response
    model: str | None
    lines: list[tuple[int, int]]
    outcome: Outcome | None = None
    at: float | None = None


class _Talk:
    """A session's main talk, or a sub-agent's."""

    def __init__(self, session: str, agent: str | None, cwd: str | None) -> None:
        self.session, self.agent = session, agent
        self.project = cwd and printable(cwd, LONGEST_PATH)
        self.keys = ResponseKeys(session)
        self.seen: set[str] = set()
        self.answers: list[_Answer] = []

    def holds(self, outcome: Outcome) -> bool:
        """Whether one of its responses is the one that a call returned."""
        own = last_answer(self.agent, outcome.usage)
        return any(last_answer(self.agent, a.response.usage) == own for a in self.answers)


def scan(source: Source) -> list[Trajectory] | None:
    """The talks of a file; None where the reader is needed."""
    if source.start or not 0 < source.path.stat().st_size <= LARGEST:
        return None
    try:
        return list(_Scan(source).talks())
    except (_ReaderNeeded, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class _Scan:
    """A file that is being scanned."""

    def __init__(self, source: Source) -> None:
        self._source = source
        with source.path.open("rb", buffering=0) as file:
            self._data = file.read()
        self._view = memoryview(self._data)
        self._talks: dict[tuple[str, str | None], _Talk] = {}
        self._uuids: set[str] = set()
        self._answered = 0

    def talks(self) -> Iterator[Trajectory]:
        """What the file holds, by talk."""
        data = self._data
        expected = data.count(_ANSWER)
        first = data.find(_COUNT)
        if not data.startswith(b"{") or (first < 0 and expected):
            raise _ReaderNeeded
        for raw in data[: data.rfind(b"\n", 0, first) + 1].split(b"\n") if first >= 0 else ():
            if raw:
                self._begin(_ENVELOPE.decode(raw))
        while first >= 0:
            start, end = data.rfind(b"\n", 0, first) + 1, data.find(b"\n", first)
            self._take(start, len(data) if end < 0 else end)
            first = data.find(_COUNT, end) if end >= 0 else -1
        if expected != self._answered or len(self._talks) > _MOST_TALKS:
            raise _ReaderNeeded
        yield from (self._build(talk) for talk in self._talks.values() if talk.answers)

    # Lines --------------------------------------------------------------------------------------

    def _begin(self, place: Envelope) -> _Talk | None:
        """The talk that a line is of; None where it is of none."""
        if place.type not in TALK:
            return None
        session = printable_name(place.sessionId or "session", 80)
        is_side = bool(place.isSidechain)
        if place.session_id is not None or (is_side and not place.agentId):
            raise _ReaderNeeded
        agent = printable_name(place.agentId, 80) if is_side and place.agentId else None
        talk = self._talks.get((session, agent))
        if talk is None:
            if agent is None and any(name is None for _, name in self._talks):
                raise _ReaderNeeded
            talk = self._talks[session, agent] = _Talk(session, agent, place.cwd)
        return talk

    def _take(self, start: int, end: int) -> None:
        self._answered += self._data.count(_ANSWER, start, end)
        if end - start > self._source.max_record_bytes:
            raise _ReaderNeeded
        try:
            line = _LINE.decode(self._view[start:end])
        except msgspec.DecodeError:
            if end < len(self._data):
                raise
            return  # It is still being written.
        self._take_line(line, start, end)

    def _take_line(self, line: _Line, start: int, end: int) -> None:
        if line.uuid is not None:
            if line.uuid in self._uuids:
                return
            self._uuids.add(line.uuid)
        if line.type == "progress":
            self._take_inner(line, start, end)
            return
        talk = self._begin(line)
        if talk is not None and line.type == "assistant":
            self._answer(talk, line, start, end)
        elif line.type == "user" and b'"agentId"' in bytes(line.toolUseResult):
            self._conclude(LINE.decode(self._view[start:end]))

    def _take_inner(self, outer: _Line, start: int, end: int) -> None:
        self._begin(outer)
        inner = _INNER.decode(bytes(outer.data))
        if not inner.agentId or bytes(inner.message)[:1] != b"{":
            return
        line = _LINE.decode(bytes(inner.message))
        line.sessionId, line.agentId, line.isSidechain = outer.sessionId, inner.agentId, True
        line.timestamp, line.cwd = line.timestamp or outer.timestamp, line.cwd or outer.cwd
        if line.type in ("assistant", "user"):
            self._take_line(line, start, end)

    def _answer(self, talk: _Talk, line: _Line, start: int, end: int) -> None:
        head = line.message
        if head is None:
            raise _ReaderNeeded
        if head.model == SYNTHETIC:
            return
        key = talk.keys.find(head.id, line)
        last = talk.answers[-1] if talk.answers else None
        if last is None or last.response.key != key:
            if key is None:
                raise _ReaderNeeded
            if key in talk.seen:
                return
            talk.seen.add(key)
            last = _Answer(Response(key, 0, self._asked(start, line.timestamp)), head.model, [])
            talk.answers.append(last)
        last.response.note(line, head, [])
        last.lines.append((start, end))

    def _asked(self, start: int, stamp: str | None) -> float | None:
        """When the prompt was given, where that may be another day than that of the answer."""
        if not stamp or stamp[10:13] >= NEAR_MIDNIGHT:
            return None
        while start > 0:
            begin = self._data.rfind(b"\n", 0, start - 1) + 1
            line = self._data[begin:start]
            if _ASKED in line and (found := _STAMP.findall(line)):
                return seconds(found[-1].decode())
            start = begin
        return None

    def _conclude(self, line: Line) -> None:
        """What a sub-agent said last may stand only in the result of the call that started it."""
        message: Message = MESSAGE.decode(bytes(line.message))
        outcome = outcome_of(line, as_blocks(message.content))
        if not outcome.agentId or outcome.usage is None:
            return
        stand_in = Line(
            "user", sessionId=line.sessionId, agentId=outcome.agentId, isSidechain=True,
            cwd=line.cwd,
        )  # fmt: skip
        talk = self._begin(stand_in)
        if talk is None or talk.holds(outcome):
            return
        model = talk.answers[-1].model if talk.answers else None
        bare = Response(None, 0, None, usage=outcome.usage)
        talk.answers.append(_Answer(bare, model, [], outcome, seconds(line.timestamp)))

    # What they come to --------------------------------------------------------------------------

    def _build(self, talk: _Talk) -> Trajectory:
        builder = TrajectoryBuilder()
        writer = BlockWriter(builder)
        for response, model, lines, outcome, at in talk.answers:
            if outcome is not None:
                add_conclusion(builder, writer, model, outcome, at)
                continue
            self._see(response, lines)
            fields = response.fields(talk.agent)
            builder.turn(model, **fields)
            if fields.get("decode") is None:
                writer.answer([block for line in lines for block in self._blocks(*line)])
        return builder.build(
            self._source.id_of(
                talk.session if talk.agent is None else f"{talk.session}/{talk.agent}"
            ),
            self._source.name,
            "claude_code",
            session_id=talk.session,
            agent_id=talk.agent,
            project=talk.project,
        )

    def _see(self, response: Response, lines: list[tuple[int, int]]) -> None:
        """How much text can be seen, where that decides whether the count is the last one: there is
        no more of it than the lines are long."""
        response.visible = sum(end - start for start, end in lines)
        if response.output and not response.is_final:
            blocks = (block for line in lines for block in self._blocks(*line))
            response.visible = sum(map(count_visible, blocks))

    def _blocks(self, start: int, end: int) -> list[Block]:
        line: Line = LINE.decode(self._view[start:end])
        if line.type == "progress":
            line = LINE.decode(bytes(_INNER.decode(bytes(line.data)).message))
        message: Message = MESSAGE.decode(bytes(line.message))
        return as_blocks(message.content)


_MOST_TALKS = 256
"""The reader closes talks when there are more."""
