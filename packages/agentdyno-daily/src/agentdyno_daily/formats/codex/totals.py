"""Usage of Codex's sessions, by response: the counts, and of all else what kind of line it is.

Takes a file, returns the responses of its session. It is the reader's own `Rollout`, which
decides what a response is and which count is whose, without what the model read and wrote. A file
with a response that nobody counted, an exec stream or a damaged line is left to the reader.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentdyno.intake.source import Source
from agentdyno.intake.texts import seconds
from agentdyno.intake.totals import Response, list_responses
from agentdyno.records import Trajectory, Turn
from agentdyno.records.problems import UnreadableError
from agentdyno.records.rows import as_rows
from agentdyno_daily.formats.codex.rollout import RESULTS, Rollout, is_written
from agentdyno_daily.formats.codex.usage import Counts
from agentdyno_daily.formats.codex.wire import EXEC_TYPES, LINE, EventHead, Meta
from agentdyno_daily.intake.decoded_lines import DecodedLines, ReaderNeeded


class _Payload(EventHead, gc=False):
    """An event or an item without its texts."""

    role: str | None = None
    name: str | None = None
    namespace: str | None = None


class _Line(Struct, gc=False):
    """A line without its texts."""

    type: str | None = None
    timestamp: Any = None
    ordinal: int | None = None
    payload: _Payload | str | list[Raw] | float | bool | None = None


_LINES = msgspec.json.Decoder(_Line)


def scan(source: Source) -> list[Response] | None:
    """The responses of a file; None where the reader is needed."""
    session = _Session()
    try:
        lines = DecodedLines(source, _LINES)
        for index, line in enumerate(lines.values):
            if not session.passes(line):
                data = lines.bytes_of(index).strip()
                session.take(LINE.decode(data), data, index + 1)
    except (ReaderNeeded, UnreadableError, msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    trajectory = session.build(source)
    if trajectory is None:
        return []
    turns = as_rows(Turn, trajectory.turns)
    required = zip(
        turns.column("prefill"), turns.column("decode"), turns.column("identity"), strict=True
    )
    return (
        list_responses(trajectory, are_whole=False)
        if all(all(cells) for cells in required)
        else None
    )


class _Session(Rollout):
    def __init__(self) -> None:
        super().__init__()
        self._timed: int | None = None
        """The response whose item came last."""
        self._asked_at: float | None = None
        self._written_at: float | None = None
        """When that item was written, until it stands in the response."""

    def passes(self, line: _Line) -> bool:
        """Adds a line of which no more need be known; returns whether it was one."""
        if line.type in EXEC_TYPES:
            raise ReaderNeeded
        payload = line.payload
        if line.type == "compacted":
            self._lineage.note_ordinal(line.ordinal)
            self._forget_turn()
            return True
        if type(payload) is not _Payload:
            return False
        if line.type == "response_item":
            self._lineage.note_ordinal(line.ordinal)
            self._pass_item(payload, seconds(line.timestamp))
        elif line.type == "event_msg":
            self._lineage.note_ordinal(line.ordinal)
            if payload.type != "item_completed" and not (payload.type or "").endswith("_end"):
                self._take_head(payload, seconds(line.timestamp))
        else:
            return False
        return True

    def _note_meta(self, meta: Meta, at: float | None) -> None:
        self._lineage.note_meta(meta, at)

    def _pass_item(self, item: _Payload, at: float | None) -> None:
        """Note an item of a response, or of the next one's input."""
        if self._lineage.is_copied:
            return
        if (item.type in RESULTS and item.call_id is not None) or not is_written(
            item.type, item.role
        ):
            self._note_input(at)
        elif self._awaits_review:
            self._awaits_review = False
        else:
            turn = self._open_turn()
            if turn != self._timed:
                self._note_end_of_writing()
                self._timed, self._asked_at = turn, self.builder.turns[turn].started_at
            if self._asked_at is not None and at is not None and at >= self._asked_at:
                self._written_at = at

    def _note_end_of_writing(self) -> None:
        """Once for each response, and not for each of its items."""
        if self._timed is not None:
            self._set_times(self._timed, self._written_at)
        self._written_at = None

    def _close(self, counts: Counts, at: float | None) -> int:
        self._note_end_of_writing()
        return super()._close(counts, at)

    def build(self, source: Source) -> Trajectory | None:
        self._note_end_of_writing()
        return super().build(source)
