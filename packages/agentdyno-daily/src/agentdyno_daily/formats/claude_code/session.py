"""Sorts the lines of a file into chains: sessions, and the sub-agents they started.

Sub-agents have an `agentId`, or in older files only `isSidechain` and a line of their own to
begin with. Their lines may stand inside `progress` lines of the talk that started them, and their
last answer in the result of the call that did. A line of another session that continues a known
line belongs to the same talk: the session was resumed. File order is kept; a prompt that goes back
to an earlier line takes what came in between out of the context, but not out of the cost.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from agentdyno.intake.anthropic import as_blocks
from agentdyno.intake.source import Source
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import project_folder, seconds
from agentdyno.records.problems import printable, printable_name
from agentdyno_daily.formats.claude_code.chain import Began, Chain, outcome_of
from agentdyno_daily.formats.claude_code.stream import rename_fields, share_output
from agentdyno_daily.formats.claude_code.wire import (
    LINE,
    MESSAGE,
    PROGRESS,
    TOTALS,
    Line,
    Message,
    ModelUsage,
    Progress,
)

LONGEST_TITLE = 120
MAX_OPEN = 256
"""Chains followed at a time; then the half that was quiet longest is closed."""

_SUBAGENT = re.compile(r"(?P<folder>.*?)(?:[^/\\]+[/\\]subagents[/\\])?agent-[^/\\]*\.jsonl")
TALK = {"user", "assistant", "system", "progress", "attachment"}


class _Place(NamedTuple):
    """Position of a line in its chain."""

    chain: Chain
    turns: int
    parts: int


class Sessions:
    """The open chains of a file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._open: dict[str, Chain] = {}
        self._places: dict[str, _Place] = {}
        self._locators: set[str] = set()
        self._others: set[str] = set()
        self._titles: dict[str, str] = {}
        """By session or, for a summary, by the last line that it sums up."""
        self._totals: dict[str, dict[str, ModelUsage]] = {}
        """By session: what its run used of each model; nothing where there was another run."""
        self._is_linked = False
        self._number: int | None = None

    def take(self, line: Line, number: int | None = None) -> None:
        """Adds a line to its chain; those that are no part of a talk are skipped."""
        self._number = number
        if line.session_id is not None and line.sessionId is None:
            rename_fields(line)
        if line.type not in TALK:
            self._note_title(line)
            self._note_totals(line)
            if line.uuid is not None:
                self._others.add(line.uuid)
            return
        if line.uuid is not None and line.uuid in self._places:
            return
        progress = _progress(line) if line.type == "progress" else None
        if progress is not None and progress.agentId:
            self._take_inner(line, progress)
        chain = self._chain_of(line)
        chain.builder.line = number
        self._is_linked |= isinstance(line.parentUuid, str)
        if line.type == "user":
            chain.user(line, self._branch(line, chain))
            if b'"agentId"' in bytes(line.toolUseResult):
                self._conclude(line)
        elif line.type == "assistant":
            chain.assistant(line)
        elif progress is not None:
            if progress.hookEvent == "SessionStart" and chain.builder.turns:
                chain.happened("restarted")
            chain.progress(line, progress)
        elif line.subtype == "compact_boundary":
            chain.compact()
        elif line.subtype == "microcompact_boundary":
            chain.happened("cleared")
        elif line.subtype == "api_error":
            chain.failed()
        if line.uuid is not None:
            self._places[line.uuid] = _Place(chain, *chain.builder.size())

    def _note_title(self, line: Line) -> None:
        """Note a session's title; a person's own goes before any other."""
        if line.type == "custom-title" and line.customTitle:
            self._titles[f"own {line.sessionId}"] = line.customTitle
        elif line.type == "ai-title" and line.aiTitle:
            self._titles[f"of {line.sessionId}"] = line.aiTitle
        elif line.type == "summary" and line.summary and line.leafUuid:
            self._titles[line.leafUuid] = line.summary

    def _note_totals(self, line: Line) -> None:
        """Sums are those of a process: two for one session may or may not include each other."""
        raw = bytes(line.modelUsage)
        if line.type == "result" and raw[:1] == b"{":
            session = _session(line)
            totals = {} if session in self._totals else decode(raw, TOTALS)
            self._totals[session] = {m.removesuffix("[1m]"): u for m, u in totals.items()}

    def title_of(self, chain: Chain) -> str | None:
        """The title that the file gives a session; a sub-agent has none. A summary may be that of
        a session in another file, so it counts only where its last line is here."""
        if chain.is_side:
            return None
        session = chain.began.session_id
        named = self._titles.get(f"own {session}") or self._titles.get(f"of {session}")
        summed = [t for leaf, t in self._titles.items() if self._is_line_of(leaf, chain)]
        return printable(named or summed[-1], LONGEST_TITLE) if named or summed else None

    def _is_line_of(self, leaf: str, chain: Chain) -> bool:
        position = self._places.get(leaf)
        return position is not None and position.chain is chain

    # Sub-agents inside the talk that started them -------------------------------------------------

    def _take_inner(self, outer: Line, progress: Progress) -> None:
        """A sub-agent's line, as its starter was shown it."""
        raw = bytes(progress.message)
        if raw[:1] != b"{":
            return
        inner: Line = decode(raw, LINE)
        inner.sessionId, inner.agentId = outer.sessionId, progress.agentId
        inner.isSidechain, inner.parentToolUseID = True, outer.parentToolUseID
        inner.timestamp = inner.timestamp or outer.timestamp
        inner.cwd, inner.gitBranch = inner.cwd or outer.cwd, inner.gitBranch or outer.gitBranch
        if inner.type in ("user", "assistant"):
            self.take(inner, self._number)

    def _conclude(self, line: Line) -> None:
        """Add a sub-agent's last answer, which may be only in the result of the call that started
        it.
        """
        message: Message = decode(bytes(line.message), MESSAGE)
        blocks = as_blocks(message.content)
        outcome = outcome_of(line, blocks)
        if not outcome.agentId or outcome.usage is None:
            return
        call = next((block.tool_use_id for block in blocks if block.tool_use_id), None)
        stand_in = Line(
            "user",
            sessionId=line.sessionId,
            agentId=call if line.session_id else outcome.agentId,
            isSidechain=True,
            parentToolUseID=call,
            cwd=line.cwd,
            gitBranch=line.gitBranch,
        )
        chain = self._chain_of(stand_in)
        chain.builder.line = self._number
        chain.concluded(outcome, seconds(line.timestamp))

    # Which chain ----------------------------------------------------------------------------------

    def _chain_of(self, line: Line) -> Chain:
        key = self._key_of(line)
        # What was quiet longest stands first.
        chain = self._open.pop(key, None) or self._begin(key, line)
        self._open[key] = chain
        return chain

    def _key_of(self, line: Line) -> str:
        is_side = bool(line.isSidechain)
        if is_side and line.agentId:
            return f"{_session(line)}/{printable_name(line.agentId, 80)}"
        parent = self._parent(line)
        if parent is not None and parent.chain.is_side == is_side:
            return parent.chain.began.key
        suffix = f"/{printable_name(line.uuid or 'side', 80)}" if is_side else ""
        return _session(line) + suffix

    def _begin(self, key: str, line: Line) -> Chain:
        """A chain that goes on after it was closed is another trajectory with another name."""
        locator, again = key, 1
        while locator in self._locators:
            again += 1
            locator = f"{key}~{again}"
        self._locators.add(locator)
        side = bool(line.isSidechain)
        began = Began(
            key,
            locator,
            _session(line),
            printable_name(line.agentId, 80) if side and line.agentId else None,
            self._starter(line),
            line.parentToolUseID if side else None,
            self._is_midway(line),
            self._number,
            project_folder(line.cwd),
            line.gitBranch and printable(line.gitBranch, LONGEST_TITLE),
        )
        return Chain(len(self._locators), began)

    def _is_midway(self, line: Line) -> bool:
        """True when the line continues one that this file does not have."""
        before = line.parentUuid
        return isinstance(before, str) and before not in self._places and before not in self._others

    def _starter(self, line: Line) -> str | None:
        """The id that the session has, in this file or beside the sub-agent's own."""
        if not line.isSidechain:
            return None
        session = _session(line)
        separate_file = _SUBAGENT.fullmatch(self._source.name)
        file = f"{separate_file['folder']}{session}.jsonl" if separate_file else self._source.name
        return f"{file}#{session}"

    def _parent(self, line: Line) -> _Place | None:
        return self._places.get(line.parentUuid) if isinstance(line.parentUuid, str) else None

    def _branch(self, line: Line, chain: Chain) -> int | None:
        """The part from which on the context was left, when this prompt goes back."""
        if line.isMeta or line.isSidechain or b'"tool_result"' in bytes(line.message):
            return None
        if line.parentUuid is None:
            return 0 if self._is_linked else None
        parent = self._parent(line)
        if parent is None or parent.chain is not chain:
            return None
        return parent.parts if parent.turns < len(chain.builder.turns) else None

    @property
    def are_too_many(self) -> bool:
        """True when more chains are open than are to be kept in memory."""
        return len(self._open) > MAX_OPEN

    def overflow(self) -> Iterator[Chain]:
        """Closes the chains that were quiet longest, of too many."""
        closed = [self._open.pop(key) for key in list(self._open)[: MAX_OPEN // 2]]
        for chain in closed:
            chain.finish_response()
        gone = set(map(id, closed))
        self._places = {u: p for u, p in self._places.items() if id(p.chain) not in gone}
        yield from closed

    def list_open(self) -> Iterator[Chain]:
        """Those that are not closed, in the order in which they began."""
        chains = sorted(self._open.values(), key=lambda chain: chain.number)
        for chain in chains:
            chain.finish_response()
        for session, totals in self._totals.items():
            share_output([c for c in chains if c.began.session_id == session], totals)
        yield from chains


def _progress(line: Line) -> Progress | None:
    """Decode a progress line; hooks and unknown shapes give None."""
    try:
        progress: Progress = PROGRESS.decode(bytes(line.data))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return progress


def _session(line: Line) -> str:
    return printable_name(line.sessionId or "session", 80)
