"""Usage of Claude Code's sessions, by response: every line, decoded at once, without its texts.

Takes a file, returns its responses; texts only of those whose output nobody counted. Shares with
the reader what a response is (`response.ResponseKeys`), which count is its last
(`Response.is_final`) and what counts mean (`count_prompt`). A file that needs more is left to the
reader: several sessions, sub-agents without an id, answers without a count, damaged or of another
shape.
"""

from collections import Counter
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from agentdyno.intake.anthropic import (
    Block,
    BlockWriter,
    Content,
    arguments_of,
    as_blocks,
    billing_terms,
    count_prompt,
    count_searches,
    is_call,
    is_result,
    is_thinking,
)
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.source import Source
from agentdyno.intake.split_usage import find_placeholders
from agentdyno.intake.texts import project_folder, seconds, whole
from agentdyno.intake.totals import Response, Talk, Written, list_responses
from agentdyno.records.local_days import describe_clock
from agentdyno.records.problems import printable_name
from agentdyno_daily.formats.claude_code import response
from agentdyno_daily.formats.claude_code.chain import SYNTHETIC, add_conclusion, outcome_of
from agentdyno_daily.formats.claude_code.response import (
    ResponseKeys,
    last_answer,
    leave_out_plan,
)
from agentdyno_daily.formats.claude_code.session import TALK
from agentdyno_daily.formats.claude_code.wire import (
    LINE,
    MESSAGE,
    Envelope,
    Head,
    Line,
    Outcome,
    Progress,
)
from agentdyno_daily.intake.decoded_lines import DecodedLines, ReaderNeeded

MOST_TALKS = 256
"""The reader closes talks when there are more."""


class _Result(Struct, gc=False):
    """The parts of a tool's result that matter for the bill."""

    agentId: Any = None
    usage: Raw = Raw(b"")
    searchCount: Any = None


class _Message(Head, gc=False):
    """A message whose texts stay as they are."""

    content: Raw = Raw(b"null")


_Other = str | list[Raw] | float | bool | None
"""Other values of the same field, which are not needed."""
_Searches = dict[str, int]
"""Web searches that calls came to, by the call's id."""


class _Line(Envelope, gc=False):
    """A line without its texts."""

    toolUseResult: _Result | _Other = None
    data: Progress | _Other = None
    message: _Message | None = None


_LINES = msgspec.json.Decoder(_Line)
_CONTENT = msgspec.json.Decoder(Content)


@cache
def _hours_after_midnight() -> frozenset[str]:
    """Hours, in UTC, in which an answer may come to what was asked on the day before: there, and by
    this machine's clock."""
    offsets = {0, *(offset or 0 for offset in describe_clock())}
    return frozenset(f"{(h - o // 3600) % 24:02}" for o in offsets for h in range(-1, 4))


class _Open(response.Response):
    """The response that is being written down, with what was written."""

    model: str | None = None
    stamp: str | None = None
    lines: list[_Line] = field(default_factory=list)


class _Talk:
    """A session's main talk, or a sub-agent's."""

    def __init__(
        self, session: str, agent: str | None, cwd: str | None, source: Source, searches: _Searches
    ) -> None:
        self.agent, self._searches = agent, searches
        name = source.id_of(session if agent is None else f"{session}/{agent}")
        self.talk = Talk(name, source.name, "claude_code", None, session, project_folder(cwd))
        self.keys = ResponseKeys(session)
        self.seen: set[str] = set()
        self.last_answers: set[str | None] = set()
        self.given: str | None = None
        """When the last prompt or result was given."""
        self.has_failed = False
        """Whether a request brought no answer since then."""
        self.open: _Open | None = None
        self.responses: list[Response] = []

    def answer(self, line: _Line) -> None:
        message, opened = line.message, self.open
        if message is None or message.usage is None:
            raise ReaderNeeded
        if message.model == SYNTHETIC:
            self.has_failed |= bool(line.isApiErrorMessage)
            return
        key = message.id
        if not key or opened is None or opened.key != key:
            key = self.keys.find(key, line)
            if key is None:
                raise ReaderNeeded
            if opened is None or opened.key != key:
                if key in self.seen:
                    return
                opened = self._begin(key, line, message.model)
        opened.note_bill(line, message)
        opened.stamp = line.timestamp
        opened.visible += len(message.content)  # There is no more text than its JSON is long.
        opened.lines.append(line)

    def _begin(self, key: str, line: _Line, model: str | None) -> _Open:
        """Begin a response and close the one before."""
        self.close()
        self.seen.add(key)
        # When it was asked for matters only where that may be another day than that of the answer.
        hour, prompted = (line.timestamp or "")[11:13], None if self.has_failed else self.given
        started = seconds(prompted) if hour in _hours_after_midnight() else None
        self.has_failed = False
        self.open = opened = _Open(key, 0, started, model=model)
        return opened

    def close(self) -> None:
        """Close the open response and count it."""
        if (opened := self.open) is None:
            return
        self.open, usage = None, opened.usage
        assert usage is not None
        texts: list[Written] = []
        has_count = bool(whole(usage.output_tokens))
        is_counted = has_count and opened.is_final
        if not is_counted or self._searches:
            blocks = _read_blocks(opened.lines)
            texts, opened.visible = _list_texts(blocks)
            is_counted = has_count and opened.is_final
            opened.searches = sum(self._searches.get(block.id or "", 0) for block in blocks)
        stands_for = last_answer(self.agent, usage)
        self.last_answers.add(stands_for)
        prompt, cached, written, hour = count_prompt(usage)
        searches = count_searches(usage)
        if opened.searches:
            searches = (searches or 0) + opened.searches
        self.responses.append(
            Response(
                self.talk, len(self.responses), opened.key or "", opened.model,
                prompt, False, cached, written, hour,
                opened.output if is_counted else 0, is_counted, False,
                billing_terms(usage), searches, opened.usd,
                opened.started_at, seconds(opened.stamp), opened.request_id, stands_for,
                [] if is_counted else texts,
            )
        )  # fmt: skip

    def conclude(self, line: Line, outcome: Outcome) -> None:
        """Add the last answer, of which no line may be written."""
        answer_id, opened = last_answer(self.agent, outcome.usage), self.open
        if answer_id in self.last_answers or (
            opened is not None and last_answer(self.agent, opened.usage) == answer_id
        ):
            return
        self.close()
        builder = TrajectoryBuilder()
        model = self.responses[-1].model if self.responses else None
        add_conclusion(builder, BlockWriter(builder), model, outcome, seconds(line.timestamp))
        (last_response,) = list_responses(builder.build("", "", "claude_code"), are_whole=False)
        last_response.talk, last_response.place = self.talk, len(self.responses)
        self.last_answers.add(answer_id)
        self.responses.append(last_response)

    def finish(self) -> list[Response]:
        self.close()
        models = Counter(answer.model for answer in self.responses if answer.model)
        self.talk.model = models.most_common(1)[0][0] if models else None
        self.talk.responses = len(self.responses)
        contexts = [answer.context for answer in self.responses]
        used = [answer.model for answer in self.responses]
        if find_placeholders(used, contexts, [None] * len(contexts)):
            raise ReaderNeeded
        for answer in self.responses:
            answer.model = answer.model or self.talk.model
        return self.responses


def _read_blocks(lines: list[_Line]) -> list[Block]:
    blocks: list[Block] = []
    for line in lines:
        if line.message is not None:
            line_blocks = as_blocks(_CONTENT.decode(line.message.content))
            leave_out_plan(line_blocks, line)
            blocks += line_blocks
    return blocks


def _list_texts(blocks: list[Block]) -> tuple[list[Written], int]:
    """The texts of it, and how many characters of it can be seen."""
    texts: list[Written] = []
    visible = 0
    for block in blocks:
        if is_call(block):
            name, arguments = block.name or "", arguments_of(block)
            texts.append(Written("request", f"{name} {arguments}"))
            visible += len(name) + len(arguments)
            continue
        visible += len(block.text or "") + len(block.thinking or "")
        if is_thinking(block):
            if block.thinking:
                texts.append(Written("reasoning", block.thinking))
        elif block.text and not is_result(block):
            texts.append(Written("text", block.text))
    return texts, visible


def scan(source: Source) -> list[Response] | None:
    """The responses of a file; None where the reader is needed."""
    try:
        return _Scan(source).responses()
    except (ReaderNeeded, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class _Scan:
    """A file that is being scanned."""

    def __init__(self, source: Source) -> None:
        self._source, self._lines = source, DecodedLines(source, _LINES)
        self._talks: dict[tuple[str, str | None], _Talk] = {}
        self._known: dict[tuple[str | None, str | None, bool | None], _Talk] = {}
        """The same by what lines say."""
        self._uuids: set[str] = set()
        self._searches: _Searches = {}

    def responses(self) -> list[Response]:
        """The file's responses, talk by talk."""
        self._count_searches(self._lines.values)
        self._take(self._lines.values, 0)
        if len(self._talks) > MOST_TALKS:
            raise ReaderNeeded
        return [answer for talk in self._talks.values() for answer in talk.finish()]

    def _count_searches(self, lines: list[_Line]) -> None:
        """Count the searches of the client's search tool, by its results."""
        for line in lines:
            result = line.toolUseResult
            if type(result) is _Result and (searches := whole(result.searchCount)):
                ids = [block.tool_use_id for block in _read_blocks([line]) if is_result(block)]
                if len(ids) == 1 and ids[0]:
                    self._searches[ids[0]] = searches

    # Lines --------------------------------------------------------------------------------------

    def _take(self, lines: list[_Line], first: int) -> None:
        """Adds lines to their talks; `first` is the index of the first of them in the file."""
        talks, uuids = self._known, self._uuids
        for index, line in enumerate(lines, first):
            if line.type not in TALK:
                continue
            if (uuid := line.uuid) is not None:
                if uuid in uuids:
                    continue
                uuids.add(uuid)
            if line.type == "progress":
                self._take_inner(line, index)
            talk = talks.get((line.sessionId, line.agentId, line.isSidechain))
            if talk is None:
                talk = self._begin(line)
            if line.type == "assistant":
                talk.answer(line)
            elif line.type == "user":
                if line.isCompactSummary or not line.isVisibleInTranscriptOnly:
                    talk.given = line.timestamp
                result = line.toolUseResult
                if type(result) is _Result and result.agentId and len(result.usage) > len("null"):
                    self._conclude(index)
            elif line.subtype == "api_error":
                talk.has_failed = True

    def _begin(self, line: Envelope) -> _Talk:
        """The talk that a line is of."""
        session, agent = printable_name(line.sessionId or "session", 80), None
        if line.isSidechain and line.agentId:
            agent = printable_name(line.agentId, 80)
        if line.session_id is not None or (line.isSidechain and agent is None):
            raise ReaderNeeded
        talk = self._talks.get((session, agent))
        if talk is None:
            if agent is None and any(name is None for _, name in self._talks):
                raise ReaderNeeded
            talk = _Talk(session, agent, line.cwd, self._source, self._searches)
            self._talks[session, agent] = talk
        self._known[line.sessionId, line.agentId, line.isSidechain] = talk
        return talk

    def _take_inner(self, outer: _Line, index: int) -> None:
        """Take a sub-agent's line, as its starter was shown it."""
        inner = outer.data
        if type(inner) is not Progress or not inner.agentId or bytes(inner.message)[:1] != b"{":
            return
        line = _LINES.decode(inner.message)
        if type(line.toolUseResult) is _Result and line.toolUseResult.agentId:
            raise ReaderNeeded
        line.sessionId, line.agentId, line.isSidechain = outer.sessionId, inner.agentId, True
        line.timestamp, line.cwd = line.timestamp or outer.timestamp, line.cwd or outer.cwd
        if line.type in ("assistant", "user"):
            self._take([line], index)

    def _conclude(self, index: int) -> None:
        """Add a sub-agent's last answer, which may be only in the result of the call that started
        it.
        """
        line: Line = LINE.decode(self._lines.bytes_of(index))
        outcome = outcome_of(line, as_blocks(MESSAGE.decode(bytes(line.message)).content))
        if not outcome.agentId or outcome.usage is None:
            return
        key = line.sessionId, outcome.agentId, True
        begun = Envelope("user", sessionId=key[0], agentId=key[1], isSidechain=True, cwd=line.cwd)
        (self._known.get(key) or self._begin(begun)).conclude(line, outcome)
