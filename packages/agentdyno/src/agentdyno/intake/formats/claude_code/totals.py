"""What sessions of Claude Code used, by response: the lines that hold a count.

Takes a file, returns its responses; texts only of those whose output nobody counted. Shares with
the reader what a response is (`response.ResponseKeys`), which count is its last
(`Response.is_final`) and what counts mean (`count_prompt`). A file that needs more is left to the
reader: several sessions, sub-agents without an id, answers without a count, damaged or of another
shape.
"""

import re
from collections import Counter
from functools import cache
from os import fstat

import msgspec
from msgspec import Raw, Struct, field

from agentdyno.intake.anthropic import (
    Block,
    BlockWriter,
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
from agentdyno.intake.format import Source
from agentdyno.intake.formats.claude_code import response
from agentdyno.intake.formats.claude_code.chain import SYNTHETIC, add_conclusion, outcome_of
from agentdyno.intake.formats.claude_code.response import (
    ResponseKeys,
    last_answer,
    leave_out_plan,
)
from agentdyno.intake.formats.claude_code.session import LONGEST_PATH, TALK
from agentdyno.intake.formats.claude_code.wire import (
    LINE,
    MESSAGE,
    Envelope,
    Line,
    Message,
    Outcome,
)
from agentdyno.intake.texts import seconds, whole
from agentdyno.intake.totals import Response, Talk, Written, list_responses
from agentdyno.records import printable
from agentdyno.records.local_days import describe_clock
from agentdyno.records.problems import printable_name

LARGEST = 256 * 2**20
"""A larger file is not held in memory."""
KEPT = 32 * 2**20
"""Files up to this size are read into the same memory, one after the other."""
MOST_TALKS = 256
"""The reader closes talks when there are more."""
_COUNT = b'"input_tokens"'
_MARKS = (
    (b'"type":"assistant"', b'"type":"user"'),
    (b'"type": "assistant"', b'"type": "user"'),
)
"""What lines of answers and of prompts hold, without spaces and with them."""
_SEARCH = "WebSearch"
"""The tool whose result says how many searches it came to."""
_SEARCHES = re.compile(rb'"searchCount": ?(\d{1,6})[,}]')
_STAMP = re.compile(rb'"timestamp": ?"([^"]{10,40})"')


class _ReaderNeeded(Exception):
    """Something in the file that only the reader understands."""


class _Line(Envelope, gc=False):
    """A line of a response."""

    message: Message | None = None


class _Inner(Struct, gc=False):
    """A sub-agent's line inside a `progress` line."""

    agentId: str | None = None
    message: Raw = Raw(b"null")


_LINE = msgspec.json.Decoder(_Line)
_ENVELOPE = msgspec.json.Decoder(Envelope)
_INNER = msgspec.json.Decoder(_Inner)


@cache
def _hours_after_midnight() -> frozenset[str]:
    """Hours, in UTC, in which an answer may come to what was asked on the day before: there, and by
    this machine's clock."""
    offsets = {0, *(each or 0 for each in describe_clock())}
    return frozenset(f"{(h - o // 3600) % 24:02}" for o in offsets for h in range(-1, 4))


class _Open(response.Response):
    """The response that is being written down, with what was written."""

    model: str | None = None
    stamp: str | None = None
    length: int = 0
    contents: list[str | list[Block | str]] = field(default_factory=list)


class _Talk:
    """A session's main talk, or a sub-agent's."""

    def __init__(self, session: str, agent: str | None, cwd: str | None, source: Source) -> None:
        self.session, self.agent = session, agent
        name = source.id_of(session if agent is None else f"{session}/{agent}")
        project = cwd and printable(cwd, LONGEST_PATH)
        self.talk = Talk(name, source.name, "claude_code", None, session, project)
        self.keys = ResponseKeys(session)
        self.seen: set[str] = set()
        self.last_answers: set[str | None] = set()
        self.last_model: str | None = None
        self.open: _Open | None = None
        self.responses: list[Response] = []

    def begin(self, opened: _Open, key: str) -> None:
        """A response of its own; what comes of the one before counts no more."""
        self.close()
        self.seen.add(key)
        self.open, self.last_model = opened, opened.model

    def close(self) -> None:
        """What the open response comes to."""
        if (opened := self.open) is None:
            return
        self.open = None
        each = Response(self.talk, len(self.responses), opened.key or "", opened.model)
        if (usage := opened.usage) is not None:
            each.context, each.cached, each.written, each.hour = count_prompt(usage)
            each.service_tier, each.web_searches = billing_terms(usage), count_searches(usage)
        has_count = usage is not None and whole(usage.output_tokens)
        if opened.searches:
            each.web_searches = (each.web_searches or 0) + opened.searches
        # There is no more text than the lines are long.
        opened.visible = opened.length
        if has_count and opened.is_final:
            each.output = opened.output
        else:
            texts = _look_at(opened)
            each.is_counted = bool(has_count) and opened.is_final
            each.output, each.texts = (opened.output, []) if each.is_counted else (0, texts)
        if self.agent is not None:
            each.stands_for = last_answer(self.agent, usage)
            self.last_answers.add(each.stands_for)
        each.started_at, each.ended_at = opened.started_at, seconds(opened.stamp)
        each.request_id, each.reported_usd = opened.request_id, opened.usd
        self.responses.append(each)

    def conclude(self, outcome: Outcome, at: float | None) -> None:
        """The last answer, of which no line may be written."""
        own = last_answer(self.agent, outcome.usage)
        if own in self.last_answers or (
            self.open is not None and last_answer(self.agent, self.open.usage) == own
        ):
            return
        self.close()
        builder = TrajectoryBuilder()
        add_conclusion(builder, BlockWriter(builder), self.last_model, outcome, at)
        (found,) = list_responses(builder.build("", "", "claude_code"), are_whole=False)
        found.talk, found.place = self.talk, len(self.responses)
        self.last_answers.add(found.stands_for)
        self.responses.append(found)

    def finish(self) -> list[Response]:
        """Its responses."""
        self.close()
        models = Counter(each.model for each in self.responses if each.model)
        self.talk.model = models.most_common(1)[0][0] if models else None
        self.talk.responses = len(self.responses)
        for each in self.responses:
            each.model = each.model or self.talk.model
        return self.responses


def _look_at(opened: _Open) -> list[Written]:
    """What was written; counts the characters of it."""
    blocks = [block for content in opened.contents for block in as_blocks(content)]
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
    opened.visible = visible
    return texts


def scan(source: Source) -> list[Response] | None:
    """The responses of a file; None where the reader is needed."""
    with source.path.open("rb", buffering=0) as file:
        size = fstat(file.fileno()).st_size
        if source.start or not 0 < size <= LARGEST:
            return None
        data = _memory(size)
        size = file.readinto(memoryview(data)[:size]) or 0
    try:
        return _Scan(source, data, size).responses()
    except (_ReaderNeeded, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


_kept = bytearray()


def _memory(size: int) -> bytearray:
    """Memory for so many bytes: fresh memory for every file would take longer than to read it."""
    global _kept
    if size > KEPT:
        return bytearray(size)
    if size > len(_kept):
        _kept = bytearray(min(size * 2, KEPT))
    return _kept


class _Scan:
    """A file that is being scanned."""

    def __init__(self, source: Source, data: bytearray, size: int) -> None:
        self._source, self._data, self._size = source, data, size
        self._view = memoryview(data)
        self._talks: dict[tuple[str, str | None], _Talk] = {}
        self._known: dict[tuple[str | None, str | None, bool | None], _Talk] = {}
        """The same by what lines say."""
        self._uuids: set[str] = set()
        self._known_prompt = 0
        """Up to where the time of the last prompt is known."""
        self._prompt_at: float | None = None
        self._answer_mark, self._prompt_mark = next(
            (marks for marks in _MARKS if data.find(marks[0], 0, size) >= 0), _MARKS[0]
        )

    def responses(self) -> list[Response]:
        """What the file holds, talk by talk."""
        data, size, mark = self._data, self._size, self._answer_mark
        if not data.startswith(b"{"):
            raise _ReaderNeeded
        answer, end = data.find(mark, 0, size), 0
        self._begin_all(answer)
        while answer >= 0:
            start = data.rfind(b"\n", end, answer) + 1 or end
            self._take_counts(end, start)
            end = self._take_at(start, answer)
            answer = data.find(mark, end, size)
        self._take_counts(end, size)
        if len(self._talks) > MOST_TALKS:
            raise _ReaderNeeded
        return [each for talk in self._talks.values() for each in talk.finish()]

    def _begin_all(self, answer: int) -> None:
        """The talks of the lines before the first that counts."""
        first = self._data.find(_COUNT, 0, self._size if answer < 0 else answer)
        stop = self._data.rfind(b"\n", 0, answer if first < 0 else first) + 1
        for raw in bytes(self._view[: max(stop, 0)]).split(b"\n"):
            if raw:
                self._begin(_ENVELOPE.decode(raw))

    def _take_counts(self, start: int, stop: int) -> None:
        """Lines between two answers that count something: what a sub-agent came to."""
        while (at := self._data.find(_COUNT, start, stop)) >= 0:
            start = self._take_at(self._data.rfind(b"\n", start, at) + 1 or start, at)

    def _take_at(self, start: int, at: int) -> int:
        """Takes the line around a place; returns its end."""
        end = self._data.find(b"\n", at, self._size)
        if end < 0:
            end = self._size
        if end - start > self._source.max_record_bytes:
            raise _ReaderNeeded
        try:
            line = _LINE.decode(self._view[start:end])
        except msgspec.DecodeError:
            if end < self._size:
                raise
            return end  # It is still being written.
        self._take(line, start, end)
        return end

    # Lines --------------------------------------------------------------------------------------

    def _begin(self, place: Envelope) -> _Talk | None:
        """The talk that a line is of; None where it is of none."""
        key = place.sessionId, place.agentId, place.isSidechain
        if (known := self._known.get(key)) is not None and place.type == "assistant":
            return known
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
            talk = self._talks[session, agent] = _Talk(session, agent, place.cwd, self._source)
        self._known[key] = talk
        return talk

    def _take(self, line: _Line, start: int, end: int) -> None:
        if line.uuid is not None:
            if line.uuid in self._uuids:
                return
            self._uuids.add(line.uuid)
        if line.type == "assistant":
            if (talk := self._begin(line)) is not None:
                self._answer(talk, line, start, end)
        elif line.type == "progress":
            self._take_inner(line, start, end)
        else:
            self._begin(line)
            if line.type == "user" and b'"agentId"' in bytes(line.toolUseResult):
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
            self._take(line, start, end)

    def _answer(self, talk: _Talk, line: _Line, start: int, end: int) -> None:
        message = line.message
        if message is None or message.usage is None:
            raise _ReaderNeeded
        if message.model == SYNTHETIC:
            return
        key, opened = message.id, talk.open
        if not key or opened is None or opened.key != key:
            key = talk.keys.find(key, line)
        if opened is None or opened.key != key:
            if key is None:
                raise _ReaderNeeded
            if key in talk.seen:
                return
            opened = _Open(key, 0, self._asked(start, line.timestamp), model=message.model)
            talk.begin(opened, key)
        opened.note_bill(line, message)
        opened.stamp = line.timestamp
        opened.length += end - start
        if message.content:
            leave_out_plan(message.content, line)
            opened.contents.append(message.content)
            for block in message.content:
                if type(block) is Block and block.name == _SEARCH:
                    opened.searches += self._searches(block, end)

    def _searches(self, block: Block, end: int) -> int:
        """Searches that a call came to, by its result."""
        if not block.id or not is_call(block):
            return 0
        data, size = self._data, self._size
        at = data.find(block.id.encode(), end, size)
        stop = data.find(b"\n", at, size) if at >= 0 else -1
        line = data.rfind(b"\n", 0, at) + 1
        found = _SEARCHES.search(data, line, stop) if stop >= 0 else None
        return int(found[1]) if found else 0

    def _asked(self, start: int, stamp: str | None) -> float | None:
        """When the prompt was given, where that may be another day than that of the answer."""
        if not stamp or stamp[11:13] not in _hours_after_midnight():
            return None
        data, mark, known, end = self._data, self._prompt_mark, self._known_prompt, start
        self._known_prompt = start
        while end > known:  # Line by line, as it is mostly the line before.
            begin = data.rfind(b"\n", known, end - 1) + 1 or known
            if data.rfind(mark, begin, end) >= 0 and (found := _STAMP.findall(data, begin, end)):
                self._prompt_at = seconds(found[-1].decode())
                break
            end = begin
        return self._prompt_at

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
        if (talk := self._begin(stand_in)) is not None:
            talk.conclude(outcome, seconds(line.timestamp))
