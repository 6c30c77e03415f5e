"""A session file as one trajectory: a tree of entries, of which each call saw one path.

An entry continues the one that it names. One that goes back to an earlier entry leaves the context
of what came in between, which was paid for and stays counted; going back again brings it back. A
compaction shows its summary and the entries from the first kept one on. Entries without ids (the
first version of the files) follow each other.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.source import Source
from agentdyno.intake.streams import bad, decode, lines, no_response, too_deep
from agentdyno.intake.texts import first_line, project_folder, seconds
from agentdyno.records import BadRecord, Trajectory, UnreadableError, printable
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.pi.answers import (
    ENTRY,
    Answers,
    Entry,
    decode_message,
    talk_of_child,
)


class Node(Struct):
    """An entry's place in the tree."""

    parent: str | None
    parts: list[int]
    """Its texts in the context, as they stand now."""
    first_kept: str | None = None
    """For a compaction: the first entry before it that is still sent."""
    is_boundary: bool = False
    """True when everything before it is no longer sent."""


class Session:
    """The entries of a file, one after the other."""

    def __init__(self) -> None:
        self.talk = Answers()
        self.id: str | None = None
        self.title: str | None = None
        self.folder: str | None = None
        self.is_midway = False
        self._nodes: dict[str, Node] = {}
        self._order: list[str] = []
        self._leaf: str | None = None
        self._sent: dict[str, None] = {}
        """Entries that the next call is sent, in their order."""

    def take(self, data: bytes, line: int | None) -> None:
        entry: Entry = decode(data, ENTRY)
        self.talk.builder.line = line
        self.title = entry.title or self.title
        if entry.type == "session":
            self.id = self.id or entry.id
            self.folder = self.folder or project_folder(entry.cwd)
            self._order.append("")
        elif entry.type != "title" or entry.id:
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        entry_id = entry.id or f"entry {len(self._order)}"
        parent = self._leaf if entry.parentId is UNSET else entry.parentId
        if not self._nodes:
            self.is_midway = parent is not None
        if parent != self._leaf:
            self._show(self._sent_at(parent))
        parts = self.talk.builder.parts
        first = len(parts)
        try:
            self._write(entry)
        finally:
            texts = [i for i in range(first, len(parts)) if parts[i].enters is not None]
            self._nodes[entry_id] = Node(parent, texts, *self._boundary(entry))
            self._order.append(entry_id)
            self._leaf = entry_id
            self._sent[entry_id] = None
        node = self._nodes[entry_id]
        # What begins where it is to begin stays: a compaction may be written again and again.
        if node.is_boundary and next(iter(self._sent)) != node.first_kept:
            self._show(self._sent_at(entry_id))

    def _write(self, entry: Entry) -> None:
        talk = self.talk
        if entry.type == "message":
            if not bytes(entry.message):
                raise UnreadableError("a message", "none")
            talk.add(decode_message(bytes(entry.message)), seconds(entry.timestamp))
        elif entry.type == "custom_message":
            talk.say(entry.content)
        elif entry.type in ("compaction", "branch_summary"):
            talk.say(entry.summary)
        elif entry.type == "session_info":
            self.title = entry.name or self.title
        elif entry.customType == "tool_execution" and entry.toolCallId and entry.durationMs:
            call = talk.builder.call_index(entry.toolCallId)
            if call is not None and entry.durationMs >= 0:
                talk.builder.annotate(call, wait_seconds=entry.durationMs / 1000)

    # The tree -----------------------------------------------------------------------------------

    def _boundary(self, entry: Entry) -> tuple[str | None, bool]:
        if entry.type != "compaction":
            return None, False
        index = entry.firstKeptEntryIndex
        if entry.firstKeptEntryId is None and index is not None and 0 <= index < len(self._order):
            return self._order[index], True
        return entry.firstKeptEntryId, True

    def _sent_at(self, leaf: str | None) -> dict[str, None]:
        """The entries that a call after this one is sent."""
        walked: dict[str, None] = {}
        boundary = first_kept = None
        while leaf is not None and leaf not in walked and (node := self._nodes.get(leaf)):
            walked[leaf] = None
            if boundary is None and node.is_boundary:
                boundary, first_kept = leaf, node.first_kept
                if first_kept not in self._nodes or first_kept == leaf:
                    break
            elif boundary is not None and leaf == first_kept:
                break
            leaf = node.parent
        else:
            first_kept = None  # The walk met the beginning first.
        path = list(reversed(walked))
        if boundary is not None and first_kept not in walked:
            path = path[path.index(boundary) :]
        return dict.fromkeys(path)

    def _show(self, sent: dict[str, None]) -> None:
        """Brings the context to these entries: what is gone leaves, what is back enters again."""
        builder = self.talk.builder
        for name in self._sent.keys() - sent.keys():
            builder.retire(self._nodes[name].parts)
        back = sent.keys() - self._sent.keys()
        for name in sent if back else ():
            node = self._nodes[name]
            if name in back:
                again = [builder.parts[index] for index in node.parts]
                node.parts = [builder.given(p.kind, p.text, p.name, p.call) for p in again]
        self._sent = dict(sent)


def short_title(text: str | None) -> str | None:
    """A session's name in one line."""
    return first_line(text) or None if text else None


def read(source: Source, format: str) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for the session, and one for each sub-agent that its results hold."""
    session = Session()
    for record in lines(source):
        try:
            if record.problem:
                raise record.problem
            session.take(record.data, record.line)
        except UnreadableError as problem:
            yield bad(source, format, record.place, problem)
        except msgspec.MsgspecError as error:
            mismatch = UnreadableError("a message", printable(str(error)))
            yield bad(source, format, record.place, mismatch)
        except (RecursionError, UnicodeDecodeError):
            yield bad(source, format, record.place, too_deep())
    trajectories = list(_trajectories(source, format, session))
    yield from trajectories
    if not trajectories:
        yield no_response(source, format)


def _trajectories(source: Source, format: str, session: Session) -> Iterator[Trajectory]:
    session_id = printable_name(session.id or "session", 80)

    def built(builder: TrajectoryBuilder, locator: str, **facts: Any) -> Iterator[Trajectory]:
        if builder.turns:
            name = source.id_of(locator)
            facts |= {"session_id": session_id, "project": session.folder}
            yield builder.build(name, source.name, format, **facts)

    yield from built(
        session.talk.builder,
        session_id,
        title=short_title(session.title),
        begins_midway=session.is_midway,
    )
    main = source.id_of(session_id)
    for number, (call, messages) in enumerate(session.talk.children):
        child = talk_of_child(messages).builder
        locator = f"{session_id}/{number}"
        yield from built(child, locator, agent_id=locator, parent_id=main, parent_call_id=call)
