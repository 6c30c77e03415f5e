"""What sessions of Codex used, by response: the counts, and of all else what kind of line it is.

Takes a file, returns the responses of its session. It is the reader's own `Rollout`, which
decides what a response is and which count is whose, without what the model read and wrote. A file
with a response that nobody counted, an exec stream or a damaged line is left to the reader.
"""

import msgspec
from msgspec import Struct

from agentdyno.intake.format import Source
from agentdyno.intake.formats.codex.rollout import RESULTS, Rollout, is_written
from agentdyno.intake.formats.codex.wire import EXEC_TYPES, LINE, ItemHead, Line, Meta
from agentdyno.intake.streams import decode, lines
from agentdyno.intake.texts import seconds
from agentdyno.intake.totals import Response, list_responses
from agentdyno.records import Turn
from agentdyno.records.problems import UnreadableError
from agentdyno.records.rows import as_rows


class _Kind(Struct, gc=False):
    """What an event reports."""

    type: str | None = None


_HEAD = msgspec.json.Decoder(ItemHead)
_KIND = msgspec.json.Decoder(_Kind)


def scan(source: Source) -> list[Response] | None:
    """The responses of a file; None where the reader is needed."""
    session = _Session()
    try:
        for record in lines(source):
            if record.problem is not None:
                return None
            line: Line = decode(record.data, LINE)
            if line.type in EXEC_TYPES:
                return None
            session.take(line, record.data, record.line)
    except (UnreadableError, RecursionError):
        return None
    found = session.build(source)
    if found is None:
        return []
    turns = as_rows(Turn, found.turns)
    known = zip(
        turns.column("prefill"), turns.column("decode"), turns.column("identity"), strict=True
    )
    return list_responses(found, are_whole=False) if all(all(each) for each in known) else None


class _Session(Rollout):
    """A rollout without its texts."""

    def take(self, line: Line, data: bytes, number: int | None) -> None:
        """Adds a line."""
        raw, at = bytes(line.payload), seconds(line.timestamp)
        if line.type == "response_item":
            self._lineage.note_ordinal(line.ordinal)
            self._pass_item(decode(raw, _HEAD), at)
        elif line.type is None and line.id is None and raw == b"null":
            self._pass_item(decode(data, _HEAD), at)
        elif line.type == "compacted":
            self._lineage.note_ordinal(line.ordinal)
            self._forget_turn()
        elif line.type != "event_msg" or not _ends_call(decode(raw, _KIND)):
            super().take(line, data, number)

    def _note_meta(self, meta: Meta, at: float | None) -> None:
        self._lineage.note_meta(meta, at)

    def _pass_item(self, item: ItemHead, at: float | None) -> None:
        """Whether it is of a response or of what the next one is given."""
        if self._lineage.is_copied:
            return
        if (item.type in RESULTS and item.call_id is not None) or not is_written(item):
            self._note_input(at)
        elif self._awaits_review:
            self._awaits_review = False
        else:
            self._set_times(self._open_turn(), at)


def _ends_call(event: _Kind) -> bool:
    """Whether an event says how a call went, and nothing of a response."""
    return event.type == "item_completed" or (event.type or "").endswith("_end")
