"""Tells a session's own lines from those it copied from the session it came from.

A fork, a resumed session of the oldest versions and a sub-agent begin with lines of their parent,
stamped with the time of the copy. In order of preference, what tells them apart:

- the ordinal that the first line names as the first one of the sub-agent's own history;
- the moment at which the turn began that a line belongs to: ids of turns and sessions hold their
  time of creation (UUID version 7), and newer turns state it. A turn that began before the session
  did is the parent's; so is one that was imported from another agent.

Where neither is known, lines count as the session's own and are identified as those of the session
whose copied first line stands above them, so that a ledger counts them once.
"""

import re
from typing import Any

from agentdyno.intake.identity import is_random
from agentdyno.intake.texts import seconds
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.codex.wire import Meta

IMPORTED = "external-import-turn-"
_UUID_7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)


class Lineage:
    """The origin of a session, as far as its lines were read."""

    def __init__(self) -> None:
        self.meta: Meta | None = None
        self.is_copied = False
        """Whether the line that is being read was copied from the parent."""
        self.is_settled = False
        """Whether a line told where the session's own history begins."""
        self.turn_id: str | None = None
        self._above: str | None = None
        self._created: float | None = None

    def note_meta(self, meta: Meta, at: float | None = None) -> bool:
        """The first line of this session, or a copied one; returns whether it is the first.

        `at`: when the line was written, which is when the session began or was copied.
        """
        if self.meta is None:
            self.meta = meta
            self._created = _moment(meta.id) or seconds(meta.timestamp) or at
            self._above = meta.forked_from_id or self.parent or meta.id
            return True
        if meta.id != self.meta.id:
            self._above = meta.id
        return False

    @property
    def parent(self) -> str | None:
        """The session that started this one as a sub-agent."""
        if self.meta is None or not self._is_agent(self.meta):
            return None
        spawn = _spawn(self.meta.source)
        named = self.meta.parent_thread_id or spawn.get("parent_thread_id")
        parent_id = named or self.meta.forked_from_id or self.meta.session_id
        return parent_id if isinstance(parent_id, str) and parent_id != self.meta.id else None

    @staticmethod
    def _is_agent(meta: Meta) -> bool:
        inside = isinstance(meta.source, dict) and "subagent" in meta.source
        return inside or meta.thread_source == "subagent" or meta.parent_thread_id is not None

    @property
    def is_review(self) -> bool:
        """True when the session that asked for this one has its counts too."""
        source = self.meta.source if self.meta is not None else None
        return isinstance(source, dict) and source.get("subagent") == "review"

    @property
    def is_child(self) -> bool:
        """True when the session may begin with lines of another one."""
        meta = self.meta
        if meta is None:
            return False
        has_base = meta.forked_from_id or meta.history_base or self.parent
        return bool(has_base) or self._above != meta.id

    @property
    def session_id(self) -> str | None:
        """The session as a person knows it: a sub-agent belongs to that of its parent."""
        if self.meta is None:
            return None
        session = self.meta.session_id or self.parent or self.meta.id
        return printable_name(session, 80) if session else None

    @property
    def anchor(self) -> str | None:
        """The session that the current line belongs to, the same in every copy."""
        if self.meta is None or not self.is_child or self.is_settled:
            session = self.meta.id if self.meta is not None else None
        else:
            session = self._above
        turn = self.turn_id if self.turn_id and is_random(self.turn_id) else None
        return " ".join(filter(None, (session, turn))) or None

    def note_ordinal(self, ordinal: int | None) -> None:
        """A line's place in the history, where lines are numbered."""
        start = self.meta.subagent_history_start_ordinal if self.meta else None
        if start is not None and ordinal is not None:
            self.is_copied, self.is_settled = ordinal < start, True

    def note_turn(self, turn_id: str | None, started_at: Any) -> None:
        """A turn of the user's begins, or is named again."""
        self.turn_id = turn_id or self.turn_id
        if turn_id is not None and turn_id.startswith(IMPORTED):
            self.is_copied = True
            return
        numbered = self.meta is not None and self.meta.subagent_history_start_ordinal is not None
        began, created = _moment(turn_id), self._created
        if began is None and (turn_start := seconds(started_at)) is not None:
            began = turn_start + 1  # Whole seconds, cut off.
        if self.is_child and not numbered and began is not None and created is not None:
            self.is_copied, self.is_settled = began < created, True


def _spawn(source: Any) -> dict[str, Any]:
    agent = source.get("subagent") if isinstance(source, dict) else None
    spawn = agent.get("thread_spawn") if isinstance(agent, dict) else None
    return spawn if isinstance(spawn, dict) else {}


def _moment(uuid: str | None) -> float | None:
    """The time that a UUID of version 7 begins with, in seconds since 1970."""
    match = _UUID_7.fullmatch(uuid or "")
    return seconds(int(match[1] + match[2], 16)) if match else None
