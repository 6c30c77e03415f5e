"""Logs in which every record is one request to a model with its response, whoever logged it.

Takes exchanges in the order of the file, returns a trajectory for every conversation among them. A
request goes on with a conversation when it names its last response, or repeats its messages; of
several that begin alike, the one that gave the answer that comes next. Records without messages
belong together by their session's id; without one, each stands alone.

The same messages come again with every request. Each is taken apart once and held once.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.exchanges import exchange_attributes
from agentdyno.intake.source import Source
from agentdyno.intake.spans.content import Content, content_of
from agentdyno.intake.spans.convert import Labels, trajectory_of
from agentdyno.intake.spans.evaluations import Mark
from agentdyno.intake.spans.messages import ChatRecord, join_messages, parse_message
from agentdyno.intake.spans.span import Span
from agentdyno.intake.spans.tree import Attempt, ModelCall
from agentdyno.intake.streams import bad, too_deep
from agentdyno.records import BadRecord, Trajectory, UnreadableError

MAX_KNOWN = 1 << 17
"""Messages that are remembered, so that one that comes again is not taken apart again."""


class Exchange(Struct, kw_only=True):
    """One call as a logger writes it down."""

    locator: str
    """Its place in the file, short."""
    request: Any = None
    """The body that was sent."""
    response: Any = None
    """The body that came back, or the events of its stream."""
    attributes: dict[str, Any] = {}
    """The logger's own fields, under the names of the conventions; the bodies win."""
    start: float | None = None
    """When it was sent, in seconds since 1970."""
    end: float | None = None
    """When the answer was complete."""
    session: str | None = None
    """The session named by the logger."""
    task: str | None = None
    """The task, where the logger knows one."""
    correct: bool | None = None
    """Whether the attempt solved it, as far as was known at this call."""
    variant: str | None = None
    """The tool suite that the agent ran with."""
    error: str | None = None


class _Thread(Struct):
    """A conversation that may go on."""

    locator: str
    session: str | None
    task: str | None
    variant: str | None = None
    correct: bool | None = None
    """What the last call that knew it said."""
    calls: list[ModelCall] = []
    key: bytes | None = None
    """Where its next request is looked for."""
    answer: ChatRecord | None = None
    sent: list[ChatRecord] = []
    """All that its last request amounted to, without instructions."""


def read_exchanges(
    source: Source,
    format: str,
    exchanges: Iterable[Exchange | BadRecord],
    tools: Mapping[str | None, list[Span]] | None = None,
) -> Iterator[Trajectory | BadRecord]:
    """Yields a trajectory for every conversation; a call that cannot be read costs only itself.

    `tools` are runs of tools by session, where the logger notes them too.
    """
    log = _Log()
    for exchange in exchanges:
        if isinstance(exchange, BadRecord):
            yield exchange
            continue
        try:
            log.take(exchange)
        except UnreadableError as problem:
            yield bad(source, format, f"record {exchange.locator}", problem)
        except RecursionError:
            yield bad(source, format, f"record {exchange.locator}", too_deep())
    for thread in log.threads:
        yield _finish(source, format, thread, (tools or {}).get(thread.session, []))


def _finish(
    source: Source, format: str, thread: _Thread, tools: list[Span]
) -> Trajectory | BadRecord:
    marks = [] if thread.correct is None else [Mark("outcome", float(thread.correct), None)]
    labels = Labels(
        source.id_of(thread.locator),
        None,
        thread.task,
        marks,
        session_id=thread.session,
        variant=thread.variant,
    )
    try:
        return trajectory_of(Attempt(None, thread.calls, tools), source, labels, format)
    except UnreadableError as problem:
        return bad(source, format, f"record {thread.locator}", problem)
    except RecursionError:
        return bad(source, format, f"record {thread.locator}", too_deep())


class _Log:
    def __init__(self) -> None:
        self.threads: list[_Thread] = []
        self._waiting: dict[bytes, list[_Thread]] = {}
        self._answers: dict[str, _Thread] = {}
        self._known: dict[bytes, ChatRecord] = {}

    def take(self, exchange: Exchange) -> None:
        """Adds a call to the conversation that it goes on with."""
        attributes = exchange.attributes | exchange_attributes(exchange.request, exchange.response)
        span = Span(
            "", exchange.locator, None, "exchange", "model", exchange.start, exchange.end,
            attributes, error=exchange.error or attributes.pop("error", None),
        )  # fmt: skip
        instructed = int(attributes.get("gen_ai.system_instructions") is not None)
        content = self._content(span)
        thread = self._find(attributes, content, exchange.session)
        if thread is None:
            thread = _Thread(exchange.locator, exchange.session, exchange.task, exchange.variant)
            self.threads.append(thread)
        elif thread.key is not None:
            self._waiting[thread.key].remove(thread)
        sent = content.sent or []
        before = attributes.get("previous_response_id")
        if isinstance(before, str) and before in self._answers:
            # The provider has what went before; instructions do not carry over.
            earlier = [*thread.sent, *([thread.answer] if thread.answer else [])]
            content.sent = [*sent[:instructed], *earlier, *sent[instructed:]]
        thread.sent = (content.sent or [])[instructed:]
        if exchange.correct is not None:
            thread.correct = exchange.correct
        thread.calls.append(ModelCall([span], content))
        self._remember(thread, content, span)

    def _content(self, span: Span) -> Content:
        """The texts of a call, of which messages that came before are the ones known already."""
        messages = span.attributes.pop("gen_ai.input.messages", None)
        system = span.attributes.pop("gen_ai.system_instructions", None)
        content = content_of([span])
        for name in ("gen_ai.output.messages", "gen_ai.tool.definitions"):
            span.attributes.pop(name, None)
        if messages is not None:
            listed = [{"role": "system", "content": system}] if system is not None else []
            parsed = map(self._parse, [*listed, *messages])
            content.sent = join_messages(record for record in parsed if record.pieces)
        return content

    def _parse(self, message: Any) -> ChatRecord:
        digest = blake2b(msgspec.json.encode(message), digest_size=16).digest()
        record = self._known.get(digest)
        if record is None:
            if len(self._known) >= MAX_KNOWN:
                self._known.clear()
            record = self._known[digest] = parse_message(message)
        return record

    def _find(
        self, attributes: dict[str, Any], content: Content, session: str | None
    ) -> _Thread | None:
        before = attributes.get("previous_response_id")
        if isinstance(before, str):
            return self._answers.get(before)
        if content.sent is None:
            alone = self._waiting.get(_session_key(session)) if session else None
            return alone[0] if alone else None
        spoken = _spoken(content.sent)
        digests = _prefixes(spoken)
        for length in range(len(spoken), 0, -1):
            waiting = self._waiting.get(digests[length - 1], [])
            alike = [thread for thread in waiting if thread.session == session]
            following = spoken[length] if length < len(spoken) else None
            if alike:
                return _choose(alike, following)
        return None

    def _remember(self, thread: _Thread, content: Content, span: Span) -> None:
        thread.answer = content.answer
        if content.sent is not None:
            digests = _prefixes(_spoken(content.sent))
            thread.key = digests[-1] if digests else None
        else:
            thread.key = _session_key(thread.session) if thread.session else None
        if thread.key is not None:
            self._waiting.setdefault(thread.key, []).append(thread)
        if isinstance(name := span.attributes.get("gen_ai.response.id"), str):
            self._answers[name] = thread


def _choose(alike: list[_Thread], following: ChatRecord | None) -> _Thread | None:
    """The same question again goes on only where it had no answer; else the answer decides."""
    if following is None:
        return next((thread for thread in alike if thread.answer is None), None)
    key = _answer_key(following)
    same = (thread for thread in alike if thread.answer and _answer_key(thread.answer) == key)
    return next(same, alike[0] if len(alike) == 1 else None)


def _answer_key(record: ChatRecord) -> str:
    """A key that identifies an answer: the ids of its calls, or else its text."""
    calls = [piece.call_id for piece in record.pieces if piece.kind == "call" and piece.call_id]
    texts = [piece.text.strip() for piece in record.pieces if piece.kind == "text"]
    return "\0".join(calls) or "\n".join(texts)


def _spoken(sent: list[ChatRecord] | None) -> list[ChatRecord]:
    """Without instructions, of which some clients change a line with every request."""
    return [record for record in sent or () if record.role != "system"]


def _prefixes(records: list[ChatRecord]) -> list[bytes]:
    """A digest of the first message, of the first two, and so on."""
    running, digests = blake2b(digest_size=16), []
    for record in records:
        running.update(record.spoken_key)
        digests.append(running.copy().digest())
    return digests


def _session_key(session: str) -> bytes:
    return b"session " + session.encode("utf-8", "replace")
